/** What supervision costs and how fast it notices: a call beside a bare message port, and a pending call when its thread exits. */

import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import { DEFAULT_CONFIGURATION } from "../domain/configuration.js";
import { CONTRACTS, type Peers } from "../protocol/actors.js";
import { ActorHandle } from "../supervisor/actor-handle.js";
import { type Incarnation, startThread } from "../supervisor/incarnation.js";
import { RestartPolicy } from "../supervisor/restart-policy.js";
import { newContext } from "../test/harness/context.js";
import { LOAD_FAULTS, order } from "../test/harness/faults.js";
import { QUICK_PULSE, supervised, testSurroundings } from "../test/harness/supervised.js";
import { interleave, median, percentile, round } from "./measure.js";
import type { Findings } from "./results.js";

const ROUNDS = 2_000;
const DEATHS = 20;

export async function run(): Promise<Findings> {
  const supervisor = supervised({ actors: ["catalog"], functions: [] });
  await supervisor.ready("catalog");
  const { catalog } = supervisor.actors;
  const channel = echoChannel();
  const times = await interleave({ bare: channel.ask, call: () => catalog.snapshot({}, newContext()) }, ROUNDS);
  channel.close();

  await supervisor.stop();
  const waits = await rejections();
  return {
    subject: "actors",
    findings: [
      {
        what: "supervised call to a thread, over a bare port in one thread, p50",
        value: round(median(times.call) / median(times.bare)),
        unit: "×",
      },
      { what: "supervised call, p50", value: round(median(times.call)), unit: "ms" },
      { what: "supervised call, p99", value: round(percentile(times.call, 0.99)), unit: "ms" },
      { what: "order to exit until the pending call is rejected, p50", value: round(median(waits)), unit: "ms", limit: 10 },
      { what: "order to exit until the pending call is rejected, longest", value: round(Math.max(...waits)), unit: "ms" },
    ],
  };
}

/**
 * A call that may not be sent again is rejected by the death of its thread. From the order to exit to the rejection: an upper bound, the
 * order's own way and the end of the thread are in it.
 */
async function rejections(): Promise<number[]> {
  const waits: number[] = [];
  for (let death = 0; death < DEATHS; death++) {
    const handle = new ActorHandle({
      name: "catalog",
      contract: { ...CONTRACTS.catalog, methods: { refresh: { idempotent: false, timeoutMs: 20_000 } } },
      policy: new RestartPolicy(),
      spawn: () => spawnSilent(),
      stuckAfterMs: 3_000,
    });
    await handle.ready;
    const pending = handle.call("refresh", {}, newContext(20_000)).catch((error: unknown) => error);
    await sleep(20);
    const begin = performance.now();
    order("catalog", "exit");
    await pending;
    waits.push(performance.now() - begin);
    await handle.stop();
  }
  return waits;
}

/** A catalog whose engine never answers, so that its refresh is pending. */
function spawnSilent(): Incarnation {
  const silent = (): Promise<never> => new Promise(() => {});
  return startThread({
    name: "catalog",
    entry: new URL("../actors/catalog/actor.js", import.meta.url),
    peers: { bus: { call: silent } } as unknown as Peers,
    pulse: QUICK_PULSE,
    memory: { heapKiB: 2 ** 20, bufferKiB: 2 ** 20 },
    configuration: { generation: 1, values: DEFAULT_CONFIGURATION },
    surroundings: testSurroundings(),
    execArgv: LOAD_FAULTS,
  });
}

function echoChannel(): { ask: () => Promise<unknown>; close: () => void } {
  const { port1, port2 } = new MessageChannel();
  port2.on("message", (message) => port2.postMessage(message));
  const ask = (): Promise<unknown> =>
    new Promise((resolve) => {
      port1.once("message", resolve);
      port1.postMessage({});
    });
  return { ask, close: () => port1.close() };
}
