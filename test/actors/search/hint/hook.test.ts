/** Spec 07 §10 table "Hook" and §11 cases 1 to 16: one row, one test. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type HintMemory, hintPreview, preGenerate } from "../../../../actors/search/hint/hook.js";
import type { HintRecord } from "../../../../actors/search/hint/once-a-turn.js";
import { condenseHookRequest } from "../../../../domain/hook-request.js";
import type { PreGenerateHookRequest, PreGenerateHookResponse } from "../../../../protocol/functions/hook.js";

const SEARCH = "directory::search_functions";
const NOW = 1_700_000_000_123;

class Memory implements HintMemory {
  readonly #records = new Map<string, HintRecord>();
  hintOf(session: string): HintRecord | undefined {
    return this.#records.get(session);
  }
  rememberHint(session: string, record: HintRecord): void {
    this.#records.set(session, record);
  }
}

interface Change {
  readonly tools?: readonly string[];
  readonly messages?: readonly unknown[];
  readonly expose?: unknown;
  readonly step?: number;
  readonly turn?: string;
  readonly session?: string;
  readonly system?: string;
}

const TOOLS = [SEARCH, "github::repo::view", "state::set"];
const user = (text: string): unknown => ({ role: "user", content: [{ type: "text", text }] });
const result = (function_id: unknown, text = "{}", more: object = {}): unknown => ({
  role: "function_result",
  function_id,
  content: [{ type: "text", text }],
  ...more,
});
const assistant = (text: string): unknown => ({ role: "assistant", content: [{ type: "text", text }] });

function request({
  tools = TOOLS,
  messages = [user("tidy up my week")],
  expose,
  step = 7,
  turn = "t1",
  session = "s1",
  system = "be kind",
}: Change = {}): PreGenerateHookRequest {
  const generate = { system_prompt: system, messages, functions_generation: 3, tools: tools.map((name) => ({ name })) };
  return {
    session_id: session,
    turn_id: turn,
    step,
    depth: 0,
    generate: expose === undefined ? generate : { ...generate, expose },
  };
}

function ask(change: Change = {}, memory = new Memory(), minimumWorkers = 2): PreGenerateHookResponse {
  return preGenerate(condenseHookRequest(request(change)), { memory, minimumWorkers, now: () => NOW });
}

function outcome(response: PreGenerateHookResponse): string {
  const { outcome, reason } = response.annotations.directory.data;
  assert.is(response.decision, "continue");
  assert.is("mutations" in response, outcome === "hint_injected");
  return reason ?? outcome;
}

function blockOf(response: PreGenerateHookResponse): string {
  return response.mutations?.append_messages[0]?.content[0]?.text ?? "";
}

const INJECTED = "hint_injected";

const ROWS: readonly [row: string, change: Change, expected: string][] = [
  ["neutral objective", {}, INJECTED],
  [
    "tools also contain directory::skills::get, system prompt has a pre-verified call block",
    { tools: [...TOOLS, "directory::skills::get"], system: "<runtime pre-verified>" },
    INJECTED,
  ],
  ["expose native", { expose: "native" }, INJECTED],
  ["search not in tools", { tools: ["github::repo::view", "state::set"] }, "search_unavailable"],
  ["search result after the user message", { messages: [user("x"), result(SEARCH)] }, "already_searched"],
  ["user, search result, user", { messages: [user("x"), result(SEARCH), user("y")] }, INJECTED],
  ["tools = search + one worker", { tools: [SEARCH, "state::set", "state::get"] }, "narrow_surface"],
  ["+ github::repo::view result", { messages: [user("x"), result("github::repo::view")] }, "already_operating"],
  ["user naming a function, then neutral user", { messages: [user("call state::set"), user("never mind")] }, INJECTED],
  ["user, worker result, user", { messages: [user("x"), result("state::set"), user("y")] }, INJECTED],
  [
    "+ engine::functions::list result with plain text",
    { messages: [user("x"), result("engine::functions::list", "many functions")] },
    INJECTED,
  ],
  [
    'objective quoting "state::set" beside an engine:: id',
    { messages: [user('use "state::set" and engine::functions::list')] },
    "task_guided",
  ],
  ["objective naming database::query (not on surface)", { messages: [user("run database::query please")] }, INJECTED],
  ["only an engine:: id named", { messages: [user("call engine::functions::list")] }, INJECTED],
  ["case 1: messages empty", { messages: [] }, INJECTED],
  ["case 1: no user message, a search result anywhere", { messages: [assistant("a"), result(SEARCH)] }, "already_searched"],
  ["case 2: string content naming a function says nothing", { messages: [{ role: "user", content: "state::set" }] }, INJECTED],
  [
    "case 2: odd shapes",
    { messages: [null, 5, "x", { role: "user", content: null }, { role: "user", content: [{ type: "image" }, null, 3] }] },
    INJECTED,
  ],
  [
    "case 3: our own hint persisted as a user message doesn't reset the window",
    { messages: [user("x"), result(SEARCH), user("<discovery_assist functions_generation=3>\nold\n</discovery_assist>")] },
    "already_searched",
  ],
  ["case 4: a result without a function id", { messages: [user("x"), { role: "function_result" }, result(7)] }, INJECTED],
  [
    "case 4: a failed result counts",
    { messages: [user("x"), result("state::set", "{}", { is_error: true })] },
    "already_operating",
  ],
  ["case 5: exactly engine::", { messages: [user("x"), result("engine::")] }, INJECTED],
  ["case 5: engines::x is no engine function", { messages: [user("x"), result("engines::x")] }, "already_operating"],
  [
    "case 6: names without a namespace don't count",
    { tools: [SEARCH, "plain", "::x", "state::set", "state::set"] },
    "narrow_surface",
  ],
  ["case 8: trailing full stop", { messages: [user("then state::set.")] }, "task_guided"],
  [
    "case 8: parentheses, call, at sign, Unicode quotes",
    { messages: [user("(state::set) state::set() @state::set “state::set”")] },
    "task_guided",
  ],
  ["case 8: trailing colon", { messages: [user("state::set: yes")] }, INJECTED],
  ["case 8: trailing hyphen", { messages: [user("state::set- yes")] }, INJECTED],
  ["case 8: other case", { messages: [user("State::Set")] }, INJECTED],
  ["case 8: joined by a comma", { messages: [user("state::set,github::x")] }, INJECTED],
  ["case 8: possessive", { messages: [user("state::set's")] }, INJECTED],
  ["case 8: with a path in front", { messages: [user("x/state::set")] }, INJECTED],
  ["case 8: no-break space ends a word", { messages: [user("a\u00a0state::set\u00a0b")] }, "task_guided"],
  ["case 8: inside an assistant message", { messages: [user("x"), assistant("I could use `state::set`")] }, "task_guided"],
  [
    "case 8: pretty JSON of a list",
    { messages: [user("x"), result("engine::functions::list", '[\n "state::set",\n "b"\n]')] },
    "task_guided",
  ],
  ["case 8: compact JSON of a list", { messages: [user("x"), result("engine::functions::list", '["state::set","b"]')] }, INJECTED],
  ["case 14: expose null", { expose: null }, INJECTED],
  ["case 14: expose mcp", { expose: "mcp" }, INJECTED],
  ["case 14: expose a number", { expose: 4 }, INJECTED],
];
for (const [row, change, expected] of ROWS) test(`spec 07 §10 hook, ${row}`, () => assert.is(outcome(ask(change)), expected));

test("spec 07 §10 hook, neutral objective: one appended user message, counts, summary", () => {
  const response = ask();
  const [message, ...more] = response.mutations?.append_messages ?? [];
  assert.equal(
    [message?.role, message?.content.length, message?.content[0]?.type, message?.timestamp, more.length],
    ["user", 1, "text", NOW, 0],
  );
  const { summary, type, version, data } = response.annotations.directory;
  assert.equal([summary, type, version], ["directory · hint injected", "console.transcript", 1]);
  assert.equal(data, { outcome: "hint_injected", allowed_functions: 3, functions_generation: 3 });
});

const POINTS: readonly [point: number, words: RegExp][] = [
  [1, /not verified yet.*earlier search.*contract look-up.*call that succeeded/],
  [2, /directory::search_functions once at this decision point.*instead of.*engine::functions::list/],
  [3, /Never make up an id.*unverified/],
  [4, /do not look up its own contract/],
  [5, /current execution state.*every unmet external capability.*one to six, eighteen/],
  [6, /English.*proper names, URLs and function ids/],
  [7, /reasoning, summarising, planning, formatting.*represented or met.*ignored/],
  [8, /candidates, not contracts.*smallest set.*before first use.*one engine::functions::info call with function_ids: \[\.\.\.\]/],
  [9, /pre-verified.*payload as given/],
];
for (const [point, words] of POINTS) {
  for (const expose of ["agent_trigger", "native", "other"]) {
    test(`spec 07 §1.9 point ${point} is said, exposure ${expose}`, () => assert.match(blockOf(ask({ expose })), words));
  }
}

test("spec 07 §1.9 shape: three lines, bare number, no trailing newline, no query field", () => {
  for (const expose of ["agent_trigger", "native", "other"]) {
    const block = blockOf(ask({ expose }));
    assert.match(block, /^<discovery_assist functions_generation=3>\n[^\n]+\n<\/discovery_assist>$/);
    assert.not.match(block, '"query"');
  }
});

test("spec 07 §1.9 exposures: the envelope parses; native and other never say agent_trigger", () => {
  const envelope = JSON.parse(/\{"function".*\}\}/.exec(blockOf(ask()))?.[0] ?? "") as {
    function: string;
    payload: { capabilities: unknown };
  };
  assert.is(envelope.function, SEARCH);
  assert.ok(Array.isArray(envelope.payload.capabilities));
  assert.match(blockOf(ask()), "agent_trigger");
  for (const expose of ["native", "mcp", 4]) {
    assert.not.match(blockOf(ask({ expose })), "agent_trigger");
    assert.match(blockOf(ask({ expose })), "`capabilities`");
  }
});

test("spec 07 §10 hook, same step twice, then step + 1", () => {
  const memory = new Memory();
  const outcomes = [7, 7, 8, 3, 8].map((step) => outcome(ask({ step }, memory)));
  assert.equal(outcomes, [INJECTED, INJECTED, "hint_already_sent", INJECTED, "hint_already_sent"]);
});
test("spec 07 §10 hook, a new turn is hinted again, with a longer history", () => {
  const memory = new Memory();
  ask({}, memory);
  assert.is(outcome(ask({ turn: "t2", step: 9, messages: [user("hi"), assistant("hello"), user("go on")] }, memory)), INJECTED);
});
test("spec 07 §11 case 10: two sessions with one turn id, two turns interleaved", () => {
  const memory = new Memory();
  const turns = [
    ["a", "t1", 1],
    ["b", "t1", 2],
    ["a", "t2", 3],
    ["a", "t1", 4],
  ] as const;
  assert.equal(
    turns.map(([session, turn, step]) => outcome(ask({ session, turn, step }, memory))),
    [INJECTED, INJECTED, INJECTED, INJECTED],
  );
});
test("spec 07 §11 case 7: hint_min_workers 0, equal to the width, huge", () => {
  const outcomes = [0, 2, 3, 1e9].map((minimum) => outcome(ask({}, new Memory(), minimum)));
  assert.equal(outcomes, [INJECTED, INJECTED, "narrow_surface", "narrow_surface"]);
});
test("spec 07 §11 case 9: only search and engine:: tools, minimum 0", () => {
  assert.is(outcome(ask({ tools: [SEARCH, "engine::x"], messages: [user("engine::x")] }, new Memory(), 0)), INJECTED);
});
test("spec 07 §11 case 13: a closed gate doesn't use up the hint of the turn", () => {
  const memory = new Memory();
  assert.is(outcome(ask({ step: 1, messages: [user("state::set")] }, memory)), "task_guided");
  assert.is(outcome(ask({ step: 2 }, memory)), INJECTED);
});
test("spec 07 §11 case 15: nothing of the conversation leaves through the annotation, and nothing comes back in the hint", () => {
  const canary = "canary-83";
  const response = ask({
    messages: [user(canary)],
    session: canary,
    turn: canary,
    system: canary,
    tools: [...TOOLS, `${canary}::x`],
  });
  assert.is(outcome(response), INJECTED);
  assert.not.match(JSON.stringify(response), canary);
});
test("spec 07 §11 case 16: the preview is the live text but for the number", () => {
  const { agent_trigger, native } = hintPreview();
  const zero = (text: string): string => text.replace("functions_generation=3", "functions_generation=0");
  assert.is(agent_trigger, zero(blockOf(ask())));
  assert.is(native, zero(blockOf(ask({ expose: "native" }))));
});

test.run();
