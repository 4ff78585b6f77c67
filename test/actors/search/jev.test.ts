/** Spec 06 §20, the search: T-I01 to T-I26, and spec 05 §14 rows 42 to 47. The judge of the product before one of our own. */
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Logger } from "../../../border/log.js";
import type { LaneRanking } from "../../../protocol/actors/catalog.js";
import type { InstallableCandidate } from "../../../protocol/actors/registry.js";
import { type Registered, registered } from "../../harness/catalogue.js";
import { content } from "../../harness/content.js";
import { byCorpus, byFirstId, constant, failing } from "../../harness/jev-policies.js";
import { BOOT_KEY, type JudgedSearch, type JudgedSearchOptions, judgedSearch } from "../../harness/judged-search.js";
import { idsOf, namespacesOf } from "../../harness/searching.js";

const test = suite("search in Jev mode");
const open: JudgedSearch[] = [];

async function searching(options: JudgedSearchOptions = {}): Promise<JudgedSearch> {
  const made = await judgedSearch(options);
  open.push(made);
  return made;
}

test.after.each(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
});

const BOTH = ["mail::send", "state::get"];
const WITHOUT_WORDS = "dispatch correspondence";

test("T-I01: which key a search uses follows each reload", async () => {
  const { server, reload, ids } = await searching();
  const keys = ["configured-key", "rotated-key", undefined, null, "", " \t "];
  for (const key of keys) {
    reload(key === undefined ? {} : { function_search_jev_api_key: key });
    assert.equal(await ids(WITHOUT_WORDS), BOTH);
  }
  assert.equal(
    server.requests.map(({ key }) => key),
    ["configured-key", "rotated-key", BOOT_KEY, BOOT_KEY, BOOT_KEY, BOOT_KEY],
  );
});

test("T-I02: without a key at boot the configured one counts, and without that one terms rank", async () => {
  const { server, reload, ids, search } = await searching({ environmentKey: undefined });
  reload({ function_search_jev_api_key: "configured-key" });
  assert.equal(await ids(WITHOUT_WORDS), BOTH);
  reload({ function_search_jev_api_key: null });
  const answer = await search(["send an email message"]);
  assert.equal([idsOf(answer), answer.search_mode, server.requests.length], [["mail::send"], "lexical", 1]);
});

test("T-I03: a search keeps the key that it began with", async () => {
  const functions = Array.from({ length: 80 }, (_, at) => registered(`w${at}::run`, `Runs thing ${at}.`));
  const { server, reload, ids } = await searching({ functions });
  server.policy = () => ({ delayMs: 40 });
  reload({ function_search_jev_api_key: "first" });
  const running = ids(WITHOUT_WORDS);
  while (server.requests.length === 0) await sleep(1);
  reload({ function_search_jev_api_key: "second" });
  await running;
  await ids(WITHOUT_WORDS);
  assert.equal(
    server.requests.map(({ key }) => key),
    [...Array(5).fill("first"), ...Array(5).fill("second")],
  );
});

test("T-I04, spec 05 §14 row 42: no model is needed, and what is excluded isn't sent", async () => {
  const { server, search } = await searching();
  const answer = await search([WITHOUT_WORDS]);
  assert.equal([idsOf(answer), answer.search_mode, server.requests.length], [BOTH, "jev", 1]);
  const raw = server.requests[0]?.raw ?? "";
  for (const id of ["engine::functions::list", "directory::search_functions"]) assert.not.match(raw, id);
});

test("T-I05, spec 05 §14 row 42: a judge that finds nothing is right: terms don't step in", async () => {
  const { server, search } = await searching();
  server.policy = constant(0.1);
  const answer = await search(["send an email message"]);
  assert.equal([answer.workers, answer.search_mode, server.requests.length], [[], "jev", 1]);
});

for (const [what, configuration] of [
  ["no local model", {}],
  ["a local model whose bundle is missing", { function_search_model_path: "/nowhere/at/all" }],
] as const) {
  test(`T-I06, spec 05 §14 row 42: 429 with ${what}`, async () => {
    const { server, evaluate, search } = await searching({ configuration });
    server.policy = failing(429);
    const { jev_complete, hybrid_complete, selected, effective_mode } = await evaluate("send an email message");
    assert.equal([jev_complete, hybrid_complete, selected, effective_mode], [false, false, ["mail::send"], "lexical"]);
    assert.is(server.requests.length, 1);
    const answer = await search(["send an email message"]);
    assert.equal([idsOf(answer), answer.search_mode, server.requests.length], [["mail::send"], "lexical", 2]);
  });
}

// The local model

const COMPOSE = "compose an email";
const DELIVER: readonly Registered[] = [
  registered("mail::deliver", "Delivers correspondence."),
  registered("state::get", "Reads a stored value."),
];
const DENSE: LaneRanking = {
  rows: [{ functionId: "mail::deliver", namespace: "mail", description: "Delivers correspondence.", score: 0.5 }],
  exact: false,
  rankedBy: "hybrid",
};

/** A model that is there; whether its index is of this catalog is the test's choice. */
function withModel(
  index: { fresh: boolean },
  more: JudgedSearchOptions = {},
): JudgedSearchOptions & { readonly embedded: string[] } {
  const embedded: string[] = [];
  return {
    functions: DELIVER,
    embedded,
    embedQueries: async ({ texts }) => {
      embedded.push(...texts);
      return { vectors: new Float32Array(texts.length * 2), dimensions: 2, model: "fake" };
    },
    dense: (lanes) => (index.fresh ? lanes.map(() => DENSE) : undefined),
    ...more,
    configuration: { function_search_model_path: "/models/here", function_search_jev_timeout_ms: 40, ...more.configuration },
  };
}

const FAILURES: readonly [what: string, policy: ReturnType<typeof failing>][] = [
  ...[401, 429, 500].map((status): [string, ReturnType<typeof failing>] => [`status ${status}`, failing(status)]),
  ["a wrong answer", () => ({ body: '{"answers":{}}' })],
  ["an answer after the deadline", () => ({ delayMs: 200 })],
];
for (const [what, policy] of FAILURES) {
  test(`T-I07, spec 05 §14 row 42: ${what}: what hybrid finds is answered`, async () => {
    const rig = await searching(withModel({ fresh: true }));
    rig.server.policy = policy;
    const { rankings, selected, jev_complete, hybrid_complete, effective_mode } = await rig.evaluate(COMPOSE);
    assert.equal([selected, jev_complete, hybrid_complete, effective_mode], [["mail::deliver"], false, true, "hybrid"]);
    assert.is(rig.server.requests.length, 1);
    rig.reload({ function_search_mode: "hybrid" });
    const hybrid = await rig.evaluate(COMPOSE);
    assert.equal([hybrid.rankings, hybrid.selected], [rankings, selected]);
    rig.reload({ function_search_mode: "lexical" });
    assert.equal((await rig.evaluate(COMPOSE)).selected, []);
  });
}

test("T-I07: no key: hybrid, without a request", async () => {
  const rig = await searching(withModel({ fresh: true }, { environmentKey: undefined }));
  const { selected, effective_mode } = await rig.evaluate(COMPOSE);
  assert.equal([selected, effective_mode, rig.server.requests.length], [["mail::deliver"], "hybrid", 0]);
});

test("T-I07: a valid answer without a match: the local model isn't asked", async () => {
  const setting = withModel({ fresh: true }, { configuration: { function_search_jev_timeout_ms: 3_000 } });
  const rig = await searching(setting);
  rig.server.policy = constant(0.1);
  const { selected, jev_complete, hybrid_complete, effective_mode } = await rig.evaluate(COMPOSE);
  assert.equal([selected, jev_complete, hybrid_complete, effective_mode], [[], true, false, "jev"]);
  assert.equal(setting.embedded, []);
});

test("T-I07: an index of another catalog: terms", async () => {
  const rig = await searching(withModel({ fresh: false }));
  rig.server.policy = failing(500);
  const { selected, hybrid_complete, effective_mode } = await rig.evaluate("delivers correspondence");
  assert.equal([selected, hybrid_complete, effective_mode], [["mail::deliver"], false, "lexical"]);
});

// Lanes that aren't sent

test("T-I08, spec 05 §14 row 43: an exact id, and a request that a model meets by itself: nothing is sent", async () => {
  const { server, ids } = await searching();
  assert.equal(await ids("mail::send"), ["mail::send"]);
  assert.equal(await ids("summarize provided text"), []);
  assert.is(server.requests.length, 0);
});

test("T-I09, spec 05 §14 row 43: an exact id survives a judge that finds nothing, and isn't sent", async () => {
  const { server, ids } = await searching();
  server.policy = constant(0.1);
  assert.equal(await ids("mail::send", WITHOUT_WORDS), ["mail::send"]);
  assert.equal(
    server.requests.map(({ body }) => body.state.capabilities),
    [{ c0: WITHOUT_WORDS }],
  );
});

test("T-I10, spec 05 §14 row 42: no key, no request", async () => {
  const { server, ids } = await searching({ environmentKey: undefined });
  assert.equal(await ids("send an email message"), ["mail::send"]);
  assert.is(server.requests.length, 0);
});

test("decision 7 of spec 06: only exact ids, no key: judged, because nothing had to be", async () => {
  const { search } = await searching({ environmentKey: undefined });
  const answer = await search(["mail::send"]);
  assert.equal([idsOf(answer), answer.search_mode], [["mail::send"], "jev"]);
});

test("T-I11, spec 05 §14 row 44: 18 capabilities under one deadline of 40 ms are one request", async () => {
  const { server, search } = await searching({ configuration: { function_search_jev_timeout_ms: 40 } });
  server.policy = () => ({ delayMs: 200 });
  const answer = await search(Array(18).fill("send an email message"));
  assert.equal([idsOf(answer), answer.search_mode, server.requests.length], [["mail::send"], "lexical", 1]);
});

test("beyond the matrix: the highest mode of any batch is reported", async () => {
  const { server, search } = await searching({ configuration: { function_search_jev_timeout_ms: 300 } });
  server.policy = ({ number }) => (number === 1 ? {} : { delayMs: 600 });
  const answer = await search([...Array(6).fill(WITHOUT_WORDS), "send an email message"]);
  assert.equal([idsOf(answer), answer.search_mode, server.requests.length], [BOTH, "jev", 2]);
});

test("beyond the matrix: an exact id in a batch that the deadline didn't reach is found, and not by the judge", async () => {
  const { server, search } = await searching({ configuration: { function_search_jev_timeout_ms: 150 } });
  server.policy = () => ({ delayMs: 600 });
  const answer = await search([...Array(6).fill(WITHOUT_WORDS), "mail::send"]);
  assert.equal([idsOf(answer), answer.search_mode, server.requests.length], [["mail::send"], "lexical", 1]);
});

test("T-I15, spec 05 §14 row 45: 24 workers, six lanes, everything fits: twelve functions of twelve workers", async () => {
  const functions = Array.from({ length: 24 }, (_, at) => registered(`w${at}::run`, `Runs thing ${at}.`));
  const { server, search } = await searching({ functions });
  server.policy = constant(0.8);
  const answer = await search(Array(6).fill(WITHOUT_WORDS));
  assert.equal([idsOf(answer).length, namespacesOf(answer).length], [12, 12]);
});

test("T-I16: a session isn't given twice what it has, until the catalog changes", async () => {
  const { search, built } = await searching();
  assert.equal(idsOf(await search(["mail::send"], "s")), ["mail::send"]);
  const second = await search([WITHOUT_WORDS], "s");
  assert.equal(idsOf(second), ["state::get"]);
  assert.match(second.guidance, "mail::send");
  built.engine.functions = [...built.engine.functions, registered("zone::hide", "Never fits.")];
  await built.catalog.refresh({}, { requestId: "r", deadline: Date.now() + 5_000 });
  assert.equal(idsOf(await search([WITHOUT_WORDS], "s")).slice(0, 2), BOTH);
});

// Installable

const courier: InstallableCandidate = {
  name: "courier",
  version: "1.2.3",
  description: "Carries.",
  functions: [
    ...Array.from({ length: 8 }, (_, at) => ({
      functionId: `courier::send${at}`,
      description: "Send an email message.",
      parameterNames: [],
    })),
    { functionId: "engine::courier", description: "Hidden.", parameterNames: [] },
    { functionId: "mail::send", description: "Installed already.", parameterNames: [] },
  ],
};
const offering = (candidate: InstallableCandidate): JudgedSearchOptions => ({
  configuration: { registry_search: true },
  installable: async ({ batches }) => ({ batches: batches.map(() => [candidate]) }),
});

test("T-I17: what could be installed is judged by itself, with the same key", async () => {
  const { server, search, reload } = await searching(offering(courier));
  reload({ function_search_jev_api_key: "configured-key" });
  const { installable = [], workers } = await search([WITHOUT_WORDS]);
  assert.equal(
    server.requests.map(({ key }) => key),
    ["configured-key", "configured-key"],
  );
  assert.is(installable.length, 1);
  const [{ name, version, install, functions } = { functions: [] }] = installable;
  assert.equal([name, version, install?.payload], ["courier", "1.2.3", { worker: "courier" }]);
  assert.is(functions.length, 6);
  assert.ok(functions.every(({ function_id }) => function_id.startsWith("courier::send")));
  assert.not.ok(workers.some(({ namespace }) => namespace === "courier"));
  const pool = server.requests.find(({ raw }) => raw.includes("courier::"))?.raw ?? "engine::courier";
  assert.not.match(pool, "engine::courier");
  assert.not.match(pool, "mail::send");
});

test("T-I18: a service that fails: installed and installable fall back, each for itself", async () => {
  const { server, search } = await searching(offering(courier));
  server.policy = failing(500);
  const answer = await search(["send an email message"]);
  assert.equal([idsOf(answer), answer.installable?.[0]?.functions.length], [["mail::send"], 6]);
  assert.is(server.requests.length, 2);
});

test("T-I19: an exact id of the pool survives its fallback", async () => {
  const functions = Array.from({ length: 8 }, (_, at) => `a::send${at}`).concat("a::b");
  const pool = {
    ...courier,
    name: "a",
    functions: functions.map((functionId) => ({ functionId, description: "Send an email message.", parameterNames: [] })),
  };
  const { server, search } = await searching({ ...offering(pool), functions: [] });
  server.policy = failing(500);
  const { installable = [] } = await search(["a::b", "send an email message"]);
  const ids = installable[0]?.functions.map(({ function_id }) => function_id) ?? [];
  assert.equal([ids.length, ids.includes("a::b"), server.requests.length], [6, true, 1]);
});

test("T-I20: with a local model a failed pool is what hybrid makes of it, and terms alone find nothing", async () => {
  const rig = await searching(withModel({ fresh: true }, offering(courier)));
  rig.server.policy = failing(500);
  const fallback = await rig.search([COMPOSE]);
  rig.reload({ function_search_mode: "hybrid" });
  const hybrid = await rig.search([COMPOSE]);
  assert.is(hybrid.installable?.[0]?.functions.length, 6);
  assert.equal(fallback.installable, hybrid.installable);
  rig.reload({ function_search_mode: "lexical" });
  assert.is((await rig.search([COMPOSE])).installable, undefined);
});

test("beyond the matrix: a registry that fails leaves the mode as it is", async () => {
  const { search } = await searching({
    configuration: { registry_search: true },
    installable: async () => {
      throw new Error("down");
    },
  });
  const answer = await search([WITHOUT_WORDS]);
  assert.equal([answer.search_mode, answer.installable], ["jev", undefined]);
});

// Side sections

const SKILL = { id: "mail/compose", title: "Compose", description: "Write a letter that is read. Then send it." };
const withSkill = (more: JudgedSearchOptions = {}): JudgedSearchOptions => ({
  searchRows: async () => ({ rows: [SKILL] }),
  ...more,
});

test("T-I21, spec 05 §14 row 46: a skill that fits: its row, its note, and what is sent of it", async () => {
  const { server, search } = await searching(withSkill());
  const answer = await search([WITHOUT_WORDS]);
  assert.equal(answer.skills, [{ id: "mail/compose", title: "Compose", description: "Write a letter that is read." }]);
  assert.match(answer.guidance, "directory::skills::get");
  assert.is(answer.search_mode, "jev");
  const states = server.requests.map(({ body }) => body.state);
  const skills = states.find(({ skills }) => skills !== undefined);
  assert.equal(skills?.skills, {
    f0: { skill_id: "mail/compose", description: "Compose: Write a letter that is read. Then send it." },
  });
  assert.is(skills?.functions, undefined);
  assert.is(states.find(({ functions }) => functions !== undefined)?.skills, undefined);
});

test("T-I21, spec 05 §14 row 46: a skill of a namespace without functions isn't sent", async () => {
  const page = (title: string): string => `---\ntype: how-to\ntitle: ${title}\ndescription: How it is done.\n---\n# ${title}\n`;
  const files = { "skills/mail/compose.md": page("Compose"), "skills/browser/scrape.md": page("Scrape") };
  const { fs, drain } = await content(files, {
    live: ["mail", "state"],
    installed: [],
    configuration: { filter_unregistered: true },
  });
  const { server, search } = await searching({ searchRows: fs.searchRows });
  const answer = await search([WITHOUT_WORDS]);
  await drain();
  assert.equal(
    answer.skills?.map(({ id }) => id),
    ["mail/compose"],
  );
  assert.not.ok(server.requests.some(({ raw }) => raw.includes("browser/scrape")));
});

test("T-I22, spec 05 §14 row 46: below its floor of 0.3 a skill is left out; at it, it is there", async () => {
  const { server, search } = await searching(withSkill());
  server.policy = byCorpus({ skills: { score: 0.1 } });
  const below = await search([WITHOUT_WORDS]);
  assert.equal([idsOf(below), below.skills], [BOTH, undefined]);
  assert.not.match(below.guidance, 'directory::skills::get {"id"');
  server.policy = byCorpus({ skills: { score: 0.3 } });
  assert.is((await search([WITHOUT_WORDS])).skills?.length, 1);
});

test("T-I23, spec 05 §14 row 46: skills that can't be judged are left out, and the functions stay", async () => {
  const { server, search, reload } = await searching(withSkill());
  server.policy = byCorpus({ skills: { status: 500 } });
  const answer = await search([WITHOUT_WORDS]);
  assert.equal([idsOf(answer), answer.skills, answer.search_mode], [BOTH, undefined, "jev"]);
  server.reset();
  reload({ function_search_mode: "lexical", filter_unregistered: false });
  const lexical = await search(["compose a letter"]);
  assert.equal([lexical.skills?.length, lexical.search_mode, server.requests.length], [1, "lexical", 0]);
  assert.match(lexical.guidance, "directory::skills::get");
});

test("T-I24, decision 17: of a binding type, function and names of settings are sent, no id and no value", async () => {
  const rows = [
    { id: "t-1", trigger_type: "cron", function_id: "harness::sweep-pending", config: { expression: "0 0 0 * * *" } },
    { id: "t-2", trigger_type: "console:style", function_id: "x::y" },
  ];
  const { server, search } = await searching({ functions: [], triggers: () => ({ registered_triggers: rows }) });
  const answer = await search(["run a job every night"]);
  assert.equal(
    answer.triggers?.map(({ id }) => id),
    ["t-1"],
  );
  const [request] = server.requests;
  assert.is(server.requests.length, 1);
  assert.equal(request?.body.state.triggers, {
    f0: { description: 'cron trigger runs harness::sweep-pending with config ["expression"]' },
  });
  assert.is(request?.body.state.functions, undefined);
  for (const kept of ["t-1", "0 0 0", "trigger_id"]) assert.not.match(request?.raw ?? kept, kept);
  assert.match(request?.body.questions["c0_f0"]?.instructions ?? "", "state.triggers.f0");
});

// The entry of the evaluation

test("T-I25: one ranking a capability, also where it is ignored", async () => {
  const { server, evaluate } = await searching();
  const { rankings, selected } = await evaluate("summarize provided text", "mail::send");
  assert.equal([rankings, selected, server.requests.length], [[[], [{ id: "mail::send", score: 1 }]], ["mail::send"], 0]);
});

test("T-I26: what was used until the failure is told", async () => {
  const functions = [...MAIL, ...Array.from({ length: 16 }, (_, at) => registered(`w::f${String(at).padStart(2, "0")}`, "Runs."))];
  const { server, evaluate } = await searching({ functions });
  server.policy = byFirstId({ "mail::send": {} }, { delayMs: 30, status: 500 });
  const { jev_complete, jev_requests, jev_questions, input_tokens, output_tokens, jev_elapsed_ms, selected } =
    await evaluate("send an email message");
  assert.equal([jev_complete, jev_requests, jev_questions, input_tokens, output_tokens], [false, 1, 16, 100, 10]);
  assert.ok(jev_elapsed_ms >= 29, `${jev_elapsed_ms}`);
  assert.equal(selected, ["mail::send"]);
});
const MAIL = [registered("mail::send", "Sends an email message.")];

// The log

test("spec 06 §15: what a search logs of its judging: sums and reasons, nothing of what was asked", async () => {
  const lines: Record<string, unknown>[] = [];
  const sink = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = pino({ level: "trace", base: {} }, sink) as unknown as Logger;
  const { server, search } = await searching({ ...withSkill(offering(courier)), log });
  await search([WITHOUT_WORDS]);
  server.policy = failing(429, "a private answer");
  await search([WITHOUT_WORDS]);
  const of = (message: string) => lines.filter(({ msg }) => msg === message);
  const [judged] = of("functions judged");
  assert.equal(
    [judged?.["level"], judged?.["model"], judged?.["requests"], judged?.["questions"], judged?.["input_tokens"]],
    [20, "jev-1.13.0", 1, 2, 100],
  );
  const failures = lines.filter(({ level }) => level === 40);
  assert.is(failures.length, 3);
  for (const { error, requests } of failures) assert.equal([error, requests], ["Jev HTTP status 429", 0]);
  assert.equal(failures.filter(({ requested_mode }) => requested_mode === "jev").length, 2);
  assert.equal(
    of("documents judged").map(({ corpus, documents }) => `${corpus} ${documents}`),
    ["skills 1", "functions 8"],
  );
  assert.equal(
    of("functions ranked").map((line) => [line["effective_mode"], line["jev_complete"], line["hybrid_complete"]]),
    [
      ["jev", true, false],
      ["lexical", false, false],
    ],
  );
  for (const kept of [WITHOUT_WORDS, BOOT_KEY, "private", "mail::send", "courier::", "Reads a stored"]) {
    assert.not.ok(JSON.stringify(lines).includes(kept), kept);
  }
});

// Decision 32

test("decision 32: a shortlist: only the best local candidates of each capability are judged", async () => {
  const functions = Array.from({ length: 40 }, (_, at) =>
    registered(`w${at}::run`, at < 10 ? `Weld a plate of kind ${at}.` : "Sings."),
  );
  const { server, search } = await searching({ functions, configuration: { function_search_jev_shortlist: 3 } });
  const answer = await search(["weld a plate", "w39::run"]);
  assert.is(server.requests.length, 1);
  const sent = new Set(server.requests[0]?.pairs.map(({ id }) => id));
  assert.is(sent.size, 4, [...sent].join());
  assert.ok(sent.has("w39::run"));
  assert.equal([idsOf(answer).length, answer.search_mode], [4, "jev"]);
});

test("spec 06 §8: the time of judging doesn't take away the time of the fallback", async () => {
  const { server, search } = await searching({ configuration: { function_search_jev_timeout_ms: 150 } });
  server.policy = () => ({ delayMs: 1_000 });
  const begin = performance.now();
  const answer = await search(["send an email message"]);
  assert.equal([idsOf(answer), answer.search_mode], [["mail::send"], "lexical"]);
  assert.ok(performance.now() - begin < 150 + 100, `${performance.now() - begin}`);
});

test.run();
