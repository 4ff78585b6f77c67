/**
 * Kills an actor from the inside, without a line of test code in the actor: tests load this module into each thread with
 * `--import`, and orders arrive on a broadcast channel. It is also imported by the tests themselves, for `order`, and by whole worker
 * processes, which get their orders from the test by message.
 */
import { BroadcastChannel, isMainThread, workerData } from "node:worker_threads";
import type { ActorName } from "../../protocol/actors.js";
import type { ThreadStart } from "../../protocol/thread.js";

export type Fault = "exit" | "throw in a timer" | "endless loop" | "heap exhaustion" | "buffer exhaustion";

export const FAULTS: readonly Fault[] = ["exit", "throw in a timer", "endless loop", "heap exhaustion", "buffer exhaustion"];

interface FaultOrder {
  readonly actor: ActorName;
  readonly fault: Fault;
}

/** For `execArgv` of the threads. */
export const LOAD_FAULTS: readonly string[] = ["--import", import.meta.url];

const channel = new BroadcastChannel("faults");
channel.unref();

export function order(actor: ActorName, fault: Fault): void {
  channel.postMessage({ actor, fault } satisfies FaultOrder);
}

const hoard: unknown[] = [];

const CAUSES: Readonly<Record<Fault, () => void>> = {
  exit: () => process.exit(0),
  "throw in a timer": () => {
    setTimeout(() => {
      throw new Error("thrown by a test");
    });
  },
  "endless loop": () => {
    for (;;) hoard.length = 0;
  },
  "heap exhaustion": () => {
    for (;;) hoard.push({ text: `x${Math.random()}` });
  },
  "buffer exhaustion": () => {
    setInterval(() => hoard.push(Buffer.alloc(16 << 20, 1)), 5);
  },
};

if (isMainThread) {
  if (process.send !== undefined) process.on("message", ({ actor, fault }: FaultOrder) => order(actor, fault));
  process.channel?.unref();
} else {
  channel.onmessage = (event) => {
    const { actor, fault } = (event as { readonly data: FaultOrder }).data;
    // A pool of threads below an actor loads this module too; only the actor's own thread has its name.
    if ((workerData as Partial<ThreadStart> | undefined)?.name === actor) CAUSES[fault]();
  };
}
