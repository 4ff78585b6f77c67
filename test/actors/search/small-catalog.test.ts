/**
 * Spec 05 §14, table "Small-catalog and unit tests": rows 3, 4, 6, 8, 11 to 13, 20, 28 to 31, 34, 48. Rows 1, 2, 5, 14, 18, 20, 32, 33, 35 and
 * 40 are where their modules are tested: domain/function-contract, domain/text, actors/catalog.
 */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { triggerDocument, triggerRows } from "../../../actors/search/sections/triggers.js";
import { selectRows } from "../../../actors/search/selection.js";
import { createLogger } from "../../../border/log.js";
import type { Actors } from "../../../protocol/actors.js";
import { FUNCTIONS } from "../../../protocol/functions/index.js";
import { routeOf } from "../../../supervisor/routes.js";
import { canonical } from "../../harness/api-reference.js";
import { catalogOf, type Registered, registered } from "../../harness/catalogue.js";
import { idsOf, namespacesOf, type Searching, type SearchSetting, searchOver } from "../../harness/searching.js";

async function searching(functions: readonly Registered[], setting: SearchSetting = {}): Promise<Searching> {
  return searchOver(await catalogOf(functions), setting);
}

test("spec 05 §14 small catalog row 3: every capability has its first row before any has a second", () => {
  const lanes = [
    [
      { id: "alpha::tide", owner: "alpha" },
      { id: "alpha::tides", owner: "alpha" },
    ],
    [{ id: "beta::berth", owner: "beta" }],
  ];
  assert.equal(
    selectRows(lanes, { budget: 2, owners: 6 }).map(({ owner }) => owner),
    ["alpha", "beta"],
  );
});

test("spec 05 §14 small catalog row 4: five capabilities find their five functions among six", async () => {
  const { search } = await searching([
    registered("git::commit", "Record staged changes as a commit in the repository.", "message"),
    registered("security::scan", "Scan a dependency tree for known vulnerabilities.", "path"),
    registered("progress::report", "Report how far a long task has come.", "percent"),
    registered("coder::edit", "Apply an edit to a source file.", "file", "patch"),
    registered("github::pr::create", "Open a pull request on GitHub.", "title", "branch"),
    registered("weather::today", "Tell the weather of a town.", "town"),
  ]);
  const answer = await search([
    "commit the staged changes",
    "scan dependencies for known vulnerabilities",
    "report the progress of a long task",
    "edit a source file",
    "open a github pull request",
  ]);
  assert.equal(idsOf(answer).sort(), ["coder::edit", "git::commit", "github::pr::create", "progress::report", "security::scan"]);
});

test("spec 05 §14 small catalog row 6: summaries of given text ask nobody and find nothing", async () => {
  const asked: string[] = [];
  const { search } = await searching([registered("text::summarize", "Summarize provided text content.", "text")], {
    installable: async ({ batches }) => {
      asked.push("registry");
      return { batches: batches.map(() => []) };
    },
    searchRows: async () => {
      asked.push("skills");
      return { rows: [] };
    },
    triggers: () => asked.push("triggers"),
  });
  for (const text of ["summarise provided text", "summarize the provided content", "summary of the text that was provided"]) {
    const answer = await search([text]);
    assert.equal(answer.workers, [], text);
    assert.is(answer.installable, undefined);
    assert.match(answer.guidance, /in English/);
    assert.match(answer.guidance, /^No function matched/);
  }
  assert.equal(asked, []);
});

test("spec 05 §14 small catalog row 8: a hit brings the rules for exclusions and language, and nothing of installing", async () => {
  const { search } = await searching([registered("mail::send", "Send an email message.", "to")]);
  const { guidance } = await search(["send an email message"]);
  assert.match(guidance, /Leave out intrinsic work/);
  assert.match(guidance, /capability in English/);
  assert.match(guidance, /user's own language/);
  assert.not.match(guidance, /register_trigger|compose/);
});

const TIDES = [registered("tide::next", "Time of the next high tide.", "harbour")];
const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `capability number ${at + 1}`);

for (const [row, count, named] of [
  [11, 20, ["capability number 19", "capability number 20"]],
  [12, 8, undefined],
] as const) {
  test(`spec 05 §14 small catalog row ${row}: ${count} capabilities, ${named === undefined ? "all" : 18} are searched`, async () => {
    const { guidance } = await (await searching(TIDES)).search(numbered(count));
    const note = /Only the first 18 capabilities were searched\. .*: (.*)$/.exec(guidance)?.[1];
    assert.is(note, named?.join(", "));
  });
}

test("spec 05 §1.1: what comes after the eighteenth capability is named as it is and never checked", async () => {
  const { guidance } = await (await searching(TIDES)).search([...numbered(18), "   ", "next  high tide "]);
  assert.ok(guidance.endsWith(":    , next  high tide "), guidance);
});

test("spec 05 §1.1: a capability that is named twice is just another lane", async () => {
  const answer = await (await searching(TIDES)).search(["next high tide", "next high tide"]);
  assert.equal(idsOf(answer), ["tide::next"]);
});

const REFUSED: readonly (readonly [what: string, request: unknown, message: RegExp])[] = [
  ["no capabilities", { capabilities: [] }, /at least one capability/],
  ["a blank one", { capabilities: ["next high tide", " \u3000\n"] }, /capabilities must not be blank/],
  ["an empty request", {}, /capabilities/],
  ["only the older field", { query: "next high tide" }, /capabilities/],
  ["no list", { capabilities: "next high tide" }, /capabilities must be array/],
  ["an entry that is no text", { capabilities: ["next high tide", 7] }, /capabilities\.1 must be string/],
];
for (const [what, request, message] of REFUSED) {
  test(`spec 05 §14 small catalog row 13: ${what} is refused in one line`, async () => {
    const { actor: search } = await searching(TIDES);
    const definition = FUNCTIONS.find(({ id }) => id === "directory::search_functions");
    if (definition === undefined) throw new Error("the search is not published");
    const log = createLogger("test", "silent");
    const ask = routeOf(definition, { actors: { search } as unknown as Actors, own: {}, generation: () => 1, log });
    const error = await ask(request, {}).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );
    assert.match(error ?? "answered", message);
    assert.not.match(error ?? "", /\n|high tide/);
    const answer = (await ask({ capabilities: ["next high tide"], query: "ignored" }, {})) as { workers: unknown[] };
    assert.is(answer.workers.length, 1);
  });
}

test("spec 05 §14 small catalog row 20: beside an exact id the other lane is ranked by its terms when the model fails", async () => {
  const { search } = await searching([...TIDES, registered("mail::send", "Send an email message.")], {
    configuration: { function_search_mode: "hybrid" },
    embedQueries: async () => {
      throw new Error("no model");
    },
  });
  const answer = await search(["  tide::next ", "send an email message"]);
  assert.equal(idsOf(answer), ["tide::next", "mail::send"]);
  assert.is(answer.search_mode, "lexical");
});

const LANES = [
  ["zinc", "anchor"],
  ["yarrow", "beacon"],
  ["xylem", "cable"],
  ["willow", "dinghy"],
  ["violet", "ebb"],
  ["umber", "fender"],
] as const;

test("spec 05 §14 small catalog row 28: six lanes may show twelve workers, one lane six", async () => {
  const lanes = LANES.map(([subject, object]) => `polish the ${subject} ${object}`);
  const pairs = LANES.flatMap(([subject, object], at) => [
    registered(`leader${at}::polish`, `Polish the ${subject} ${object}.`),
    registered(`runner${at}::polish`, `Polish the ${subject} ${object} slowly.`),
  ]);
  assert.is(new Set(namespacesOf(await (await searching(pairs)).search(lanes))).size, 12);

  const ten = Array.from({ length: 10 }, (_, at) => registered(`place${at}::polish`, "Polish the zinc anchor."));
  const answer = await (await searching(ten)).search(["polish the zinc anchor"]);
  assert.is(answer.workers.length, 6);
  assert.is(idsOf(answer).length, 6);
});

test("spec 05 §14 small catalog row 29: what the worker cap cuts off counts as new when it is asked for", async () => {
  const seven = Array.from({ length: 7 }, (_, at) => registered(`place${at}::polish`, "Polish the zinc anchor."));
  const { search } = await searching(seven);
  const first = idsOf(await search(["polish the zinc anchor"], "s"));
  const [cut] = seven.map(({ id }) => id).filter((id) => !first.includes(id));
  assert.is(first.length, 6);
  const answer = await search([cut ?? ""], "s");
  assert.equal(idsOf(answer), [cut]);
  assert.not.match(answer.guidance, /already provided/);
});

const STATE = [
  registered("state::set", "Store a value under a key.", "key", "value"),
  registered("notes::write", "Save a note under a title.", "title"),
  registered("mail::send", "Send an email message.", "to"),
];

test("spec 05 §14 small catalog row 30: a session gets what is new, everything when nothing is, and shares nothing", async () => {
  const { search, engine, catalog } = await searching(STATE);
  const store = "store a value under a key";
  const note = "save a note under a title";
  assert.equal(idsOf(await search([store], "s")), ["state::set"], "new");
  const overlap = await search([store, note], "s");
  assert.equal(idsOf(overlap), ["notes::write"], "overlap");
  assert.match(overlap.guidance, /already provided earlier in this session: state::set\./);
  const again = await search([store, note], "s");
  assert.equal(idsOf(again).sort(), ["notes::write", "state::set"], "nothing new: everything");
  assert.not.match(again.guidance, /already provided/);
  assert.equal(idsOf(await search([store], "other")), ["state::set"], "another session");
  assert.equal(idsOf(await search([store])), ["state::set"], "no session");

  engine.functions = [...STATE, registered("tide::next", "Time of the next high tide.")];
  await catalog.refresh({}, { requestId: "r", deadline: Date.now() + 5_000 });
  const changed = await search([store, "send an email message"], "s");
  assert.equal(idsOf(changed), ["state::set", "mail::send"], "another catalog");
  assert.not.match(changed.guidance, /already provided/);
});

test("spec 05 §14 small catalog row 31: rules are sent once a session, and again after a new catalog or a full repetition", async () => {
  const { search, engine, catalog } = await searching(STATE);
  const full = async (capability: string): Promise<boolean> =>
    /pick the smallest set/.test((await search([capability], "s")).guidance);
  assert.ok(await full("store a value under a key"));
  assert.not(await full("save a note under a title"), "sent already");
  assert.ok(await full("save a note under a title"), "a full repetition");
  assert.not(await full("send an email message"), "sent already");
  engine.functions = [...STATE, registered("tide::next", "Time of the next high tide.")];
  await catalog.refresh({}, { requestId: "r", deadline: Date.now() + 5_000 });
  assert.ok(await full("send an email message"), "another catalog");
});

const BINDINGS = [
  {
    id: "t1",
    trigger_type: "cron",
    function_id: "harness::sweep-pending",
    worker_name: "harness",
    config: { expression: "0 * * * *" },
  },
  { id: "t2", trigger_type: "console:style", function_id: "console::style", config: {} },
  { id: "t3", trigger_type: "log", function_id: "iii::console::log", config: {} },
  { id: "t4" },
];

test("spec 05 §14 small catalog row 34: of the bindings only whole ones of others can be reused", async () => {
  const rows = triggerRows({ registered_triggers: BINDINGS }, new Set());
  assert.equal(rows, [BINDINGS[0]]);
  assert.equal(rows.map(triggerDocument), ['cron trigger runs harness::sweep-pending with config {"expression":"0 * * * *"}']);
  const { search } = await searching(TIDES, { triggers: () => ({ registered_triggers: BINDINGS }) });
  assert.equal((await search(["run the pending sweep on a cron trigger"])).triggers, [BINDINGS[0]]);
});

interface Schema {
  readonly title?: string;
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

test("spec 05 §14 small catalog row 48: title, required and bounds of the request; typed schemas of the four functions", () => {
  const schemas = new Map(FUNCTIONS.map(({ id, request, response }) => [id, [request, response] as unknown as Schema[]]));
  assert.equal(canonical(schemas.get("directory::search_functions")?.[0]), {
    title: "SearchFunctionsRequest",
    type: "object",
    required: ["capabilities"],
    properties: { capabilities: { type: "array", minItems: 1, uniqueItems: true, items: { type: "string", minLength: 1 } } },
  });
  assert.equal([...(schemas.get("directory::search_functions")?.[1]?.required ?? [])].sort(), [
    "guidance",
    "latency_ms",
    "search_mode",
    "workers",
  ]);
  for (const id of ["search_functions", "pre-generate", "hint-preview", "on-functions-change"]) {
    for (const schema of schemas.get(`directory::${id}`) ?? []) {
      assert.is(schema.type, "object", id);
      assert.type(schema.properties, "object", id);
    }
    assert.is(schemas.get(`directory::${id}`)?.length, 2);
  }
});

test.run();
