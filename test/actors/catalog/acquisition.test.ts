import { test } from "uvu";
import * as assert from "uvu/assert";
import type { CatalogOptions } from "../../../actors/catalog/build.js";
import type { EngineCall } from "../../../protocol/actors/services.js";
import { DirectoryError } from "../../../protocol/errors.js";
import { FUNCTIONS } from "../../../protocol/functions/index.js";
import { type BuiltCatalog, buildOver, catalogOf, FakeEngine, type Registered } from "../../harness/catalogue.js";
import { newContext } from "../../harness/context.js";
import { ManualTimer, settle } from "../../harness/manual-timer.js";

const LIST = "engine::functions::list";
const INFO = "engine::functions::info";
const TIMES = { relistMs: 30_000, gatherMs: 20, retryMs: 100, longestRetryMs: 5_000 };

function registered(id: string, description = `Does ${id.replaceAll("::", " ")}.`): Registered {
  return { id, description, parameters: { type: "object" } };
}

function many(count: number): Registered[] {
  return Array.from({ length: count }, (_, at) => registered(`bulk::item${String(at).padStart(4, "0")}`));
}

interface Timed extends BuiltCatalog {
  readonly timer: ManualTimer;
}

async function timed(engine: FakeEngine, options: CatalogOptions = {}): Promise<Timed> {
  const timer = new ManualTimer();
  const built = await buildOver(engine, { timer: timer.set, random: () => 0.5, times: TIMES, ...options });
  return { ...built, timer };
}

async function ids({ catalog }: BuiltCatalog): Promise<readonly string[]> {
  return (await catalog.snapshot({}, newContext())).functionIds;
}

async function found({ catalog }: BuiltCatalog, capability: string): Promise<string[]> {
  const { lanes } = await catalog.rank({ lanes: [capability] }, newContext());
  return lanes.flatMap(({ rows }) => rows.map((row) => row.functionId));
}

function count(engine: FakeEngine, functionId: string): number {
  return engine.calls.filter((call) => call.functionId === functionId).length;
}

/** Throws for one kind of call. */
function failing(functionId: string): (call: EngineCall) => undefined {
  return (call) => {
    if (call.functionId === functionId) throw new DirectoryError("engine_error", "no answer", { code: "TIMEOUT" });
    return undefined;
  };
}

async function rejection(promise: Promise<unknown>): Promise<DirectoryError> {
  try {
    await promise;
  } catch (error) {
    return error as DirectoryError;
  }
  throw new Error("it should have been rejected");
}

const SHAPES: readonly (readonly [what: string, list: unknown])[] = [
  ["an array of ids", ["a::b", "c::d"]],
  ["functions of objects", { functions: [{ function_id: "a::b" }, { function_id: "c::d" }] }],
  ["items of objects with id", { items: [{ id: "a::b" }, { name: "c::d" }] }],
  ["an array of both", ["a::b", { name: "c::d" }]],
];
for (const [what, list] of SHAPES) {
  test(`spec 05 §2: a list may be ${what}`, async () => {
    const engine = new FakeEngine([registered("a::b"), registered("c::d")]);
    engine.intercept = ({ functionId }) => (functionId === LIST ? list : undefined);
    const built = await buildOver(engine);
    await built.catalog.refresh({}, newContext());
    assert.equal(await ids(built), ["a::b", "c::d"]);
    await built.stop();
  });
}

const MALFORMED: readonly (readonly [what: string, list: unknown])[] = [
  ["is text", "a::b"],
  ["holds no array", { functions: {} }],
  ["has an entry without an id", ["a::b", { description: "x" }]],
  ["has a number for an id", [{ id: 7 }]],
];
for (const [what, list] of MALFORMED) {
  test(`spec 05 §2, §11.1: a list that ${what} is refused, the last catalog stays`, async () => {
    const built = await catalogOf([registered("a::b")]);
    built.engine.intercept = ({ functionId }) => (functionId === LIST ? list : undefined);
    const error = await rejection(built.catalog.refresh({ event: "functions_changed" }, newContext()));
    assert.match(error.message, "catalog_fetch_failed");
    assert.equal(await ids(built), ["a::b"]);
  });
}

test("spec 05 §2: an empty list is a catalog, and a known one", async () => {
  const built = await catalogOf([]);
  const snapshot = await built.catalog.snapshot({}, newContext());
  assert.equal([snapshot.known, snapshot.functionIds], [true, []]);
  assert.is(count(built.engine, INFO), 0);
});

test("spec 05 §2.1: what is excluded is not even asked about", async () => {
  const own = [registered("directory::search_functions"), registered("x::on-config-change"), registered("engine::queue::push")];
  const built = await catalogOf([...own, registered("a::b")]);
  assert.equal(await ids(built), ["a::b"]);
  const asked = built.engine.calls.filter((call) => call.functionId === INFO).map((call) => call.payload);
  assert.ok(asked.every((payload) => JSON.stringify(payload) === '{"function_ids":["a::b"]}'));
});

test("spec 05 §14 row 32: entries with an error or internal go, without an id are skipped, without a schema stay; in order", async () => {
  const engine = new FakeEngine([registered("a::one"), registered("b::two"), registered("c::three"), registered("d::four")]);
  engine.intercept = ({ functionId }) =>
    functionId === INFO
      ? {
          functions: [
            { name: "d::four", description: "Four." },
            { function_id: "a::one", error: null },
            { id: "b::two", metadata: { internal: true } },
            { description: "nobody" },
            { function_id: "c::three", parameters: { properties: { x: {} } } },
          ],
        }
      : undefined;
  const built = await buildOver(engine);
  await built.catalog.refresh({}, newContext());
  const { functions } = await built.catalog.describe({}, newContext());
  assert.equal(
    functions.map(({ functionId, parameterNames }) => [functionId, parameterNames]),
    [
      ["c::three", ["x"]],
      ["d::four", []],
    ],
  );
  await built.stop();
});

test("spec 05 §14 row 33: a malformed batch contributes nothing, the others do", async () => {
  const engine = new FakeEngine(many(70));
  let calls = 0;
  engine.intercept = ({ functionId }) => (functionId === INFO && ++calls === 2 ? { functions: "none" } : undefined);
  const built = await timed(engine);
  await built.timer.advance(20);
  assert.is((await ids(built)).length, 38);
  await built.timer.advance(200);
  assert.is((await ids(built)).length, 70, "and what it was about is read soon after");
  await built.stop();
});

test("spec 01 §4.2: contracts are asked for 32 a call, every call has a time-out and may be repeated", async () => {
  const { engine } = await catalogOf(many(65));
  const batches = engine.calls
    .filter((call) => call.functionId === INFO)
    .map((call) => (call.payload as { function_ids: string[] }).function_ids.length);
  assert.equal(batches.slice(0, 3), [32, 32, 1]);
  assert.ok(engine.calls.every((call) => call.timeoutMs === 5_000 && call.idempotent === true));
  assert.equal(engine.calls[0]?.payload, {});
});

test("spec 05 §15 row 15: at boot it tries on, with growing pauses, until the engine answers", async () => {
  const engine = new FakeEngine([registered("a::b")]);
  engine.intercept = failing(LIST);
  const built = await timed(engine);
  await built.timer.advance(20);
  assert.not((await built.catalog.snapshot({}, newContext())).known);
  const pauses: number[] = [];
  for (let failure = 0; failure < 8; failure++) {
    const [pause = 0] = built.timer.waiting;
    pauses.push(pause);
    await built.timer.advance(pause + 20);
  }
  assert.equal(pauses, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  engine.intercept = () => undefined;
  await built.timer.advance(5_020);
  assert.equal(await ids(built), ["a::b"]);
  assert.equal(built.timer.waiting, [30_000]);
  await built.stop();
});

test("spec 05 §15 row 15: announcements that come together, or during a reading, share one", async () => {
  const built = await timed(new FakeEngine([registered("a::b")]));
  await built.timer.advance(20);
  assert.is(count(built.engine, LIST), 1);
  const release = hold(built.engine, LIST);
  const first = [1, 2, 3].map(() => built.catalog.refresh({ event: "functions_changed" }, newContext()));
  await built.timer.advance(20);
  const during = [1, 2, 3].map(() => built.catalog.refresh({ event: "functions_changed" }, newContext()));
  release();
  await Promise.all(first);
  await built.timer.advance(20);
  await Promise.all(during);
  assert.is(count(built.engine, LIST), 3);
  await built.stop();
});

/** Keeps the calls of one kind waiting until the result is called. */
function hold(engine: FakeEngine, functionId: string): () => void {
  let release = (): void => {};
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  engine.intercept = async (call) => {
    if (call.functionId !== functionId) return undefined;
    const answer = engine.answer(call);
    await opened;
    return answer;
  };
  return release;
}

test("I7: twenty registrations during a refresh: what is published is one list, whole", async () => {
  const engine = new FakeEngine(many(100));
  const built = await timed(engine);
  await built.timer.advance(20);
  const before = await ids(built);
  engine.functions = [...many(100), registered("late::first")];
  const release = hold(engine, INFO);
  const refreshed = built.catalog.refresh({ event: "functions_changed" }, newContext());
  await built.timer.advance(20);
  for (let at = 0; at < 20; at++) {
    engine.functions = [...engine.functions, registered(`late::more${at}`)];
    built.catalog.refresh({ event: "functions_changed" }, newContext()).catch(() => {});
    await settle();
    assert.equal(await ids(built), before);
  }
  release();
  await refreshed;
  assert.equal(await ids(built), [...before, "late::first"]);
  await built.timer.advance(20);
  assert.is((await ids(built)).length, 121);
  await built.stop();
});

test("I7: a large change is built beside the live index: searches meanwhile see the old list, whole", async () => {
  const built = await catalogOf([registered("tide::next", "Time of the next high tide.")]);
  built.engine.functions = [registered("tide::last", "Time of the last high tide."), ...many(3_000)];
  const refreshed = built.catalog.refresh({ event: "functions_changed" }, newContext());
  let done = false;
  refreshed.then(() => {
    done = true;
  });
  while (!done) {
    const [lane, listed] = [await found(built, "high tide time"), await ids(built)];
    assert.equal(listed.includes("tide::next") ? lane : ["tide::next"], ["tide::next"]);
    await new Promise(setImmediate);
  }
  assert.equal(await found(built, "high tide time"), ["tide::last"]);
});

test("I8, decision 29: a function is found as soon as its announcement is handled, well within a second", async () => {
  const built = await timed(new FakeEngine(many(500)));
  await built.timer.advance(20);
  built.engine.functions = [...many(500), registered("tide::next", "Time of the next high tide.")];
  const refreshed = built.catalog.refresh({ event: "functions_changed" }, newContext());
  await built.timer.advance(1_000);
  await refreshed;
  assert.equal(await found(built, "next high tide"), ["tide::next"]);
  await built.stop();
});

test("I8, decision 29: without any announcement the list is read again every half minute", async () => {
  const built = await timed(new FakeEngine(many(3)));
  await built.timer.advance(20);
  built.engine.functions = [...many(3), registered("tide::next", "Time of the next high tide.")];
  await built.timer.advance(29_999);
  assert.equal(await found(built, "next high tide"), []);
  await built.timer.advance(50);
  assert.equal(await found(built, "next high tide"), ["tide::next"]);
  await built.stop();
});

test("decision 29: a schema that changes without a sign is noticed by the rolling check", async () => {
  const engine = new FakeEngine(many(300));
  const built = await timed(engine);
  await built.timer.advance(20);
  engine.functions = many(300).map((row) => ({ ...row, parameters: { type: "object", properties: { lagoon: {} } } }));
  for (let look = 0; look < 3; look++) await built.timer.advance(30_020);
  const { functions } = await built.catalog.describe({}, newContext());
  assert.ok(functions.every(({ parameterNames }) => parameterNames[0] === "lagoon"));
  await built.stop();
});

test("decision 29: an announcement reads the contracts of new ids only", async () => {
  const built = await catalogOf(many(300));
  const before = count(built.engine, INFO);
  built.engine.functions = [...many(300), registered("tide::next")];
  await built.catalog.refresh({ event: "functions_changed" }, newContext());
  assert.is(count(built.engine, INFO), before + 1);
});

test("S18: a description that is replaced is searched by its new words only, and the contract is new", async () => {
  const built = await catalogOf([registered("tide::next", "Time of the next high tide."), registered("a::b")]);
  const { fingerprint } = await built.catalog.snapshot({}, newContext());
  built.engine.functions = [registered("tide::next", "Departure of the coming train."), registered("a::b")];
  await built.catalog.refresh({ event: "functions_changed" }, newContext());
  assert.equal(await found(built, "time high"), []);
  assert.equal(await found(built, "coming train departure"), ["tide::next"]);
  const { functions } = await built.catalog.describe({ functionIds: ["tide::next", "no::pe"] }, newContext());
  assert.equal(
    functions.map((row) => row.description),
    ["Departure of the coming train."],
  );
  assert.is.not((await built.catalog.snapshot({}, newContext())).fingerprint, fingerprint);
});

test("S20: our descriptions are the same whatever is registered", async () => {
  const before = JSON.stringify(FUNCTIONS.map(({ id, description }) => [id, description]));
  await catalogOf(many(50));
  assert.is(JSON.stringify(FUNCTIONS.map(({ id, description }) => [id, description])), before);
  assert.not.match(FUNCTIONS.find(({ id }) => id === "directory::search_functions")?.description ?? "", /\d{2,} functions/);
});

test("S21: an id listed twice: one is taken, whichever order the list has, and its owner is named", async () => {
  const rows = [
    { function_id: "coast::read", worker_name: "west", description: "West coast." },
    { function_id: "coast::read", worker_name: "east", description: "East coast." },
    { function_id: "coast::read", worker_name: "abroad", namespace: "elsewhere" },
  ];
  for (const list of [rows, rows.toReversed()]) {
    const engine = new FakeEngine([]);
    engine.intercept = ({ functionId }) => {
      if (functionId === LIST) return { functions: list };
      return functionId === INFO ? { functions: [{ function_id: "coast::read", description: "East coast." }] } : undefined;
    };
    const built = await buildOver(engine);
    await built.catalog.refresh({}, newContext());
    const { functions } = await built.catalog.describe({}, newContext());
    assert.equal(
      functions.map(({ functionId, worker }) => [functionId, worker]),
      [["coast::read", "east"]],
    );
    await built.stop();
  }
});

test("S30: twenty queries: the rows of a lane have scores of their own, not one for all", async () => {
  const words = ["tide", "moon", "reef", "lagoon", "harbour"];
  const pairs = words.flatMap((word) => words.filter((other) => other !== word).map((other) => [word, other] as const));
  const functions = pairs.map(([word, other], at) =>
    registered(`${word}::${other}`, `Chart the ${word} near the ${other} in ${"calm ".repeat(at % 7)}water.`),
  );
  const { catalog } = await catalogOf(functions);
  const { lanes } = await catalog.rank({ lanes: pairs.map(([word, other]) => `chart ${word} or ${other} water`) }, newContext());
  assert.is(lanes.length, 20);
  const spread = lanes.filter(({ rows }) => new Set(rows.map((row) => row.score)).size > 1);
  assert.ok(spread.length >= 10, `${spread.length} of 20 lanes have different scores`);
});

test("S31: a function that leaves and returns within moments is found after the refresh", async () => {
  const tide = registered("tide::next", "Time of the next high tide.");
  const engine = new FakeEngine([tide, registered("a::b")]);
  const built = await timed(engine);
  await built.timer.advance(20);
  engine.functions = [registered("a::b")];
  built.catalog.refresh({ event: "functions_changed" }, newContext()).catch(() => {});
  await built.timer.advance(20);
  assert.equal(await found(built, "next high tide"), []);
  engine.functions = [tide, registered("a::b")];
  built.catalog.refresh({ event: "functions_changed" }, newContext()).catch(() => {});
  await built.timer.advance(20);
  assert.equal(await found(built, "next high tide"), ["tide::next"]);
  await built.stop();
});

test("S31: listed, but gone when its contract is asked for, and back: no announcement comes, it is found all the same", async () => {
  const engine = new FakeEngine([registered("a::b"), registered("tide::next", "Time of the next high tide.")]);
  engine.intercept = (call) => {
    if (call.functionId !== INFO) return undefined;
    engine.intercept = () => undefined;
    return { functions: [{ function_id: "a::b" }, { function_id: "tide::next", error: "not_found" }] };
  };
  const built = await timed(engine);
  await built.timer.advance(20);
  assert.equal(await ids(built), ["a::b"]);
  await built.timer.advance(120);
  assert.equal(await found(built, "next high tide"), ["tide::next"]);
  await built.stop();
});

test("S34: one batch of eight fails: the last good contracts of what is still listed stay", async () => {
  const built = await catalogOf(many(256));
  let calls = 0;
  built.engine.functions = many(256).slice(1);
  built.engine.intercept = (call) => (call.functionId === INFO && ++calls === 3 ? failing(INFO)(call) : undefined);
  await built.catalog.refresh({}, newContext());
  assert.is(calls, 8);
  assert.equal(
    await ids(built),
    many(256)
      .slice(1)
      .map(({ id }) => id),
  );
});

test("spec 05 §2: no batch answers and nothing was known: the refresh fails, nothing is published", async () => {
  const engine = new FakeEngine(many(40));
  engine.intercept = failing(INFO);
  const built = await buildOver(engine);
  const error = await rejection(built.catalog.refresh({}, newContext()));
  assert.match(error.message, "catalog_fetch_failed");
  assert.not((await built.catalog.snapshot({}, newContext())).known);
  await built.stop();
});

test("spec 11: a list without our own functions is never published", async () => {
  const engine = new FakeEngine(many(5));
  const built = await timed(engine, { ownFunctionIds: ["directory::skills::list"] });
  await built.timer.advance(60_000);
  assert.not((await built.catalog.snapshot({}, newContext())).known);
  engine.functions = [...many(5), registered("directory::skills::list")];
  await built.timer.advance(6_000);
  assert.is((await ids(built)).length, 6);
  engine.functions = many(4);
  built.catalog.refresh({ event: "functions_changed" }, newContext()).catch(() => {});
  await built.timer.advance(6_000);
  assert.is((await ids(built)).length, 6);
  await built.stop();
});

test("spec 11: our own functions are waited for within one refresh, because the engine lists them late", async () => {
  const engine = new FakeEngine(many(2));
  let lists = 0;
  engine.intercept = ({ functionId }) => {
    if (functionId === LIST && ++lists === 3) engine.functions = [...many(2), registered("directory::skills::list")];
    return undefined;
  };
  const built = await buildOver(engine, { ownFunctionIds: ["directory::skills::list"], times: { retryMs: 1 } });
  await built.catalog.refresh({}, newContext());
  assert.is((await ids(built)).length, 3);
  await built.stop();
});

test("spec 05 §14 row 40: 64 changes at once: the index is that of the catalog that is live", async () => {
  const built = await catalogOf(many(5));
  const changes = Array.from({ length: 64 }, async (_, at) => {
    built.engine.functions = [...many(5), registered("tide::next", `Tide number${at} rises.`)];
    await built.catalog.refresh({ event: "functions_changed" }, newContext());
  });
  await Promise.all(changes);
  const { functions } = await built.catalog.describe({ functionIds: ["tide::next"] }, newContext());
  assert.equal(functions[0]?.description, "Tide number63 rises.");
  assert.equal(await found(built, "tide number63"), ["tide::next"]);
  assert.equal(await found(built, "number62 rises"), []);
  const { fingerprint } = await built.catalog.rank({ lanes: [] }, newContext());
  assert.is(fingerprint, (await built.catalog.snapshot({}, newContext())).fingerprint);
});

test("spec 05 §3.3: an unchanged catalog keeps its fingerprint, and so does one with other later sentences", async () => {
  const built = await catalogOf([registered("a::b", "One. Two.")]);
  const { fingerprint } = await built.catalog.snapshot({}, newContext());
  built.engine.functions = [registered("a::b", "One. Three.")];
  await built.catalog.refresh({}, newContext());
  assert.is((await built.catalog.snapshot({}, newContext())).fingerprint, fingerprint);
});

test("the engine goes away and returns: the last catalog serves, then the new one", async () => {
  const engine = new FakeEngine([registered("a::b")]);
  const built = await timed(engine);
  await built.timer.advance(20);
  engine.intercept = failing(LIST);
  await built.timer.advance(90_000);
  assert.equal(await ids(built), ["a::b"]);
  engine.intercept = () => undefined;
  engine.functions = [registered("c::d")];
  await built.timer.advance(6_000);
  assert.equal(await ids(built), ["c::d"]);
  await built.stop();
});

test("namespaces of the snapshot are those of ids that have one", async () => {
  const built = await catalogOf([registered("b::x"), registered("a::x"), registered("a::y"), registered("publish")]);
  const snapshot = await built.catalog.snapshot({}, newContext());
  assert.equal(snapshot.namespaces, ["a", "b"]);
  assert.equal(snapshot.functionIds, ["a::x", "a::y", "b::x", "publish"]);
});

test("a reading of many contracts lets timers and searches of the thread have their turns", async () => {
  const built = await catalogOf([registered("a::b")]);
  built.engine.functions = many(6_400);
  let turns = 0;
  let reading = true;
  const count = (): void => {
    turns++;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  await built.catalog.refresh({ event: "functions_changed" }, newContext());
  reading = false;
  assert.ok(turns >= 200 / 8, `${turns} turns in 200 batches, eight at a time`);
});

test("a schema nested without end costs the function its schema, not its place", async () => {
  let required: unknown = [];
  for (let depth = 0; depth < 100_000; depth++) required = [required];
  const built = await catalogOf([{ ...registered("odd::deep"), parameters: { type: "object", required } }, registered("a::b")]);
  assert.equal(await ids(built), ["a::b", "odd::deep"]);
});

test.run();
