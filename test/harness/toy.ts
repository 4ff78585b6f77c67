/** A real thread under a real handle, with limits small enough to reach: for faults that an actor of the product can't be asked for. */
import { DEFAULT_CONFIGURATION } from "../../domain/configuration.js";
import type { Peers } from "../../protocol/actors.js";
import { ActorHandle } from "../../supervisor/actor-handle.js";
import { type Ending, startThread } from "../../supervisor/incarnation.js";
import { RestartPolicy } from "../../supervisor/restart-policy.js";
import { QUICK_PULSE, QUICK_RESTARTS, testSurroundings } from "./supervised.js";

/** What a call may ask for in `deed`; a call without one is answered with its own request. */
export type Deed = "exit" | "log and exit" | "throw in a timer" | "loop" | "hoard 200 MiB" | "throw" | "silence";

const MEMORY_MIB = 64;

export interface Toy {
  readonly handle: ActorHandle;
  /** Every death, in its order. */
  readonly endings: Ending[];
}

/** `read` is idempotent, `write` isn't. */
export function newToy(logLevel = "silent"): Toy {
  const endings: Ending[] = [];
  const handle = new ActorHandle({
    name: "toy",
    contract: {
      methods: { read: { idempotent: true, timeoutMs: 10_000 }, write: { idempotent: false, timeoutMs: 10_000 } },
      mailboxLimit: 64,
      window: 4,
      heapLimitMiB: MEMORY_MIB,
      bufferLimitMiB: MEMORY_MIB,
    },
    policy: new RestartPolicy(QUICK_RESTARTS),
    spawn: () =>
      startThread({
        name: "fs",
        entry: new URL("./toy-actor.js", import.meta.url),
        peers: {} as Peers,
        pulse: QUICK_PULSE,
        memory: { heapKiB: MEMORY_MIB * 1024, bufferKiB: MEMORY_MIB * 1024 },
        configuration: { generation: 1, values: DEFAULT_CONFIGURATION },
        surroundings: { ...testSurroundings(), logLevel },
      }),
    stuckAfterMs: QUICK_PULSE.hangAfterMs,
    onEnded: (ending) => endings.push(ending),
  });
  return { handle, endings };
}
