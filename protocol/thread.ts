/**
 * What the supervisor and one actor thread agree on besides the calls: how a thread is started, when it counts as started, how it is
 * configured, and how it shows that it is alive.
 *
 * The heartbeat is a counter in shared memory instead of a message. A message waits in the supervisor's queue, so a supervisor
 * that was itself blocked for some seconds would find old heartbeats and end healthy actors.
 */
import type { MessagePort } from "node:worker_threads";
import type { ActorName } from "./actors.js";
import type { ConfigurationSnapshot } from "./configuration.js";

/** Facts of the process that an actor may not find out by itself: they are settled once, at boot. */
export interface Surroundings {
  /** Package root: `models/` and `skills/` are below it. */
  readonly packageRoot: string;
  /** Base of relative configured paths. */
  readonly projectBase: string;
  /** What `~` means; undefined when the environment doesn't say. */
  readonly homeDirectory: string | undefined;
  /** For data that can be deleted without loss, such as vectors. */
  readonly cacheDirectory: string;
  readonly version: string;
  /** One of pino's levels. */
  readonly logLevel: string;
  /** Settings for one actor that aren't configuration, by its name: a port, a fixture of a test. Structured-cloneable. */
  readonly options: Readonly<Partial<Record<ActorName, unknown>>>;
}

/** `workerData` of every actor thread. */
export interface ThreadStart {
  readonly name: ActorName;
  readonly inbox: MessagePort;
  readonly peers: MessagePort;
  readonly pulse: SharedArrayBuffer;
  readonly beatMs: number;
  readonly configuration: ConfigurationSnapshot;
  readonly surroundings: Surroundings;
}

/** What a thread offers on its inbox. */
export interface Inbox<Actor> {
  /** Settles when the actor can take calls. The call waits in the port until the thread listens. */
  ready(): Promise<void>;
  /** Hands over a newer configuration. Sent ahead of every call that names it. */
  configure(snapshot: ConfigurationSnapshot): Promise<void>;
  /** Called once before the thread is ended: writes what must not be lost. */
  drain(): Promise<void>;
  readonly actor: Actor;
}

/** Slots of the pulse, an Int32Array. Sizes in KiB, which fits 2 TiB into a slot. */
export const PULSE = { beats: 0, bufferKiB: 1, heapKiB: 2, slots: 3 } as const;
