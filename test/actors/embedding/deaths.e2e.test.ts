/**
 * The embedding actor dies while the network computes. In a thread the native runtime would take the whole process along; that this file
 * reaches its end is the proof that it doesn't.
 */
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { EmbeddingActor } from "../../../protocol/actors/embedding.js";
import type { Supervisor } from "../../../supervisor/supervisor.js";
import { newContext } from "../../harness/context.js";
import { FAULTS, order } from "../../harness/faults.js";
import { eventually } from "../../harness/peer.js";
import { PATIENT_PULSE, QUICK_PULSE, supervised } from "../../harness/supervised.js";

const LOADING_MS = 60_000;
const LONG = "A sentence about the tides and the moon, which the network has to read word by word. ".repeat(8);
const TEXTS = Array.from({ length: 24 }, (_, at) => `${at}: ${LONG}`);

async function embedding(pulse: typeof QUICK_PULSE, body: (supervisor: Supervisor) => Promise<void>): Promise<void> {
  const supervisor = supervised({ actors: ["embedding"], functions: [], pulse });
  try {
    await answers(supervisor.actors.embedding);
    await body(supervisor);
  } finally {
    await supervisor.stop();
  }
  await eventually("no process of it is left", () => livingChildren().length === 0);
}

async function answers(actor: EmbeddingActor): Promise<void> {
  const { vectors, dimensions } = await actor.embedQueries({ texts: ["send mail"] }, newContext(LOADING_MS));
  assert.is(vectors.length, dimensions);
}

/** Gives the network more to do than it can in the time of a test, and returns when it is at work. */
async function occupy(actor: EmbeddingActor): Promise<void> {
  actor.embedDocuments({ texts: TEXTS }, newContext(LOADING_MS)).catch(() => {});
  await sleep(150);
}

/** What the process has started and what still runs; a process that ended and wasn't waited for isn't counted. */
function livingChildren(): string[] {
  const rows = execFileSync("ps", ["-o", "stat=,args=", "--ppid", String(process.pid)], { encoding: "utf8" }).split("\n");
  return rows.filter((row) => row !== "" && !row.startsWith("Z") && !row.includes("ps -o"));
}

test("restarts while the network computes, and a stop", async () => {
  await embedding(QUICK_PULSE, async (supervisor) => {
    for (let time = 0; time < 3; time++) {
      await occupy(supervisor.actors.embedding);
      supervisor.restart("embedding");
      await answers(supervisor.actors.embedding);
    }
    await occupy(supervisor.actors.embedding);
  });
});

for (const fault of FAULTS) {
  test(`${fault} while the network computes`, async () => {
    await embedding(fault === "heap exhaustion" ? PATIENT_PULSE : QUICK_PULSE, async (supervisor) => {
      await occupy(supervisor.actors.embedding);
      order("embedding", fault);
      await eventually("dead", () => (supervisor.status("embedding")?.restarts ?? 0) > 0, 30_000);
      await answers(supervisor.actors.embedding);
    });
  });
}

test.run();
