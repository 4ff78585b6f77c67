/** The catalog over the embedded engine: real lists, real announcements. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { RunningEngine } from "../../../actors/engine/engine.js";
import type { CatalogActor } from "../../../protocol/actors/catalog.js";
import { DirectoryError } from "../../../protocol/errors.js";
import { buildOn } from "../../harness/catalogue.js";
import { newContext } from "../../harness/context.js";
import { startTestEngine } from "../../harness/engine.js";
import { eventually, Peer } from "../../harness/peer.js";

const OWN = "directory::search_functions";
const REFRESH = "directory::on-functions-change";
/** Announcement of the engine, here 50 ms, plus what fault I8 allows. */
const FRESH_MS = 50 + 1_000;

interface Live {
  readonly engine: RunningEngine;
  readonly catalog: CatalogActor;
  readonly worker: Peer;
}

async function live(body: (live: Live) => Promise<void>): Promise<void> {
  const engine = await startTestEngine();
  const own = await Peer.hello(engine.url, "iii-directory");
  const call = ({ functionId, payload }: { functionId: string; payload: unknown }): Promise<unknown> =>
    own.call(functionId, payload).catch((error: Error) => {
      throw new DirectoryError("engine_error", error.message);
    });
  const built = await buildOn({ call }, { ownFunctionIds: [OWN] });
  await own.serve(
    REFRESH,
    (event) => {
      return built.catalog.refresh(event as { event: string }, newContext());
    },
    { metadata: { internal: true } },
  );
  await own.serve(OWN);
  await own.bind("push", "engine::functions-available", REFRESH);
  const worker = await Peer.hello(engine.url, "tides", { description: "Knows the sea." });
  try {
    await eventually("known", async () => (await built.catalog.snapshot({}, newContext())).known);
    await body({ engine, catalog: built.catalog, worker });
  } finally {
    await built.stop();
    await worker.close();
    await own.close();
    await engine.close();
  }
}

async function found(catalog: CatalogActor, capability: string): Promise<string[]> {
  const { lanes } = await catalog.rank({ lanes: [capability] }, newContext());
  return lanes.flatMap(({ rows }) => rows.map((row) => row.functionId));
}

async function tides(catalog: CatalogActor): Promise<string[]> {
  const { functionIds } = await catalog.snapshot({}, newContext());
  return functionIds.filter((id) => id.startsWith("tide::"));
}

test("I8: a function registered now is found within the announcement plus a second", async () => {
  await live(async ({ catalog, worker }) => {
    await worker.serve("tide::next", undefined, { description: "Time of the next high tide." });
    await eventually("found", async () => (await found(catalog, "next high tide")).length > 0, FRESH_MS);
    const { functions } = await catalog.describe({ functionIds: ["tide::next"] }, newContext());
    assert.equal(functions, [
      {
        functionId: "tide::next",
        namespace: "tide",
        worker: "tides",
        description: "Time of the next high tide.",
        parameterNames: [],
      },
    ]);
  });
});

test("S31: unregistered and registered again within 200 ms: found after the refresh window", async () => {
  await live(async ({ catalog, worker }) => {
    await worker.serve("tide::next", undefined, { description: "Time of the next high tide." });
    await eventually("found", async () => (await found(catalog, "next high tide")).length > 0);
    worker.send({ type: "unregisterfunction", id: "tide::next" });
    await new Promise((resolve) => setTimeout(resolve, 120));
    await worker.serve("tide::next", undefined, { description: "Time of the next spring tide." });
    await eventually("found again", async () => (await found(catalog, "next spring tide")).length > 0, FRESH_MS);
  });
});

test("I7: registrations go on during refreshes: every published catalogue is a beginning of what was registered", async () => {
  await live(async ({ catalog, worker }) => {
    const order = Array.from({ length: 60 }, (_, at) => `tide::n${String(at).padStart(2, "0")}`);
    for (const id of order) {
      await worker.serve(id, undefined, { description: "Knows the tide." });
      const published = await tides(catalog);
      assert.equal(published, order.slice(0, published.length));
    }
    await eventually("all", async () => (await tides(catalog)).length === order.length);
  });
});

test("a worker that leaves takes its functions out of the search", async () => {
  await live(async ({ engine, catalog }) => {
    const passing = await Peer.hello(engine.url, "passing");
    await passing.serve("ferry::timetable", undefined, { description: "Departures of the ferry." });
    await eventually("found", async () => (await found(catalog, "departures of the ferry")).length > 0);
    await passing.close();
    await eventually("gone", async () => (await found(catalog, "departures of the ferry")).length === 0, FRESH_MS);
  });
});

test.run();
