import { test } from "uvu";
import * as assert from "uvu/assert";
import type { CatalogSnapshotReply } from "../../../protocol/actors/catalog.js";
import type { Supervisor } from "../../../supervisor/supervisor.js";
import { newContext } from "../../harness/context.js";
import { type Fault, order } from "../../harness/faults.js";
import { supervised } from "../../harness/supervised.js";

const FUNCTIONS = [
  { id: "tide::next", description: "Time of the next high tide." },
  { id: "tide::last", description: "Time of the last low tide." },
];
const PATIENCE_MS = 30_000;

async function known(supervisor: Supervisor): Promise<CatalogSnapshotReply> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const snapshot = await supervisor.actors.catalog.snapshot({}, newContext(PATIENCE_MS));
    if (snapshot.known || Date.now() > end) return snapshot;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

for (const fault of ["exit", "throw in a timer", "endless loop"] satisfies Fault[]) {
  test(`design §4: after its thread died (${fault}) the catalog reads itself again, nobody has to ask`, async () => {
    const supervisor = supervised({ actors: ["catalog"], functions: FUNCTIONS });
    try {
      const before = await known(supervisor);
      assert.equal(before.functionIds, ["tide::last", "tide::next"]);
      order("catalog", fault);
      while ((supervisor.status("catalog")?.restarts ?? 0) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(await known(supervisor), before);
      const { lanes } = await supervisor.actors.catalog.rank({ lanes: ["next high tide", "tide::last"] }, newContext(PATIENCE_MS));
      assert.equal(
        lanes.map(({ rows }) => rows.map((row) => row.functionId)),
        [["tide::next"], ["tide::last"]],
      );
    } finally {
      await supervisor.stop();
    }
  });
}

test.run();
