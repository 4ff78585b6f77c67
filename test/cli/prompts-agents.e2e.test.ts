/**
 * Prompts and profiles through the engine: what subscribers hear of a family (spec 03 §9, §12.36, §12.37), errors as callers see them (§1.3),
 * and the commands `prompts` and `agents`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DOORBELL_TYPES } from "../../protocol/doorbells.js";
import { CLI } from "../harness/embedded-engine-process.js";
import { startAnyEngine } from "../harness/engine.js";
import { eventually, Peer } from "../harness/peer.js";
import { temporaryFolder } from "../harness/temporary.js";
import { withWorker } from "../harness/worker-process.js";

interface World {
  readonly peer: Peer;
  /** `family payload`, in the order in which they came. */
  readonly rings: string[];
  readonly write: (path: string, text: string) => void;
  readonly remove: (path: string) => void;
  readonly cli: (args: readonly string[], input?: string) => Promise<{ code: number | null; out: string; errors: string }>;
}

async function inWorld(body: (world: World) => Promise<void>): Promise<void> {
  const engine = await startAnyEngine();
  const folder = temporaryFolder();
  const at = (path: string): string => join(folder, path);
  try {
    await withWorker({ folder, flags: ["--url", engine.url] }, async (worker) => {
      await worker.ready();
      await worker.says(/watching content/);
      const peer = await Peer.hello(engine.url, "listener");
      const rings: string[] = [];
      for (const [family, type] of Object.entries(DOORBELL_TYPES)) {
        await peer.serve(`listener::${family}`, (data) => {
          // The engine adds who called.
          const { _caller_worker_id, ...payload } = data as Record<string, unknown>;
          rings.push(`${family} ${JSON.stringify(payload)}`);
        });
        await peer.bind(`bell-${family}`, type, `listener::${family}`);
      }
      await peer.serve("listener::broken", () => {
        throw new Error("not today");
      });
      await peer.bind("bell-broken", DOORBELL_TYPES.agents, "listener::broken");
      await body({
        peer,
        rings,
        write: (path, text) => {
          mkdirSync(dirname(at(path)), { recursive: true });
          writeFileSync(at(path), text);
        },
        remove: (path) => rmSync(at(path)),
        cli: (args, input = "") => command([...args, "--url", engine.url], input),
      });
      await peer.close();
    });
  } finally {
    await engine.close();
  }
}

async function command(args: readonly string[], input: string): Promise<{ code: number | null; out: string; errors: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: "pipe" });
  let [out, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, errors };
}

const PROMPT = "---\ndescription: d\n---\nBody.\n";
const PROFILE = "---\nname: A\n---\nBody.\n";

test("spec 03 §9, §12.36, §12.37: each family rings for its own operations once, and for everybody else's edits", async () => {
  await inWorld(async ({ peer, rings, write, remove }) => {
    const heard = async (...expected: string[]): Promise<void> => {
      await eventually(`${expected.join(" and ")} after ${rings.join("; ")}`, () => rings.length >= expected.length);
      assert.equal(rings.splice(0).sort(), [...expected].sort());
    };
    await peer.call("directory::system-prompts::create", { name: "pirate", content: PROMPT });
    await heard('system-prompts {"op":"create","name":"pirate"}');
    const renamed = PROMPT.replace("description", "name: corsair\ndescription");
    await peer.call("directory::system-prompts::update", { name: "pirate", content: renamed });
    await heard('system-prompts {"op":"update","name":"corsair"}');
    await peer.call("directory::agents::create", { id: "lead", content: PROFILE });
    await heard('agents {"op":"create","name":"lead"}');
    await peer.call("directory::agents::functions::add", { id: "lead", functions: ["a::b"] });
    await heard('agents {"op":"update","name":"lead"}');
    await peer.call("directory::agents::functions::add", { id: "lead", functions: ["a::b"] });
    await peer.fails("directory::agents::functions::add", { id: "lead", functions: [] });
    await peer.fails("directory::system-prompts::create", { name: "corsair", content: PROMPT });

    // Were our own writes taken for somebody's, they would ring no later than this.
    write("skills/ns/prompts/mail.md", PROMPT);
    await heard('prompts {"op":"external"}');
    write("skills/system-prompts/pirate.md", renamed.replace("Body", "Edited by hand"));
    await heard('system-prompts {"op":"external"}');
    write("agents/nested/none.md", PROFILE);
    write("agents/notes.txt", "no profile");
    write("agents/lead.md", PROFILE);
    await heard('agents {"op":"external"}');
    remove("skills/ns/prompts/mail.md");
    await heard('prompts {"op":"external"}');
    write("skills/system-prompts/x.md", PROMPT);
    write("skills/ns/prompts/y.md", PROMPT);
    await heard('prompts {"op":"external"}', 'system-prompts {"op":"external"}');

    await peer.call("directory::system-prompts::delete", { name: "corsair" });
    await heard('system-prompts {"op":"delete","name":"corsair"}');
    await peer.call("directory::agents::delete", { id: "lead" });
    await heard('agents {"op":"delete","name":"lead"}');
    write("skills/ns/page.md", "# Page\n");
    await heard('skills {"op":"external"}');
  });
});

test("spec 03 §1.3: codes stand at the head of the message", async () => {
  await inWorld(async ({ peer }) => {
    for (const [id, payload, beginning] of [
      ["system-prompts::get", { name: "nope" }, 'D210 not_found: system prompt "nope"'],
      ["system-prompts::create", { name: "a", content: "---\ndescription: d\n---\n" }, "D113 invalid_input: "],
      ["system-prompts::create", { name: "a", content: "x" }, "D213 invalid_input: "],
      ["prompts::get", { name: "nope" }, 'D210 not_found: prompt "nope"'],
      ["agents::get", { id: "nope" }, 'D410 not_found: agent profile "nope"'],
      ["agents::delete", { id: "iii" }, "D414 invalid_input: "],
      ["agents::functions::add", { id: "iii", functions: [" "] }, "D416 invalid_input: "],
      ["agents::get", { id: "Bad Id" }, "invalid_request: "],
      ["agents::create", { id: "a", content: "x" }, "invalid_request: missing YAML frontmatter"],
      ["agents::create", { id: "a" }, "invalid_request: "],
      ["agents::get", { id: 3 }, "invalid_request: "],
    ] as const) {
      const { message } = await peer.fails(`directory::${id}`, payload);
      assert.ok(message.startsWith(beginning) && !message.includes("\n"), `${id}: ${message}`);
    }
    const { functions } = await peer.call<{ functions: string[] }>("directory::agents::get", { id: "iii" });
    assert.equal(functions, []);
  });
});

test("commands `prompts` and `agents`: read, write, refuse", async () => {
  await inWorld(async ({ cli, write }) => {
    const list = await cli(["prompts", "list"]);
    assert.is(list.code, 0, list.errors);
    assert.match(list.out, /^iii-minimal +bundled/m);
    assert.is((await cli(["prompts", "create", "pirate", "-"], PROMPT)).out, `pirate: ${PROMPT.length} bytes\n`);
    assert.is((await cli(["prompts", "get", "pirate"])).out, "Body.\n");
    assert.is((await cli(["prompts", "get", "pirate", "--raw"])).out, PROMPT);
    assert.is(JSON.parse((await cli(["prompts", "get", "pirate", "--json"])).out).description, "d");
    const twice = await cli(["prompts", "create", "pirate", "-"], PROMPT);
    assert.is(twice.code, 1);
    assert.match(twice.errors, /D214/);
    assert.is((await cli(["prompts", "delete", "pirate"])).out, "pirate is deleted\n");
    assert.match((await cli(["prompts", "list", "--commands"])).out, /no command prompts/);
    write("skills/ns/prompts/mail.md", PROMPT);
    assert.is((await cli(["prompts", "get", "mail", "--commands"])).out, "Body.\n");

    assert.is((await cli(["agents", "create", "lead", "-"], PROFILE.replace("name", "extends: iii\nname"))).code, 0);
    assert.match((await cli(["agents", "list"])).out, /^lead +file +iii +0 +0/m);
    assert.match((await cli(["agents", "get", "lead"])).out, /^You are an iii agent worker\.[\s\S]*\n\nBody\.\n$/);
    const added = await cli(["agents", "functions", "add", "lead", "directory::agents::list", "no::such"]);
    assert.match(added.out, /^\+ directory::agents::list\n\+ no::such\nlead has 2 functions of its own\n$/);
    assert.match((await cli(["agents", "get", "lead"])).errors, /unknown functions: no::such/);
    assert.match((await cli(["agents", "functions", "remove", "lead", "x::y"])).out, /nothing had to change/);
    assert.is((await cli(["agents", "update", "lead", "/nowhere.md"])).code, 1);
    assert.is((await cli(["agents", "delete", "lead"])).out, "lead is deleted\n");
    const bundled = await cli(["agents", "delete", "iii"]);
    assert.match(bundled.errors, /^D414 /);
    assert.is((await cli(["agents", "functions", "add", "lead"])).code, 2);
  });
});

test.run();
