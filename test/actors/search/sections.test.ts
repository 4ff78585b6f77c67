/** The sections beside the functions: installable (spec 05 §8), skills and triggers (§11), and what their failures cost (§11.1). */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { groupInstallable, mergeBatches, type PoolFunction, poolFunctions } from "../../../actors/search/sections/installable.js";
import { InstalledFunctions } from "../../../actors/search/sections/installed.js";
import { judgedTriggerDocument, TriggerSource, triggerDocument, triggerRows } from "../../../actors/search/sections/triggers.js";
import type { JudgeRequest } from "../../../protocol/actors/jev.js";
import type { InstallableCandidate, InstallableRequest } from "../../../protocol/actors/registry.js";
import { INTERNAL_FUNCTION_IDS } from "../../../protocol/functions/own.js";
import type { InstallableWorker, TriggerMatch } from "../../../protocol/functions/search.js";
import { catalogOf, registered } from "../../harness/catalogue.js";
import { newContext } from "../../harness/context.js";
import { idsOf, namespacesOf, type Searching, type SearchSetting, searchOver } from "../../harness/searching.js";

const LIVE = [registered("mail::send", "Send an email message.", "to"), registered("tide::next", "Time of the next high tide.")];

async function searching(setting: SearchSetting = {}, functions = LIVE): Promise<Searching> {
  return searchOver(await catalogOf(functions), { ...setting, configuration: { registry_search: true, ...setting.configuration } });
}

function candidate(name: string, ...functions: readonly (readonly [id: string, description: string])[]): InstallableCandidate {
  return {
    name,
    version: "1.2.0",
    description: `The ${name} worker. Whole, as published.`,
    functions: functions.map(([functionId, description]) => ({ functionId, description, parameterNames: [] })),
  };
}

const MAILER = candidate("mailer", ["mailer::send", "Send an email message to many. With attachments."]);

function offering(
  ...candidates: readonly InstallableCandidate[]
): { asked: InstallableRequest[] } & Required<Pick<SearchSetting, "installable">> {
  const asked: InstallableRequest[] = [];
  const installable: Required<SearchSetting>["installable"] = async (request) => {
    asked.push(request);
    return { batches: request.batches.map(() => candidates) };
  };
  return { asked, installable };
}

// Installable

test("spec 05 §14 small catalog row 10: beside an installed function an installable one, with the call that installs it", async () => {
  const { installable } = offering(MAILER);
  const answer = await (await searching({ installable })).search(["send an email message"]);
  assert.equal(idsOf(answer), ["mail::send"]);
  assert.equal(answer.installable, [
    {
      name: "mailer",
      version: "1.2.0",
      description: "The mailer worker. Whole, as published.",
      functions: [{ function_id: "mailer::send", description: "Send an email message to many." }],
      install: { function: "compose::add", payload: { worker: "mailer" } },
    },
  ]);
  assert.match(answer.guidance, /Prefer workers over installable.*Install workflow/);
  const alone = await (await searching({ installable }, [])).search(["send an email message"]);
  assert.equal([alone.workers, alone.installable?.length], [[], 1]);
  assert.match(alone.guidance, /^Nothing that is installed matched/);
});

test("spec 05 §8: the registry is asked for batches of six without intrinsic ones, and told what is installed", async () => {
  const { asked, installable } = offering();
  const lanes = Array.from({ length: 7 }, (_, at) => `weld a plate of kind ${at}`);
  await (await searching({ installable })).search(["summarize provided text", ...lanes]);
  assert.equal(asked, [{ batches: [lanes.slice(0, 5), lanes.slice(5)], installedNamespaces: ["mail", "tide"] }]);
});

test("spec 05 §8: switched off, the registry isn't asked", async () => {
  const { asked, installable } = offering(MAILER);
  const answer = await (await searching({ installable, configuration: { registry_search: false } })).search([
    "send an email message",
  ]);
  assert.equal([answer.installable, asked], [undefined, []]);
});

const IDS = { namespaces: new Set(["mail"]), functionIds: new Set(["shared::run"]) };
const POOLS: readonly (readonly [what: string, candidates: readonly InstallableCandidate[], pool: readonly string[]])[] = [
  [
    "row 25: installed, engine's and the search's own ids are none",
    [
      candidate(
        "a",
        ["shared::run", ""],
        ["engine::x", ""],
        ["directory::search_functions", ""],
        ["a::on-config-change", ""],
        ["a::run", ""],
      ),
    ],
    ["a::run"],
  ],
  ["row 26: no contracts", [candidate("a")], []],
  ["a worker that is installed is no candidate", [candidate("mail", ["mail::extra", ""])], []],
  ["the first owner of an id has it", [candidate("a", ["x::run", "of a"]), candidate("b", ["x::run", "of b"])], ["x::run"]],
];
for (const [what, candidates, pool] of POOLS) {
  test(`spec 05 §8, §14 small catalog ${what}`, () => {
    assert.equal(
      poolFunctions(candidates, IDS).map(({ functionId }) => functionId),
      pool,
    );
    assert.equal(
      poolFunctions(candidates, IDS).filter(({ functionId, worker }) => functionId === "x::run" && worker.name !== "a"),
      [],
    );
  });
}

function poolOf(...candidates: readonly InstallableCandidate[]): ReadonlyMap<string, PoolFunction> {
  const none = { namespaces: new Set<string>(), functionIds: new Set<string>() };
  return new Map(poolFunctions(candidates, none).map((entry) => [entry.functionId, entry]));
}

test("spec 05 §14 small catalog row 24: ranked ids are grouped under their owners, an id without one is left out", () => {
  const pool = poolOf(
    candidate("email", ["email::send", "Send."], ["email::draft", "Draft."]),
    candidate("telegram-bot", ["telegram::send", "Send."]),
    candidate("slack", ["slack::send", "Send."]),
  );
  const found = groupInstallable([["email::send", "telegram::send", "email::draft", "slack::send", "orphan::send"]], pool);
  assert.equal(
    found.map(({ name, functions }) => [name, functions.length]),
    [
      ["email", 2],
      ["telegram-bot", 1],
    ],
  );
});

test("spec 05 §8: six functions of two workers a batch", () => {
  const many = (name: string): InstallableCandidate =>
    candidate(name, ...Array.from({ length: 8 }, (_, at) => [`${name}::f${at}`, "Runs."] as const));
  const pool = poolOf(many("a"), many("b"), many("c"));
  const lanes = ["a", "b", "c"].map((name) => Array.from({ length: 8 }, (_, at) => `${name}::f${at}`));
  const found = groupInstallable(lanes, pool);
  assert.equal(
    found.map(({ name, functions }) => [name, functions.length]),
    [
      ["a", 3],
      ["b", 3],
    ],
  );
});

test("spec 05 §14 small catalog row 27: one worker in two batches is one entry, with the functions of both", () => {
  const install = { function: "compose::add", payload: { worker: "email" } };
  const part = (...ids: string[]): InstallableWorker => ({
    name: "email",
    version: "1",
    description: "Mail.",
    functions: ids.map((function_id) => ({ function_id, description: "" })),
    install,
  });
  assert.equal(mergeBatches([[part("email::send", "email::draft")], [part("email::send", "email::list")]]), [
    part("email::send", "email::draft", "email::list"),
  ]);
});

test("what was installed meanwhile is no longer offered", async () => {
  const { installable } = offering(MAILER, candidate("ferry", ["ferry::book", "Book a ferry."]));
  const { search, engine, catalog } = await searching({ installable });
  assert.is((await search(["send an email message"])).installable?.length, 1);
  engine.functions = [...LIVE, registered("mailer::send", "Send an email message to many.")];
  await catalog.refresh({}, newContext());
  const answer = await search(["send an email message"]);
  assert.is(answer.installable, undefined);
  assert.equal(namespacesOf(answer), ["mail", "mailer"]);
});

test("the list of what is installed is read again only when the catalog has changed", async () => {
  let reads = 0;
  const answers = ["f", "g"];
  const installed = new InstalledFunctions({
    snapshot: async () => ({ fingerprint: answers[reads++] ?? "h", known: true, functionIds: [], namespaces: [] }),
  });
  await installed.recent(newContext());
  await installed.recent(newContext());
  await installed.asOf("f", newContext());
  assert.is(reads, 1);
  assert.is((await installed.asOf("g", newContext())).fingerprint, "g");
  assert.is(reads, 2);
});

// Skills

const SKILLS = [
  {
    id: "mail/newsletter",
    title: "Send a newsletter",
    description: `Send an email message to every reader. Then ${"more ".repeat(100)}`,
  },
  { id: "sea/pilot", title: "Pilot a ferry", description: "Bring a ferry into the harbour." },
];

test("spec 05 §11: a skill row is id, title and first sentence, and the note says how to read it", async () => {
  const answer = await (await searching({ searchRows: async () => ({ rows: SKILLS }) })).search([
    "send an email message to readers",
  ]);
  assert.equal(answer.skills, [
    { id: "mail/newsletter", title: "Send a newsletter", description: "Send an email message to every reader." },
  ]);
  assert.match(answer.guidance, /directory::skills::get \{"id":"<id>"\}/);
});

test("F26: a skill that claims to help with everything doesn't go before the one that is meant", async () => {
  const rows = [
    { id: "any/help", title: "Any task", description: "Helps with any file, data, report or document task." },
    { id: "pdf/rotate", title: "Rotate", description: "Rotate pages of a PDF." },
  ];
  const { search } = await searching({ searchRows: async () => ({ rows }) });
  const { skills } = await search(["rotate the pages of a pdf"]);
  assert.is(skills?.[0]?.id, "pdf/rotate");
});

test("spec 05 §11: six rows in all, however many lanes", async () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({
    id: `s/${at}`,
    title: `Pilot the ferry ${at}`,
    description: "Into the harbour.",
  }));
  const { search } = await searching({ searchRows: async () => ({ rows }) });
  const lanes = Array.from({ length: 18 }, (_, at) => `pilot the ferry ${at}`);
  const { skills = [] } = await search(lanes);
  assert.is(skills.length, 6);
  assert.is(new Set(skills.map(({ id }) => id)).size, 6);
});

test("spec 05 §11, §4.8: a capability that is the id of a skill is still ranked by its terms", async () => {
  const twin = { id: "mail/digest", title: "Newsletter by mail", description: "Newsletter by mail, once a week." };
  const { search } = await searching({ searchRows: async () => ({ rows: [...SKILLS, twin] }) });
  const { skills = [] } = await search(["mail/newsletter"]);
  assert.ok(skills.some(({ id }) => id === "mail/digest"));
});

// Triggers

const TRIGGER = { id: "t1", trigger_type: "cron", function_id: "harness::sweep", config: { every: "1h", token: "canary" } };
const LISTED: readonly (readonly [what: string, answer: unknown, rows: readonly TriggerMatch[]])[] = [
  ["an object with a list", { registered_triggers: [TRIGGER] }, [TRIGGER]],
  ["a bare list", [TRIGGER], [TRIGGER]],
  ["the owner, where it is known", [{ ...TRIGGER, worker_name: "harness" }], [{ ...TRIGGER, worker_name: "harness" }]],
  ["no owner, where it is null", [{ ...TRIGGER, worker_name: null }], [TRIGGER]],
  ["an empty configuration, where there is none", [{ ...TRIGGER, config: null }], [{ ...TRIGGER, config: {} }]],
  ["nothing of our own plumbing", [{ ...TRIGGER, function_id: "directory::on-functions-change" }], []],
  ["nothing of the console", [{ ...TRIGGER, trigger_type: "console:style" }], []],
  ["nothing of the engine's own", [{ ...TRIGGER, function_id: "iii::durable::publish" }], []],
  ["no half rows", [null, 7, { id: "t" }, { ...TRIGGER, id: "" }, { ...TRIGGER, trigger_type: 3 }], []],
  ["nothing of another shape", { triggers: [TRIGGER] }, []],
  ["nothing of nothing", null, []],
];
for (const [what, answer, rows] of LISTED) {
  test(`spec 05 §11: rows of bindings: ${what}`, () => assert.equal(triggerRows(answer, new Set(INTERNAL_FUNCTION_IDS)), rows));
}

test("spec 05 §11: the document of a binding, and decision 17: of its configuration a judge sees the names only", () => {
  assert.is(triggerDocument(TRIGGER), 'cron trigger runs harness::sweep with config {"every":"1h","token":"canary"}');
  assert.is(judgedTriggerDocument(TRIGGER), 'cron trigger runs harness::sweep with config ["every","token"]');
  assert.is(judgedTriggerDocument({ ...TRIGGER, config: "canary" }), "cron trigger runs harness::sweep with config []");
  const long = { ...TRIGGER, config: { text: "é".repeat(500) } };
  assert.ok(Buffer.byteLength(triggerDocument(long)) <= 300);
  assert.not.match(triggerDocument(long), "\uFFFD");
});

test("the bindings are read once for the searches of a second, and again after a failure", async () => {
  let now = 0;
  let reads = 0;
  let fails = true;
  const bus = {
    call: async () => {
      reads++;
      if (fails) throw new Error("no engine");
      return [TRIGGER];
    },
  };
  const source = new TriggerSource(bus, [], () => now);
  const failed = [source.rows(), source.rows()];
  assert.equal(
    (await Promise.allSettled(failed)).map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.is(reads, 1);
  fails = false;
  assert.equal(await source.rows(), [TRIGGER]);
  now = 999;
  await source.rows();
  assert.is(reads, 2);
  now = 1_000;
  await source.rows();
  assert.is(reads, 3);
});

// Failures

const broken = (): never => {
  throw new Error("out of order");
};
const FAILURES: readonly (readonly [what: string, setting: SearchSetting])[] = [
  ["registry", { installable: async () => broken() }],
  ["skills", { searchRows: async () => broken() }],
  ["bindings", { triggers: broken }],
  ["bindings of an odd shape", { triggers: () => "nonsense" }],
];
for (const [what, setting] of FAILURES) {
  test(`spec 05 §11.1: ${what} out of order: that section is missing, the rest is answered`, async () => {
    const all: SearchSetting = {
      installable: offering(MAILER).installable,
      searchRows: async () => ({ rows: SKILLS }),
      triggers: () => [{ ...TRIGGER, trigger_type: "email", function_id: "message::send" }],
    };
    const answer = await (await searching({ ...all, ...setting })).search(["send an email message"]);
    assert.equal(idsOf(answer), ["mail::send"]);
    const sections = [answer.installable, answer.skills, answer.triggers].filter((section) => section !== undefined);
    assert.is(sections.length, 2);
    assert.ok(sections.every((section) => section.length > 0));
  });
}

test("decision 12: the registry is given 1,500 ms of a search, not its whole time", async () => {
  let patience = 0;
  const { search } = await searching({
    installable: async ({ batches }, { deadline }) => {
      patience = deadline - Date.now();
      return { batches: batches.map(() => []) };
    },
  });
  await search(["send an email message"]);
  assert.ok(patience > 0 && patience <= 1_500, `${patience}`);
});

// Judged

test("spec 05 §6, decision 17: in Jev mode the side sections go to the judge, who sees no ids and no values of bindings", async () => {
  const asked: JudgeRequest[] = [];
  const { search } = await searching({
    configuration: { function_search_mode: "jev" },
    searchRows: async () => ({ rows: SKILLS }),
    triggers: () => [TRIGGER],
    judge: async (request) => {
      asked.push(request);
      const lanes = request.capabilities.map(() => request.documents.slice(0, 1).map(({ id }) => ({ id, score: 0.9 })));
      return { lanes, model: "judge", stats: { requests: 1, questions: 1, inputTokens: 1, outputTokens: 1, elapsedMs: 1 } };
    },
  });
  const answer = await search(["send an email message to readers"]);
  assert.is(answer.search_mode, "jev");
  assert.equal([answer.skills?.length, answer.triggers?.length], [1, 1]);
  assert.equal(asked.map(({ corpus, exactIds = false }) => `${corpus} ${exactIds}`).sort(), [
    "functions true",
    "skills false",
    "triggers false",
  ]);
  const judged = asked.find(({ corpus }) => corpus === "triggers")?.documents[0];
  assert.is(judged?.description, 'cron trigger runs harness::sweep with config ["every","token"]');
});

test("spec 05 §6: a judge that fails costs the side sections, not the functions", async () => {
  const { search } = await searching({
    configuration: { function_search_mode: "jev" },
    searchRows: async () => ({ rows: SKILLS }),
    judge: async () => broken(),
  });
  const answer = await search(["send an email message"]);
  assert.equal([idsOf(answer), answer.search_mode, answer.skills], [["mail::send"], "lexical", undefined]);
});

test.run();
