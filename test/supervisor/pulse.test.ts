/** Pulse and restart policy with a clock of their own. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PULSE } from "../../protocol/thread.js";
import { PulseWatch } from "../../supervisor/pulse.js";
import { RestartPolicy } from "../../supervisor/restart-policy.js";

const LIMITS = { beatMs: 250, hangAfterMs: 3_000, bootMs: 30_000 };
const MEMORY = { heapKiB: 1024, bufferKiB: 1024 };

function watch(): { slots: Int32Array; tick: (times?: number) => string | undefined } {
  const shared = new SharedArrayBuffer(PULSE.slots * Int32Array.BYTES_PER_ELEMENT);
  const pulse = new PulseWatch(shared, LIMITS, MEMORY);
  return {
    slots: new Int32Array(shared),
    tick: (times = 1) => {
      let verdict: string | undefined;
      for (let time = 0; time < times && verdict === undefined; time++) verdict = pulse.tick();
      return verdict;
    },
  };
}

test("a thread that beats is left alone, one that stops is hung after 3 s", () => {
  const { slots, tick } = watch();
  for (let beat = 1; beat < 100; beat++) {
    slots[PULSE.beats] = beat;
    assert.is(tick(), undefined);
  }
  assert.is(tick(11), undefined);
  assert.is(tick(), "hung");
});

test("booting has a limit of its own", () => {
  const { tick } = watch();
  assert.is(tick(119), undefined);
  assert.is(tick(), "boot");
});

for (const [slot, verdict] of [
  [PULSE.heapKiB, "heap"],
  [PULSE.bufferKiB, "buffers"],
] as const) {
  test(`more memory than allowed ends the thread: ${verdict}`, () => {
    const { slots, tick } = watch();
    slots[PULSE.beats] = 1;
    slots[slot] = 1025;
    assert.is(tick(), verdict);
  });
}

test("back-off doubles from 100 ms to 1.6 s, the sixth death in 60 s degrades, a quiet minute heals", () => {
  const policy = new RestartPolicy(undefined, () => 1);
  const delays = [0, 1, 2, 3, 4].map((now) => policy.afterDeath(now).delayMs);
  assert.equal(delays, [100, 200, 400, 800, 1600]);
  assert.equal(policy.afterDeath(5), { kind: "probe", delayMs: 30_000 });
  assert.is(policy.afterDeath(30_000).kind, "probe", "a probe that dies soon has not proved itself");
  assert.is(policy.afterDeath(100_000).kind, "restart");
});

test.run();
