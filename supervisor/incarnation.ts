/**
 * One life of an actor: a thread, its two ports and its pulse. It ends once and is never reused; the next life gets new ports, and
 * that alone is why an answer of the old thread can't reach a call of the new one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { offer, reach, release } from "../border/comlink.js";
import type { ActorName, Peers } from "../protocol/actors.js";
import type { CallContext } from "../protocol/call.js";
import type { ConfigurationSnapshot } from "../protocol/configuration.js";
import { type Inbox, PULSE, type Surroundings, type ThreadStart } from "../protocol/thread.js";
import { environmentWithoutSecrets } from "./environment.js";
import { type MemoryLimits, type PulseLimits, type PulseVerdict, PulseWatch, type ThreadMemory } from "./pulse.js";

export type EndReason = PulseVerdict | "stuck" | "requested" | "stopped";

export interface Ending {
  /** Why the supervisor ended it; absent when it died by itself. */
  readonly reason?: EndReason;
  /** For the log and the status: exit code or the error that killed it. */
  readonly cause: string;
}

export interface Incarnation {
  readonly ready: Promise<void>;
  /** Resolves when the thread is gone, however it went. Never rejects. */
  readonly ended: Promise<Ending>;
  /** Pending for ever when the thread dies first. */
  send(method: string, request: unknown, context: CallContext): Promise<unknown>;
  configure(snapshot: ConfigurationSnapshot): void;
  /** Settles when the actor has written what it must, or after `limitMs`. */
  drain(limitMs: number): Promise<void>;
  end(reason: EndReason): void;
  /** At its last beat; zeros before the first one. */
  readonly memory: ThreadMemory;
}

export interface ThreadOptions {
  readonly name: ActorName;
  readonly entry: URL;
  readonly peers: Peers;
  readonly pulse: PulseLimits;
  readonly memory: MemoryLimits;
  readonly configuration: ConfigurationSnapshot;
  readonly surroundings: Surroundings;
  readonly execArgv?: readonly string[];
}

type RemoteActor = Readonly<Record<string, (request: unknown, context: CallContext) => Promise<unknown>>>;

export function startThread(options: ThreadOptions): Incarnation {
  const { name, entry, peers, pulse: limits, memory, execArgv, configuration, surroundings } = options;
  const inbox = new MessageChannel();
  const outbox = new MessageChannel();
  const pulse = new SharedArrayBuffer(PULSE.slots * Int32Array.BYTES_PER_ELEMENT);
  const start: ThreadStart = {
    name,
    inbox: inbox.port2,
    peers: outbox.port2,
    pulse,
    beatMs: limits.beatMs,
    configuration,
    surroundings: { ...surroundings, options: optionsOf(name, surroundings) },
  };

  offer(outbox.port1, peers);
  const remote = reach<Inbox<RemoteActor>>(inbox.port1);
  const worker = new Worker(entry, {
    name,
    workerData: start,
    transferList: [start.inbox, start.peers],
    env: environmentWithoutSecrets(process.env),
    // A second wall behind the pulse, and a thin one: one large allocation at the limit aborts the whole process.
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil((memory.heapKiB / 1024) * 1.5) },
    ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
  });

  let reason: EndReason | undefined;
  const end = (why: EndReason): void => {
    if (reason !== undefined) return; // terminate() adds a listener each time
    reason = why;
    void worker.terminate();
  };
  const watch = new PulseWatch(pulse, limits, memory);
  const ticking = setInterval(() => {
    const verdict = watch.tick();
    if (verdict !== undefined) end(verdict);
  }, limits.beatMs);
  const ended = untilExit(worker, [inbox.port1, outbox.port1]).then((cause): Ending => {
    clearInterval(ticking);
    release(remote);
    return reason === undefined ? { cause } : { reason, cause };
  });

  return {
    // A thread that dies while it boots never says ready, and its port answers nothing: `ended` tells then.
    ready: remote.ready(),
    ended,
    send: async (method, request, context) => remote.actor[method]?.(request, context),
    configure: (snapshot) => void remote.configure(snapshot).catch(() => {}),
    drain: (limitMs) =>
      Promise.race([remote.drain().catch(() => {}), ended.then(() => {}), sleep(limitMs, undefined, { ref: false })]),
    end,
    get memory() {
      return watch.held;
    },
  };
}

/** Each thread gets its own: what one needs to know, such as a key, is no business of the others. */
function optionsOf(name: ActorName, { options }: Surroundings): Surroundings["options"] {
  return options[name] === undefined ? {} : { [name]: options[name] };
}

/** `error` comes before `exit` and says more, but not every death has one. The ports close in the same turn as the exit is seen. */
function untilExit(worker: Worker, ports: readonly MessagePort[]): Promise<string> {
  return new Promise((resolve) => {
    let error: Error | undefined;
    worker.on("error", (thrown) => {
      error = thrown;
    });
    worker.once("exit", (code) => {
      for (const port of ports) port.close();
      resolve(error === undefined ? `exit code ${code}` : `${error.name}: ${error.message}`);
    });
  });
}
