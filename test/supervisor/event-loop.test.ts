/** The delay of the main thread: what blocks it is seen once, and reading it begins anew. */
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { EventLoopWatch } from "../../supervisor/event-loop.js";
import { eventually } from "../harness/peer.js";

const BLOCKED_MS = 200;
const SAMPLES_MS = 50;

test("a blocked thread is late by as long as it was blocked, and the next reading forgets it", async () => {
  const watch = new EventLoopWatch();
  // A delay is the time from one sample to the next: there has to be one before and one after.
  await eventually("a block is seen", async () => {
    await sleep(SAMPLES_MS);
    block();
    await sleep(SAMPLES_MS);
    return watch.read().max >= BLOCKED_MS / 2;
  });
  assert.equal(watch.read(), { p50: 0, p99: 0, max: 0 });
  watch.stop();
});

function block(): void {
  const end = performance.now() + BLOCKED_MS;
  while (performance.now() < end);
}

test.run();
