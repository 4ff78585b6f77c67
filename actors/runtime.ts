/**
 * The few lines that every actor thread shares. An entry module says `run("catalog", build)` and is otherwise about its subject.
 *
 * A thread needs no failure handling of its own: it may throw, hang or run out of memory, and the supervisor replaces it. What it
 * owes is a pulse while its event loop turns, and to leave work undone that nobody waits for any more.
 */
import { workerData } from "node:worker_threads";
import { offer, reach } from "../border/comlink.js";
import { createLogger, type Logger } from "../border/log.js";
import type { ActorName, Actors, Peers } from "../protocol/actors.js";
import type { CallContext } from "../protocol/call.js";
import type { ConfigurationSnapshot } from "../protocol/configuration.js";
import { DirectoryError } from "../protocol/errors.js";
import { type Inbox, PULSE, type Surroundings, type ThreadStart } from "../protocol/thread.js";
import { ConfigurationHistory } from "./configuration-history.js";

/** What an actor is given. A unit test gives the same from its own hands. */
export interface ActorSetting {
  /** Never holds the actor itself: a request to oneself could fill one's own window. */
  readonly peers: Peers;
  readonly configuration: ConfigurationHistory;
  readonly surroundings: Surroundings;
  readonly log: Logger;
  /** Registers what must be done before the thread is ended, such as finishing a write. */
  readonly onDrain: (drain: () => Promise<void>) => void;
}

/** Builds the actor; may read files first. Calls wait in the mailbox until it settles. */
export type BuildActor<Name extends ActorName> = (setting: ActorSetting) => Promise<Actors[Name]>;

export async function run<Name extends ActorName>(name: Name, build: BuildActor<Name>): Promise<void> {
  const start = workerData as ThreadStart;
  if (start.name !== name) throw new Error(`thread of ${start.name} was started with the entry of ${name}`);
  const { surroundings } = start;
  const log = createLogger(name, surroundings.logLevel);
  const configuration = new ConfigurationHistory(start.configuration);
  const drains: (() => Promise<void>)[] = [];
  const peers = reach<Peers>(start.peers);
  const actor = await build({ peers, configuration, surroundings, log, onDrain: (drain) => drains.push(drain) });
  beat(start);
  const inbox: Inbox<Actors[Name]> = {
    ready: async () => {},
    configure: async (snapshot: ConfigurationSnapshot) => configuration.add(snapshot),
    drain: async () => {
      await Promise.all(drains.map((drain) => drain()));
    },
    actor: logged(actor, log),
  };
  offer(start.inbox, inbox);
}

/** What is left of a call, in milliseconds. Call it before each costly step; it throws when nobody waits any more. */
export function remaining(context: CallContext): number {
  const left = context.deadline - Date.now();
  if (left <= 0) throw new DirectoryError("deadline_exceeded", `request ${context.requestId} is ${-left} ms late`);
  return left;
}

/** A context for work that an actor does on its own account, outside any request. */
export function ownContext(what: string, timeoutMs: number, configuration?: number): CallContext {
  const base = { requestId: `${what}-${Date.now().toString(36)}`, deadline: Date.now() + timeoutMs };
  return configuration !== undefined ? { ...base, configuration } : base;
}

/**
 * Errors that were not meant for the caller are logged here, with the stack that doesn't cross the border.
 *
 * A call waits for the next turn of the event loop before it does anything. Node hands over up to a thousand messages of a port before it
 * looks at timers; calls that compute and are asked one after another would hold up the pulse until the thread counts as hung.
 */
function logged<Actor extends object>(actor: Actor, log: Logger): Actor {
  const wrapped = Object.entries(actor).map(([method, body]) => [
    method,
    async (request: unknown, context: CallContext): Promise<unknown> => {
      await new Promise(setImmediate);
      try {
        return await (body as (request: unknown, context: CallContext) => Promise<unknown>).call(actor, request, context);
      } catch (error) {
        if (!(error instanceof DirectoryError)) log.error({ err: error, method, requestId: context?.requestId }, "failed");
        throw error;
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Actor;
}

/**
 * Counts turns of the event loop and shows what this thread holds, where the supervisor can read it without asking. The first
 * beat is at once: it says that booting is over, and from there on silence means a hang.
 */
function beat({ pulse, beatMs }: ThreadStart): void {
  const slots = new Int32Array(pulse);
  const once = (): void => {
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    Atomics.store(slots, PULSE.bufferKiB, arrayBuffers / 1024);
    Atomics.store(slots, PULSE.heapKiB, heapUsed / 1024);
    Atomics.add(slots, PULSE.beats, 1);
  };
  once();
  setInterval(once, beatMs).unref();
}
