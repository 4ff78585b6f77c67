import { test } from "uvu";
import * as assert from "uvu/assert";
import { prune } from "../../../actors/catalog/pruning.js";
import type { LaneRanking } from "../../../protocol/actors/catalog.js";
import { catalogOf, type Registered, registered } from "../../harness/catalogue.js";
import { newContext } from "../../harness/context.js";

async function rank(functions: readonly Registered[], ...lanes: string[]): Promise<readonly LaneRanking[]> {
  const { catalog } = await catalogOf(functions);
  return (await catalog.rank({ lanes }, newContext())).lanes;
}

async function idsOf(functions: readonly Registered[], capability: string): Promise<string[]> {
  return (await rank(functions, capability)).flatMap(({ rows }) => rows.map((row) => row.functionId));
}

const TOY = [
  registered("disk::scan", "Find large files on disk!", "path"),
  registered("mailbox::sendMail", "Deliver an email to one recipient.", "to", "subject", "body"),
  registered("notes::list", "List every saved note.", "limit"),
  registered("notes::read", "Load one note by title.", "title"),
  registered("notes::write", "Save a note under a title. Replaces older text.", "title", "body"),
];

/** Scores and cut of the table are those of one plain field: here a second note function is near enough to be shown. */
const WORKED: readonly (readonly [capability: string, rows: readonly string[]])[] = [
  ["save a note with a title", ["notes::write", "notes::read"]],
  ["list saved notes", ["notes::list"]],
  ["send mail to a recipient", ["mailbox::sendMail"]],
  ["note", []],
];
for (const [capability, rows] of WORKED) {
  test(`spec 05 §4.11: ${capability}`, async () => {
    const [lane] = await rank(TOY, capability);
    assert.equal(
      lane?.rows.map((row) => row.functionId),
      rows,
    );
    assert.ok(lane?.rows.every(({ score }) => score > 0 && score <= 1));
    assert.is(lane?.rankedBy, "lexical");
  });
}

test("spec 05 §14 row 2: a row is id and first sentence", async () => {
  const [lane] = await rank([registered("disk::scan", "Find large files on disk? All of them.")], "find large files");
  assert.equal(
    lane?.rows.map(({ functionId, namespace, description }) => ({ functionId, namespace, description })),
    [{ functionId: "disk::scan", namespace: "disk", description: "Find large files on disk?" }],
  );
});

test("spec 05 §14 row 5: fetch a browser page", async () => {
  const functions = [registered("browser::fetch", "Fetch a page."), registered("browser::parser", "Parse a page in the browser.")];
  assert.equal(await idsOf(functions, "fetch a browser page"), ["browser::fetch"]);
});

test("spec 05 §14 row 14: pruning", () => {
  const rows = [
    { id: "a::1", score: 10 },
    { id: "b::1", score: 8.9 },
    { id: "a::2", score: 6.3 },
    { id: "b::2", score: 6.3 },
    { id: "a::3", score: 2 },
  ];
  const cuts = { own: 0.62, foreign: 0.7 };
  assert.equal(prune(rows, cuts), rows.slice(0, 3));
  assert.equal(prune([], cuts), []);
});

test("spec 05 §14 row 18: nothing in, nothing out", async () => {
  const { catalog } = await catalogOf([]);
  assert.equal((await catalog.rank({ lanes: [] }, newContext())).lanes, []);
  assert.equal((await catalog.rank({ lanes: ["read a note"] }, newContext())).lanes, [
    { rows: [], exact: false, rankedBy: "lexical" },
  ]);
  assert.equal((await catalog.rankPool({ lanes: ["read a note"], documents: [] }, newContext())).lanes, [[]]);
});

test("spec 05 §14 row 20: an exact id is a lane of that id alone, the other lane is ranked", async () => {
  const [exact, other, near] = await rank(TOY, "notes::read", "list saved notes", "notes::rea");
  assert.equal(exact, {
    rows: [{ functionId: "notes::read", namespace: "notes", description: "Load one note by title.", score: 0 }],
    exact: true,
    rankedBy: "exact",
  });
  assert.is(other?.rows[0]?.functionId, "notes::list");
  assert.not(near?.exact);
});

test("decision 13: an id without a namespace is found, under its owner or under itself", async () => {
  const functions = [{ ...registered("publish", "Publish a message to a topic."), worker: "pubsub" }, registered("a::b")];
  const [lane] = await rank(functions, "publish a message");
  assert.equal(
    lane?.rows.map(({ functionId, namespace }) => [functionId, namespace]),
    [["publish", "pubsub"]],
  );
  const [exact] = await rank(functions, "publish");
  assert.ok(exact?.exact);
});

test("S17: a catalogue of one function is searched", async () => {
  assert.equal(await idsOf([registered("tide::next", "Time of the next high tide.")], "next high tide"), ["tide::next"]);
});

const LONE: readonly (readonly [capability: string, rows: readonly string[]])[] = [
  ["mailbox", ["mailbox::sendMail"]],
  ["emails", ["mailbox::sendMail"]],
  ["the disks", ["disk::scan"]],
  ["note", []],
  ["title", []],
  ["unheard", []],
  ["zzz email qqq", []],
];
for (const [capability, rows] of LONE) {
  test(`decisions 15 and 31: one term: ${capability}`, async () => {
    assert.equal(await idsOf(TOY, capability), rows);
  });
}

test("decision 15: among many functions one term must be rare and part of an id", async () => {
  const filler = Array.from({ length: 200 }, (_, at) =>
    registered(`bulk::item${at}`, `Handles an item${at < 20 ? " of the reef" : ""}.`),
  );
  const reefs = [
    registered("reef::chart", "Draws a chart."),
    registered("tide::one", "Knows the moon."),
    registered("tide::two", "Likes the moon."),
  ];
  const functions = [...filler, ...reefs];
  assert.equal(await idsOf(functions, "reef"), [], "in 21 of 203");
  assert.equal(await idsOf(functions, "chart"), ["reef::chart"]);
  assert.equal(await idsOf(functions, "moon"), [], "rare, but no id has it");
  assert.equal(await idsOf(functions, "moons tide"), ["tide::one", "tide::two"]);
});

test("S28: a query of stop words only finds nothing", async () => {
  assert.equal(await idsOf(TOY, "to the of and"), []);
});

test("S22: equal documents come in the order of their ids, every time", async () => {
  const ids = Array.from({ length: 10 }, (_, at) => `w${(at * 7) % 10}::same`);
  const functions = ids.map((id) => ({ ...registered(id, "Turn the valve to a new position."), worker: "valves" }));
  for (let run = 0; run < 20; run++) {
    const shuffled = [...functions.slice(run % 10), ...functions.slice(0, run % 10)];
    assert.equal(await idsOf(shuffled, "turn the valve"), [...ids].sort());
  }
});

test("S23: an empty and a huge description don't disturb the others", async () => {
  const many = Array.from({ length: 5_000 }, (_, at) =>
    registered(`bulk::item${at}`, `Handles item number ${at} of the bulk.`, "at"),
  );
  const odd = [registered("odd::empty"), { ...registered("odd::huge", "flood gate ".repeat(190_000)), parameters: null }];
  const [item, huge, empty] = await rank([...many, ...odd], "handles item4711 of the bulk", "flood gate", "odd empty");
  assert.is(item?.rows[0]?.functionId, "bulk::item4711");
  assert.is(huge?.rows[0]?.functionId, "odd::huge");
  assert.is(empty?.rows[0]?.functionId, "odd::empty");
  for (const lane of [item, huge, empty]) assert.ok(lane?.rows.every((row) => Number.isFinite(row.score)));
});

const POOL = [
  { id: "timing/cron", text: "Cron: Schedule recurring work with cron expressions and check the next execution." },
  { id: "pages/frontend", text: "Frontend: Build pages of components and styles." },
];

test("spec 05 §14 row 36: the lexical side lane over skills", async () => {
  const { catalog } = await catalogOf(TOY);
  const lanes = ["schedule recurring cron execution", "execute a job on a nightly timetable", "timing/cron"];
  const reply = await catalog.rankPool({ lanes, documents: POOL }, newContext());
  assert.equal(
    reply.lanes.map((rows) => rows.map((row) => row.id)),
    [["timing/cron"], [], ["timing/cron"]],
  );
});

test("spec 05 §4.8, §14 row 5: a pool of functions has exact ids, and ranks as the catalog does", async () => {
  const { catalog } = await catalogOf([]);
  const documents = [
    { id: "browser::fetch", text: "browser::fetch Fetch a page." },
    { id: "browser::parser", text: "browser::parser Parse a page in the browser." },
  ];
  const lanes = ["fetch a browser page", "browser::parser"];
  const { lanes: ranked } = await catalog.rankPool({ lanes, documents, exactIds: true }, newContext());
  assert.equal(
    ranked.map((rows) => rows.map((row) => row.id)),
    [["browser::fetch"], ["browser::parser"]],
  );
  assert.equal(ranked[1], [{ id: "browser::parser", score: 0 }]);
});

test("an id that means nothing isn't searched", async () => {
  const { catalog } = await catalogOf([]);
  const documents = [
    { id: "cron-nightly-1", text: "webhook trigger runs mail::send", opaqueId: true },
    { id: "b", text: "cron trigger runs nightly::sweep", opaqueId: true },
  ];
  const { lanes } = await catalog.rankPool({ lanes: ["nightly cron"], documents }, newContext());
  assert.equal(
    lanes[0]?.map((row) => row.id),
    ["b"],
  );
});

test("a pool that changes is ranked anew, one that returns gives what it gave", async () => {
  const { catalog } = await catalogOf([]);
  const ask = async (text: string): Promise<readonly string[]> => {
    const { lanes } = await catalog.rankPool({ lanes: ["next high tide"], documents: [{ id: "a", text }] }, newContext());
    return (lanes[0] ?? []).map((row) => `${row.id} ${row.score}`);
  };
  const first = await ask("next high tide");
  assert.is(first.length, 1);
  assert.equal(await ask("coming train"), []);
  assert.equal(await ask("next high tide"), first);
});

test("P7: 100 queries over 50,000 functions, far below 20 ms each", async () => {
  const functions = Array.from({ length: 50_000 }, (_, at) =>
    registered(
      `w${at % 100}::verb${at % 977}::noun${at}`,
      `Handles noun${at % 4_999} of the common kind${at % 31}.`,
      `arg${at % 61}`,
    ),
  );
  const { catalog } = await catalogOf(functions);
  const times: number[] = [];
  for (let query = 0; query < 100; query++) {
    const begin = performance.now();
    const lane = `handles the common noun${query * 37} of kind${query % 31} with verb${query}`;
    const { lanes } = await catalog.rank({ lanes: [lane] }, newContext());
    times.push(performance.now() - begin);
    assert.ok((lanes[0]?.rows.length ?? 0) > 0);
  }
  const median = times.sort((left, right) => left - right)[50] as number;
  assert.ok(median < 20, `half of the queries took ${median} ms or more`);
});

test.run();
