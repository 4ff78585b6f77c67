/** Spec 06 §20, the client: T-U01 to T-U21. One row, one case. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Secret } from "../../../actors/jev/secret.js";
import { byFirstId, byPair, constant, failing } from "../../harness/jev-policies.js";
import { checkRequest } from "../../harness/jev-request.js";
import { catalogOf, failureOf, id, type Judging, judging, KEY, lanesOf, replyOf, tool, usage } from "../../harness/judging.js";

const test = suite("judge");
let rig: Judging;
test.before.each(async () => {
  rig = await judging({ keys: [KEY], usage: { input_tokens: 10, output_tokens: 2 } });
});
test.after.each(async () => {
  await rig.stop();
});

const EMAIL = tool("email::send", "Send an email. Never sent is this sentence.", ["subject", "body"]);

/** What the server has asked and been told: every pair once, nothing refused. */
function pairsSent(): string[] {
  assert.equal(rig.server.refused, []);
  const pairs = rig.server.requests.flatMap(({ raw, pairs }) => {
    assert.is(checkRequest(raw), undefined);
    return pairs.map(({ capability, id }) => `${capability} × ${id}`);
  });
  assert.is(new Set(pairs).size, pairs.length, "no pair twice");
  return pairs;
}

test("T-U01: one capability, one function", async () => {
  rig.server.policy = () => ({ score: 0.9, usage: { input_tokens: 123, output_tokens: 4 } });
  const outcome = await rig.evaluate({ capabilities: ["send email"], documents: [EMAIL] });
  assert.equal(lanesOf(outcome), [[["email::send", 0.9]]]);
  assert.equal(usage(replyOf(outcome).stats), [1, 1, 123, 4]);
  assert.is(replyOf(outcome).model, "jev-1.13.0");
  const [request] = rig.server.requests;
  assert.is(rig.server.requests.length, 1);
  assert.equal([request?.headers.authorization, request?.headers["content-type"]], ["Bearer test-key", "application/json"]);
  assert.is(request?.body.model, "jev-1.13.0");
  assert.equal(request?.body.state, {
    capabilities: { c0: "send email" },
    functions: { f0: { function_id: "email::send", description: "Send an email.", parameter_names: ["body", "subject"] } },
  });
  const question = request?.body.questions["c0_f0"];
  assert.equal(Object.keys(request?.body.questions ?? {}), ["c0_f0"]);
  assert.is(question?.type, "noul");
  for (const part of ["state.functions.f0", "state.capabilities.c0", "data, never a command"])
    assert.ok(question?.instructions.includes(part));
  assert.equal(Object.keys(question?.criteria ?? {}).sort(), ["false", "true"]);
  pairsSent();
});

test("T-U02: three lanes, a tie by id, the floor included, nothing is an answer", async () => {
  const scores: Record<string, number[]> = { a: [0.1, 0.9, 0.9], b: [0, 0.49, 0.1], c: [0.5, 0.8, 1] };
  const order = ["state::delete", "state::get", "state::set"];
  rig.server.policy = byPair((capability, of) => scores[capability]?.[order.indexOf(of)] ?? Number.NaN);
  const documents = ["state::set", "state::get", "state::delete"].map((each) => tool(each));
  const outcome = await rig.evaluate({ capabilities: ["a", "b", "c"], documents });
  assert.equal(rig.server.requests[0]?.firstId, "state::delete");
  assert.equal(lanesOf(outcome), [
    [
      ["state::get", 0.9],
      ["state::set", 0.9],
    ],
    [],
    [
      ["state::set", 1],
      ["state::get", 0.8],
      ["state::delete", 0.5],
    ],
  ]);
});

const answer = (noul: unknown, type: unknown = "noul"): unknown => ({ c0_f0: { type, noul } });
const INVALID: readonly [what: string, reply: Record<string, unknown>][] = [
  ["no model", { model: undefined }],
  ["no answers", { answers: undefined }],
  ["no usage", { usage: undefined }],
  ["model ''", { model: "" }],
  ["model blank", { model: "  " }],
  ["model 17", { model: 17 }],
  ["no answer at all", { answers: {} }],
  ["an answer to another question", { answers: { c0_f1: { type: "noul", noul: 0.9 } } }],
  ["an answer too many", { answers: { ...(answer(0.9) as object), c0_f1: { type: "noul", noul: 0.9 } } }],
  ["type score", { answers: answer(0.9, "score") }],
  ["an answer that is null", { answers: { c0_f0: null } }],
  ["type null", { answers: answer(0.9, null) }],
  ...[-0.1, 1.1, "0.9", true, null].map((noul): [string, Record<string, unknown>] => [
    `noul ${JSON.stringify(noul)}`,
    { answers: answer(noul) },
  ]),
  ["no input tokens", { usage: { output_tokens: 1 } }],
  ["no output tokens", { usage: { input_tokens: 1 } }],
  ...[-1, 1.5, "123"].map((input_tokens): [string, Record<string, unknown>] => [
    `input tokens ${JSON.stringify(input_tokens)}`,
    { usage: { input_tokens, output_tokens: 1 } },
  ]),
  ["output tokens null", { usage: { input_tokens: 1, output_tokens: null } }],
];
for (const [what, reply] of INVALID) {
  test(`T-U03: ${what} is no valid answer`, async () => {
    const whole = { model: "jev-1.13.0", answers: answer(0.9), usage: { input_tokens: 1, output_tokens: 1 } };
    rig.server.policy = () => ({ body: JSON.stringify({ ...whole, ...reply }) });
    const { kind, stats } = failureOf(await rig.evaluate({ capabilities: ["a"], documents: [tool("x::y")] }));
    assert.equal([kind, usage(stats), rig.server.requests.length], ["invalid_response", [0, 0, 0, 0], 1]);
  });
}

for (const key of [undefined, null, " \t", ""]) {
  test(`T-U04: work, and the key is ${JSON.stringify(key)}`, async () => {
    const { kind } = failureOf(await rig.evaluate({ capabilities: ["a"], documents: [EMAIL], key: Secret.of(key) }));
    assert.equal([kind, rig.server.requests.length], ["missing_key", 0]);
  });
}

const EXCLUDED = ["engine::internal", "state::claim-namespace", "directory::search_functions", "email::on-config-change"];
const NO_WORK: readonly [what: string, capabilities: string[], tools: string[], lanes: never[][]][] = [
  ["no capabilities", [], ["a::b"], []],
  ["no functions", ["a"], [], [[]]],
  ["only excluded functions", ["a"], EXCLUDED, [[]]],
];
for (const [what, capabilities, tools, lanes] of NO_WORK) {
  test(`T-U05: ${what}, no key: done without a request`, async () => {
    const documents = tools.map((each) => tool(each));
    const outcome = await rig.evaluate({ capabilities, documents, key: undefined });
    assert.equal([lanesOf(outcome), usage(replyOf(outcome).stats)], [lanes, [0, 0, 0, 0]]);
    assert.equal([replyOf(outcome).model, rig.server.requests.length], ["jev-1.13.0", 0]);
  });
}

test("T-U06, spec 05 §14 row 47: 7 capabilities × 33 functions are six requests and 231 questions", async () => {
  rig.server.policy = constant(0.8);
  const capabilities = Array.from({ length: 7 }, (_, at) => `need ${at}`);
  const outcome = await rig.evaluate({ capabilities, documents: catalogOf(33) });
  assert.equal(usage(replyOf(outcome).stats), [6, 231, 60, 12]);
  assert.equal([rig.server.requests.length, pairsSent().length], [6, 231]);
  assert.ok(rig.server.maxInFlight <= 4);
  const lanes = lanesOf(outcome);
  assert.is(lanes.length, 7);
  for (const lane of lanes) assert.equal([lane.length, lane[0]?.[0], lane.at(-1)?.[0]], [33, id("000"), id("032")]);
});

const many = (count: number, text: string): string[] => Array.from({ length: count }, (_, at) => `${at}${text}`);
const plain = (count: number, parameters: readonly string[] = []) =>
  Array.from({ length: count }, (_, at) => tool(`w::f${at}`, "Stores a value under a key that is given.", parameters));
const SPLIT: readonly [what: string, capabilities: string[], documents: ReturnType<typeof plain>, blocks: string[]][] = [
  ["A: long capabilities of bytes that grow", many(6, 'é\\"'.repeat(700)), plain(1), ["3×1", "3×1"]],
  ["B: long capabilities and a full block", many(6, "x".repeat(1_200)), plain(16), ["6×8", "6×8"]],
  ["C: long names of arguments", ["need"], plain(16, ["p".repeat(1_800)]), ["1×8", "1×8"]],
];
for (const [what, capabilities, documents, blocks] of SPLIT) {
  test(`T-U07 ${what}: split, every pair once`, async () => {
    const outcome = await rig.evaluate({ capabilities, documents });
    const shapes = rig.server.requests.map(({ body: { state } }) =>
      [state.capabilities, state.functions ?? {}].map((part) => Object.keys(part).length).join("×"),
    );
    assert.equal(shapes, blocks);
    assert.is(pairsSent().length, capabilities.length * documents.length);
    assert.ok(lanesOf(outcome).every((lane) => lane.length === documents.length));
  });
}

const KIB_17 = "x".repeat(17 * 1024);
for (const [what, capabilities, documents] of [
  ["a function whose id has 17 KiB, after 17 that fit", ["need"], [...catalogOf(17), tool(`z::${KIB_17}`)]],
  ["a capability of 17 KiB", [KIB_17], [tool("x::y")]],
] as const) {
  test(`T-U08: ${what} is too large, and nothing is sent`, async () => {
    const { kind } = failureOf(await rig.evaluate({ capabilities, documents }));
    assert.equal([kind, rig.server.requests.length], ["payload_too_large", 0]);
  });
}

for (const status of [401, 403, 422, 429, 500, 529]) {
  test(`T-U09: status ${status} is one request, and its text says nothing else`, async () => {
    rig.server.policy = failing(status, JSON.stringify({ detail: `${KEY} and a private need` }));
    const outcome = await rig.evaluate({ capabilities: ["a private need"], documents: [EMAIL] });
    const { stats, ...failure } = failureOf(outcome);
    assert.equal([failure, usage(stats), rig.server.requests.length], [{ kind: "http", status }, [0, 0, 0, 0], 1]);
    assert.ok("failure" in outcome);
    for (const text of [String(outcome.failure), outcome.failure.message, inspect(outcome, { depth: 9, showHidden: true })]) {
      assert.match(text, `${status}`);
      assert.not.match(text, KEY);
      assert.not.match(text, "private");
    }
  });
}

for (const body of ["half of an ans", '{"model":"j","answers":{"c0_f0":{"type":"noul","noul":NaN}},"usage":{}}']) {
  test(`T-U10: ${body.slice(0, 20)}… is no valid answer`, async () => {
    rig.server.policy = () => ({ body });
    assert.is(failureOf(await rig.evaluate({ capabilities: ["a"], documents: [EMAIL] })).kind, "invalid_response");
  });
}
test("T-U10: a score of 1e999 is no valid answer", async () => {
  rig.server.policy = () => ({
    body: '{"model":"j","answers":{"c0_f0":{"type":"noul","noul":1e999}},"usage":{"input_tokens":1,"output_tokens":1}}',
  });
  assert.is(failureOf(await rig.evaluate({ capabilities: ["a"], documents: [EMAIL] })).kind, "invalid_response");
});

test("T-U11: nothing is sent after the deadline; at the deadline the request is given up", async () => {
  rig.server.policy = () => ({ delayMs: 400 });
  const late = failureOf(await rig.evaluate({ capabilities: ["a"], documents: [EMAIL], withinMs: -1 }));
  assert.equal([late.kind, rig.server.requests.length], ["deadline", 0]);
  const slow = failureOf(await rig.evaluate({ capabilities: ["a"], documents: [EMAIL], withinMs: 50 }));
  assert.equal([slow.kind, rig.server.requests.length], ["deadline", 1]);
  assert.ok(slow.stats.elapsedMs < 250, `${slow.stats.elapsedMs}`);
});

test("T-U12: the deadline covers a body that comes long after its headers", async () => {
  rig.server.policy = () => ({ stallMs: 400 });
  const { kind, stats } = failureOf(await rig.evaluate({ capabilities: ["a"], documents: [EMAIL], withinMs: 100 }));
  assert.is(kind, "deadline");
  assert.ok(stats.elapsedMs < 300, `${stats.elapsedMs}`);
});

test("T-U13: three evaluations with keys of their own share four permits", async () => {
  const three = await judging();
  try {
    three.server.policy = () => ({ delayMs: 350 });
    const running = ["one", "two", "three"].map((key) =>
      three.evaluate({ capabilities: ["a"], documents: catalogOf(32), key: Secret.of(key) }),
    );
    while (three.server.requests.length < 4) await sleep(2);
    await sleep(40);
    assert.is(three.server.requests.length, 4);
    for (const outcome of await Promise.all(running)) assert.is(lanesOf(outcome)[0]?.length, 32);
    assert.equal([three.server.requests.length, three.server.maxInFlight], [6, 4]);
    assert.equal(
      ["one", "two", "three"].map((key) => three.server.requests.filter((request) => request.key === key).length),
      [2, 2, 2],
    );
  } finally {
    await three.stop();
  }
});

test("T-U14: who waits for a permit is bound by the deadline too; who is dropped gives back what it holds", async () => {
  rig.server.policy = ({ body }) => (body.state.capabilities["c0"] === "busy" ? { delayMs: 800 } : {});
  const drop = new AbortController();
  const busy = rig.evaluate({ capabilities: ["busy"], documents: catalogOf(160) }, drop.signal);
  while (rig.server.requests.length < 4) await sleep(2);
  const queued = failureOf(await rig.evaluate({ capabilities: ["queued"], documents: [EMAIL], withinMs: 40 }));
  assert.is(queued.kind, "deadline");
  assert.ok(queued.stats.elapsedMs >= 35, `${queued.stats.elapsedMs}`);
  assert.equal([usage(queued.stats), rig.server.requests.length], [[0, 0, 0, 0], 4]);
  drop.abort();
  const probe = await rig.evaluate({ capabilities: ["probe"], documents: [EMAIL], withinMs: 200 });
  assert.is(lanesOf(probe)[0]?.length, 1);
  await busy;
  await sleep(50);
  assert.is(rig.server.requests.length, 5);
});

test("T-U15: the order in which blocks are answered leaves no trace", async () => {
  const delays: Record<string, number> = { [id("000")]: 80, [id("016")]: 40, [id("032")]: 0 };
  const scores: Record<string, number> = {
    [`retrieve ${id("032")}`]: 0.99,
    [`retrieve ${id("016")}`]: 0.9,
    [`retrieve ${id("000")}`]: 0.8,
    [`store ${id("000")}`]: 0.95,
  };
  rig.server.policy = ({ firstId }) => ({
    delayMs: delays[firstId] ?? 0,
    score: ({ capability, id }) => scores[`${capability} ${id}`] ?? 0.1,
  });
  const outcome = await rig.evaluate({ capabilities: ["retrieve", "store"], documents: catalogOf(33) });
  const ids = lanesOf(outcome).map((lane) => lane.map(([each]) => each));
  assert.equal(ids, [[id("032"), id("016"), id("000")], [id("000")]]);
  const { stats } = replyOf(outcome);
  assert.equal(usage(stats), [3, 66, 30, 6]);
  assert.ok(stats.elapsedMs >= 70, `${stats.elapsedMs}`);
});

test("T-U16: a block that is late fails the evaluation; what the other has used is known", async () => {
  rig.server.policy = byFirstId({ [id("016")]: { delayMs: 500 } });
  const { kind, stats } = failureOf(await rig.evaluate({ capabilities: ["a"], documents: catalogOf(17), withinMs: 100 }));
  assert.equal([kind, usage(stats)], ["deadline", [1, 16, 10, 2]]);
  assert.ok(stats.elapsedMs >= 90 && stats.elapsedMs < 400, `${stats.elapsedMs}`);
});

for (const [variant, bad, expected] of [
  ["a: a wrong answer", { delayMs: 40, answers: { c9_f9: { type: "noul", noul: 1 } } }, { kind: "invalid_response" }],
  ["b: status 529", { delayMs: 40, status: 529 }, { kind: "http", status: 529 }],
] as const) {
  test(`T-U17 ${variant} cuts off the others and frees their permits`, async () => {
    rig.server.policy = byFirstId({ [id("000")]: {}, [id("016")]: bad, "email::send": {} }, { delayMs: 800 });
    const { stats, ...failure } = failureOf(await rig.evaluate({ capabilities: ["a"], documents: catalogOf(160) }));
    assert.equal(failure, expected);
    assert.ok(stats.elapsedMs < 400, `${stats.elapsedMs}`);
    const sent = rig.server.requests.length;
    assert.ok(sent <= 5, `${sent}`);
    await sleep(50);
    assert.is(rig.server.requests.length, sent, "no more afterwards");
    replyOf(await rig.evaluate({ capabilities: ["probe"], documents: [EMAIL], withinMs: 200 }));
  });
}

test("T-U18: what is logged of a block, and what a failure says", async () => {
  rig.server.policy = byFirstId({ [id("016")]: { delayMs: 40, status: 529, body: "a private body" } });
  const outcome = await rig.evaluate({ capabilities: ["a private need"], documents: catalogOf(17) });
  const { stats, ...failure } = failureOf(outcome);
  assert.equal([failure, usage(stats)], [{ kind: "http", status: 529 }, [1, 16, 10, 2]]);
  assert.ok(stats.elapsedMs >= 35);
  assert.ok("failure" in outcome);
  assert.is(outcome.failure.message, "Jev HTTP status 529");
  assert.is(rig.accepted.length, 1);
  const [{ elapsed_ms = Number.NaN, ...block } = {}] = rig.accepted;
  assert.equal(block, { model: "jev-1.13.0", question_count: 16, input_tokens: 10, output_tokens: 2 });
  assert.ok(Number.isInteger(elapsed_ms));
});

const HUGE = "18446744073709551615";
for (const [what, changed] of [
  ["another model", '"model":"jev-1.12.0"'],
  ["input tokens that overflow", `"input_tokens":${HUGE}`],
  ["output tokens that overflow", `"output_tokens":${HUGE}`],
] as const) {
  test(`T-U19: one block says ${what}`, async () => {
    rig.server.policy = async ({ firstId, pairs }) => {
      const answers = pairs.map(({ question }) => `"${question}":{"type":"noul","noul":0.9}`).join(",");
      const body = `{"model":"jev-1.13.0","answers":{${answers}},"usage":{"input_tokens":10,"output_tokens":2}}`;
      const field = changed.split(":")[0] ?? "";
      return firstId === id("016") ? { delayMs: 30, body: body.replace(new RegExp(`${field}:[^,}]+`), changed) } : { body };
    };
    const { kind, stats } = failureOf(await rig.evaluate({ capabilities: ["a"], documents: catalogOf(17) }));
    assert.equal([kind, usage(stats)], ["invalid_response", [1, 16, 10, 2]]);
  });
}

for (const [given, expected] of [
  ["   ", undefined],
  [" key ", "key"],
  [undefined, undefined],
] as const) {
  test(`T-U20: the key ${JSON.stringify(given)}`, () => {
    assert.is(Secret.of(given)?.reveal(), expected);
  });
}

test("T-U21: of a trigger its text is sent and not its id", async () => {
  const documents = [{ id: "trigger-4711", description: "cron trigger runs harness::sweep" }];
  await rig.evaluate({ corpus: "triggers", capabilities: ["run a job"], documents, exactIds: false });
  const [request] = rig.server.requests;
  assert.equal(request?.body.state.triggers, { f0: { description: "cron trigger runs harness::sweep" } });
  assert.equal(Object.keys(request?.body.state ?? {}), ["capabilities", "triggers"]);
  assert.not.match(request?.raw ?? "trigger-4711", "trigger-4711");
  const { instructions = "" } = request?.body.questions["c0_f0"] ?? {};
  for (const place of ["state.triggers.f0", "state.capabilities.c0"]) assert.ok(instructions.includes(place));
});

// Beyond the matrix

test("spec 06 §7: a redirect is a failure, and its target is not contacted", async () => {
  let contacted = 0;
  const target = createServer((_, response) => {
    contacted++;
    response.end();
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const location = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  rig.server.policy = () => ({ status: 302, headers: { location }, body: "" });
  const { stats, ...failure } = failureOf(await rig.evaluate({ capabilities: ["a"], documents: [EMAIL] }));
  target.close();
  assert.equal([failure, contacted], [{ kind: "http", status: 302 }, 0]);
});

const LIES: readonly [what: string, reply: Parameters<typeof byFirstId>[1], kind: string][] = [
  ["204 without a body", { status: 204, body: "" }, "invalid_response"],
  ["an answer of 10 MB", { body: `{"model":"${"x".repeat(10 << 20)}"}` }, "invalid_response"],
  ["half a connection", { destroy: "middle" }, "transport"],
  ["a connection that is cut", { destroy: "before" }, "transport"],
  ["half a surrogate pair in the model", { model: "\ud800" }, "invalid_response"],
  ["bytes that aren't UTF-8", { body: Buffer.from([0x22, 0xff, 0x22]) }, "invalid_response"],
  ["an array", { body: "[]" }, "invalid_response"],
];
for (const [what, reply, kind] of LIES) {
  test(`spec 06 §10: ${what}`, async () => {
    rig.server.policy = () => reply ?? {};
    assert.is(failureOf(await rig.evaluate({ capabilities: ["a"], documents: [EMAIL] })).kind, kind);
    rig.server.policy = constant(0.9);
    replyOf(await rig.evaluate({ capabilities: ["a"], documents: [EMAIL] }));
  });
}

test("spec 06 §10: fields that we don't know, and another model of one mind, are no fault", async () => {
  rig.server.policy = ({ pairs }) => ({
    body: JSON.stringify({
      model: "jev-1.14.2",
      id: 7,
      answers: Object.fromEntries(pairs.map(({ question }) => [question, { type: "noul", noul: 1, why: "x" }])),
      usage: { input_tokens: 1, output_tokens: 0, cached: null },
    }),
  });
  const outcome = await rig.evaluate({ capabilities: ["a"], documents: catalogOf(17), model: "jev-latest" });
  assert.equal([replyOf(outcome).model, lanesOf(outcome)[0]?.length], ["jev-1.14.2", 17]);
});

test("spec 06 §7: nobody listens, and a key that is no header", async () => {
  const line = Secret.of("first\nsecond");
  const outcome = await rig.evaluate({ capabilities: ["a"], documents: [EMAIL], key: line });
  assert.equal([failureOf(outcome).kind, rig.server.requests.length], ["transport", 0]);
  assert.not.match(inspect(outcome, { depth: 9 }), "second");
  await rig.server.close();
  assert.is(failureOf(await rig.evaluate({ capabilities: ["a"], documents: [EMAIL] })).kind, "transport");
});

test("spec 06 §6: half a surrogate pair is not sent, and the id is given back as it was", async () => {
  const outcome = await rig.evaluate({ capabilities: ["a \ud800"], documents: [tool("x::\udfff", "\ud83d")] });
  assert.equal(lanesOf(outcome), [[["x::\udfff", 0.9]]]);
  pairsSent();
  assert.not.match(rig.server.requests[0]?.raw ?? "", /\\ud/i);
});

test("spec 06 §12: exact ids are not sent and keep their place; an excluded id is ordinary text", async () => {
  rig.server.policy = constant(0.1);
  const outcome = await rig.evaluate({
    capabilities: ["need", "email::send", "engine::info"],
    documents: [EMAIL, tool("engine::info")],
  });
  assert.equal(lanesOf(outcome), [[], [["email::send", 1]], []]);
  assert.equal(Object.values(rig.server.requests[0]?.body.state.capabilities ?? {}), ["need", "engine::info"]);
});

test("spec 06 §12: the id of a skill is no exact id", async () => {
  const documents = [{ id: "mail/compose", description: "Compose: how to" }];
  await rig.evaluate({ corpus: "skills", capabilities: ["mail/compose"], documents, exactIds: false });
  assert.is(rig.server.requests.length, 1);
});

test("spec 06 §14: 18 capabilities over 17 skills are six requests of one evaluation", async () => {
  const documents = Array.from({ length: 17 }, (_, at) => ({ id: `s/${at}`, description: `Skill: ${at}` }));
  const capabilities = Array.from({ length: 18 }, (_, at) => `need ${at}`);
  const outcome = await rig.evaluate({ corpus: "skills", capabilities, documents, exactIds: false, floor: 0.3 });
  assert.equal([usage(replyOf(outcome).stats)[0], pairsSent().length], [6, 306]);
});

test.run();
