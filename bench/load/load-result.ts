/** What a run under load says, whichever way the calls took. */
import type { EventLoopDelay } from "../../supervisor/event-loop.js";
import type { LoopResult } from "./closed-loop.js";

export type LoadMode = "lexical" | "hybrid" | "jev";

/** Milliseconds between two changes of the catalogue: each time a function comes and another one goes. */
export const CHURN_MS = 100;

export interface LoadRun extends LoopResult {
  readonly functions: number;
  readonly mode: LoadMode;
  /** Functions came and went meanwhile. */
  readonly churn: boolean;
  /** `engine`: embedded engine, worker and caller are processes. `process`: an engine that is a list, beside the supervisor. */
  readonly through: "engine" | "process";
  /** Of the supervisor's thread, during the run. */
  readonly delay: EventLoopDelay;
}

export interface Visibility {
  readonly functions: number;
  readonly through: LoadRun["through"];
  readonly mode: LoadMode;
  /** What the search had to find it by: a term, or a meaning without a common term. */
  readonly found: "by a term" | "by meaning";
  /** Milliseconds from the announcement of the change until a search has shown it, one entry a change. */
  readonly times: readonly number[];
  /** Changes that no search showed within the limit. */
  readonly unseen: number;
}

/** What a worker holds when its catalogue is read and nothing is under way. */
export interface Footprint {
  readonly functions: number;
  readonly mode: LoadMode;
  /** MiB of the process. */
  readonly residentMiB: number;
  /** By thread, after a collection; `supervisor` is the main thread. Shared memory, where vectors are, is in none of them. */
  readonly threads: Readonly<Record<string, ThreadFootprint>>;
  /** Milliseconds until every function could be found by its terms, and by its vector. */
  readonly readMs: number;
  readonly embeddedMs?: number;
}

export interface ThreadFootprint {
  readonly heapMiB: number;
  readonly buffersMiB: number;
}
