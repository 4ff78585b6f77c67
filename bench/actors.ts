/** What supervision costs and how fast it notices: a call beside a bare message port, and a pending call when its thread exits. */
import { MessageChannel } from "node:worker_threads";
import type { DirectoryError } from "../protocol/errors.js";
import { newContext } from "../test/harness/context.js";
import { order } from "../test/harness/faults.js";
import { supervised } from "../test/harness/supervised.js";
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

  const waits: number[] = [];
  for (let death = 0; death < DEATHS; death++) waits.push(await untilRejected(supervisor));
  await supervisor.stop();
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
      { what: "exit seen to pending call rejected, p50", value: round(median(waits)), unit: "ms", limit: 10 },
      { what: "exit seen to pending call rejected, longest", value: round(Math.max(...waits)), unit: "ms", limit: 10 },
    ],
  };
}

/** A write can't be sent again, so it is rejected by the death: the time between the thread's end and that. */
async function untilRejected(supervisor: ReturnType<typeof supervised>): Promise<number> {
  const { catalog } = supervisor.actors;
  await catalog.snapshot({}, newContext());
  let endedAt = 0;
  const before = supervisor.status("catalog")?.restarts ?? 0;
  const watch = setInterval(() => {
    if (endedAt === 0 && (supervisor.status("catalog")?.restarts ?? 0) > before) endedAt = performance.now();
  });
  order("catalog", "exit");
  const pending = Array.from({ length: 8 }, () => catalog.refresh({}, newContext(20_000)).catch((error: DirectoryError) => error));
  await Promise.all(pending);
  clearInterval(watch);
  return endedAt === 0 ? 0 : Math.max(0, performance.now() - endedAt);
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
