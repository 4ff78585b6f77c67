/** The pre-generate hook as the harness calls it: whatever the request holds, it answers; only a missing field is an error. */
import * as fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../border/log.js";
import type { Actors } from "../../protocol/actors.js";
import { FUNCTIONS } from "../../protocol/functions/index.js";
import { type RouteHandler, routeOf } from "../../supervisor/routes.js";
import { catalogOf } from "../harness/catalogue.js";
import { searchOver } from "../harness/searching.js";

const { actor } = searchOver(await catalogOf([]));
const ask = hook();

function hook(): RouteHandler {
  const definition = FUNCTIONS.find(({ id }) => id === "directory::pre-generate");
  if (definition === undefined) throw new Error("the hook is not published");
  const log = createLogger("test", "silent");
  return routeOf(definition, { actors: { search: actor } as unknown as Actors, own: {}, generation: () => 1, log });
}

const GENERATE = {
  system_prompt: "",
  messages: [{ role: "user", content: [{ type: "text", text: "tidy up my week" }] }],
  functions_generation: 3,
  tools: [{ name: "directory::search_functions", description: "", parameters: {} }],
};
const REQUEST = { session_id: "s", turn_id: "t", step: 1, depth: 0, generate: GENERATE };

const isAnswer = (answer: unknown): boolean => (answer as { decision?: unknown } | undefined)?.decision === "continue";

/** Shapes of the harness's own messages with anything in their places, and anything else. */
const anyMessage = fc.oneof(
  fc.anything(),
  fc.record(
    {
      role: fc.oneof(fc.constantFrom("user", "assistant", "function_result"), fc.anything()),
      function_id: fc.oneof(fc.constantFrom("state::set", "engine::functions::list", "::", ""), fc.anything()),
      content: fc.oneof(
        fc.array(fc.oneof(fc.anything(), fc.record({ type: fc.constant("text"), text: fc.anything() }))),
        fc.anything(),
      ),
    },
    { requiredKeys: [] },
  ),
);

test("whatever the messages and the exposure are, the hook answers", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyMessage), fc.anything(), fc.array(fc.string()), async (messages, expose, names) => {
      const tools = names.map((name) => ({ name, description: "", parameters: {} }));
      assert.ok(isAnswer(await ask({ ...REQUEST, generate: { ...GENERATE, messages, expose, tools } }, {})));
    }),
  );
});

for (const more of [
  { extra: 1 },
  { generate: { ...GENERATE, extra: { deep: [1] } } },
  { generate: { ...GENERATE, tools: [{ name: "x" }] } },
]) {
  test(`fields that nobody knows, and descriptions that are missing, are no fault: ${JSON.stringify(more).slice(0, 60)}`, async () => {
    assert.ok(isAnswer(await ask({ ...REQUEST, ...more }, {})));
  });
}

const without = (value: object, field: string): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));

const MISSING: readonly (readonly [field: string, request: object])[] = [
  ...["session_id", "turn_id", "step", "generate"].map((field) => [field, without(REQUEST, field)] as const),
  ...["messages", "tools", "functions_generation"].map(
    (field) => [field, { ...REQUEST, generate: without(GENERATE, field) }] as const,
  ),
];
for (const [field, request] of MISSING) {
  test(`without ${field} the request is refused in one line that names it`, async () => {
    const error = await ask(request, {}).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );
    assert.match(error ?? "answered", new RegExp(`^invalid_request: [^\\n]*${field}`));
  });
}

test("spec 07 §11 case 12: of two calls for one step both hint, of two adjacent steps one does", async () => {
  const step = async (session_id: string, at: number): Promise<boolean> =>
    "mutations" in ((await ask({ ...REQUEST, session_id, step: at, generate: wide() }, {})) as object);
  assert.equal(await Promise.all([step("one", 1), step("one", 1)]), [true, true]);
  assert.equal(await Promise.all([step("two", 1), step("two", 2)]), [true, false]);
});

/** So many workers that a hint is worth it. */
function wide(): typeof GENERATE {
  const names = ["directory::search_functions", "state::set", "github::repo::view", "mail::send"];
  return { ...GENERATE, tools: names.map((name) => ({ name, description: "", parameters: {} })) };
}

test.run();
