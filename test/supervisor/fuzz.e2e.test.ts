/**
 * Every function of the worker under JSON of any shape, and under JSON that nearly fits its schema, through the engine: each call is
 * answered or fails with a code and one readable line, in time, and the worker serves on.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FUNCTIONS } from "../../protocol/functions/index.js";
import { startTestEngine } from "../harness/engine.js";
import { type Failure, Peer } from "../harness/peer.js";
import { temporaryFolder } from "../harness/temporary.js";
import { withWorker } from "../harness/worker-process.js";

const CALLS_A_FUNCTION = 24;
const AT_ONCE = 8;
/** A restart ends what is in flight on purpose: kill.e2e.test.ts has it. */
const DISTURBING = new Set(["iii-directory::actors::restart"]);
/** `D110 not_found: ...`, `invalid_request: ...`: a code, then text; never a stack. */
const READABLE = /^(D\d{3} )?[A-Za-z_]+: \S/;
const STACK = /\n\s+at |node_modules|TypeError|is not a function|Cannot read propert/;

type Schema = Readonly<Record<string, unknown>>;

const TEXT = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    ".",
    "..",
    "../../x",
    "a/b",
    "a::b",
    "__proto__",
    "constructor",
    "\u0000",
    "x".repeat(5_000),
    "é😀\ud800",
  ),
  fc.string(),
  fc.string({ unit: "binary" }),
);

/** What nearly fits: most values do, some are of any kind, some fields are missing. */
function near(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (depth > 4) return fc.jsonValue();
  return fc.oneof({ weight: 6, arbitrary: fitting(schema, depth) }, { weight: 1, arbitrary: fc.jsonValue() });
}

function fitting(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return fc.oneof(...choices.map((choice: Schema) => near(choice, depth + 1)));
  switch (Array.isArray(schema["type"]) ? (schema["type"][0] as unknown) : schema["type"]) {
    case "object": {
      const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
      const model = Object.fromEntries(properties.map(([name, value]) => [name, near(value, depth + 1)]));
      return fc.record(model, { requiredKeys: [] });
    }
    case "array":
      return fc.array(near((schema["items"] ?? {}) as Schema, depth + 1), { maxLength: 20 });
    case "string":
      return TEXT;
    case "integer":
      return fc.oneof(fc.integer(), fc.constantFrom(0, -1, 2 ** 53));
    case "number":
      return fc.double();
    case "boolean":
      return fc.boolean();
    default:
      return fc.jsonValue();
  }
}

/** What is wrong with the outcome of a call; undefined when nothing is. */
async function complaint(peer: Peer, id: string, payload: unknown): Promise<string | undefined> {
  const asked = JSON.stringify(payload)?.slice(0, 300);
  try {
    await peer.call(id, payload);
    return undefined;
  } catch (error) {
    const { code, message } = error as Failure;
    const bad = code === undefined || !READABLE.test(message) || message.startsWith("internal: ") || STACK.test(message);
    return bad ? `${id} ${asked}: ${code} ${message}` : undefined;
  }
}

test("every function under any JSON and JSON near its schema: an answer, or a code and a readable line; the worker serves on", async () => {
  const engine = await startTestEngine({ configurationDirectory: temporaryFolder() });
  const peer = await Peer.hello(engine.url, "fuzz");
  // Nobody outside is asked: the registry's port refuses.
  const seed = join(temporaryFolder(), "seed.yaml");
  writeFileSync(seed, "registry_url: http://127.0.0.1:9\nregistry_search: false\n");
  try {
    await withWorker({ flags: ["--url", engine.url, "--config", seed] }, async (worker) => {
      await worker.ready();
      const complaints: string[] = [];
      for (const { id, request } of FUNCTIONS) {
        if (DISTURBING.has(id)) continue;
        const payloads = [
          ...fc.sample(fc.jsonValue(), CALLS_A_FUNCTION / 3),
          ...fc.sample(near(request as unknown as Schema), CALLS_A_FUNCTION),
        ];
        for (let start = 0; start < payloads.length; start += AT_ONCE) {
          const batch = payloads.slice(start, start + AT_ONCE);
          const found = await Promise.all(batch.map((payload) => complaint(peer, id, payload)));
          complaints.push(...found.filter((text) => text !== undefined));
        }
      }
      assert.equal(complaints, []);
      const status = await peer.call<{ actors: Record<string, { restarts: number }> }>("iii-directory::status", {});
      assert.equal(
        Object.values(status.actors).filter(({ restarts }) => restarts > 0),
        [],
      );
    });
  } finally {
    await peer.close();
    await engine.close();
  }
});

test.run();
