/**
 * Decides what the model processes compute next: what somebody waits for goes first, and background work never occupies all of
 * them. A process that dies costs the batch it had; the next batch gets another one.
 *
 *   urgent      ▸ ▸ ▸            ┐
 *                                ├─▸ a free process ─▸ one batch at a time, never interrupted
 *   background  ▸ ▸ ▸ ▸ ▸ ▸ ▸ ▸  ┘    (at most processes - 1 of them, or 1)
 */
import { DirectoryError } from "../../protocol/errors.js";
import { CrashLoop } from "./crash-loop.js";
import { ModelProcesses } from "./model-processes.js";
import type { ModelFault, ModelReply, ModelTask } from "./processes/messages.js";

/** No batch takes this long: a process that does is stuck and is ended. */
const STUCK_MS = 60_000;

export interface ModelPoolOptions {
  /** Compiled entry of a process. */
  readonly processFile: string;
  readonly modelFile: string;
  readonly processes: number;
  readonly now?: () => number;
}

/** Why a batch came to nothing. */
export class BatchFailure extends Error {
  readonly kind: "died" | "load" | "compute";

  constructor(kind: BatchFailure["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

interface Waiting {
  readonly rows: ModelTask["rows"];
  readonly background: boolean;
  readonly deadline: number;
  readonly resolve: (values: Float32Array) => void;
  readonly reject: (error: Error) => void;
}

export class ModelPool {
  readonly processes: number;
  readonly #options: ModelPoolOptions;
  readonly #now: () => number;
  readonly #crashes: CrashLoop;
  readonly #urgent: Waiting[] = [];
  readonly #background: Waiting[] = [];
  readonly #processes: ModelProcesses;
  #running = 0;
  #runningBackground = 0;
  #closed = false;

  constructor(options: ModelPoolOptions) {
    this.processes = options.processes;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#crashes = new CrashLoop(this.#now);
    const { processFile: file, processes: count } = options;
    // A process that dies without a task: nobody's call fails, but it counts.
    this.#processes = new ModelProcesses({ file, count, onIdleDeath: () => this.#crashes.died() });
  }

  get isDegraded(): boolean {
    return this.#crashes.isDegraded;
  }

  /**
   * Computes one batch. Rejects with a `BatchFailure`, with `deadline_exceeded` when its turn comes too late, and with
   * `actor_degraded` while processes keep dying.
   */
  run(rows: ModelTask["rows"], { background, deadline }: { background: boolean; deadline: number }): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      (background ? this.#background : this.#urgent).push({ rows, background, deadline, resolve, reject });
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of [...this.#urgent.splice(0), ...this.#background.splice(0)]) {
      waiting.reject(new DirectoryError("shutting_down", "the model processes are being ended"));
    }
    await this.#processes.close();
  }

  #dispatch(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const refusal = this.#refusal(next);
      if (refusal !== undefined) next.reject(refusal);
      else this.#compute(next);
    }
  }

  #next(): Waiting | undefined {
    if (this.#running >= this.processes) return undefined;
    const urgent = this.#urgent.shift();
    if (urgent !== undefined) return urgent;
    return this.#runningBackground < Math.max(1, this.processes - 1) ? this.#background.shift() : undefined;
  }

  #refusal({ deadline }: Waiting): Error | undefined {
    if (this.#closed) return new DirectoryError("shutting_down", "the model processes are being ended");
    if (deadline <= this.#now()) return new DirectoryError("deadline_exceeded", "no model process was free in time");
    if (!this.#crashes.admits()) return new DirectoryError("actor_degraded", "the model processes keep dying; the log says why");
    return undefined;
  }

  async #compute(waiting: Waiting): Promise<void> {
    this.#running += 1;
    if (waiting.background) this.#runningBackground += 1;
    try {
      waiting.resolve(await this.#send(waiting.rows));
    } catch (error) {
      waiting.reject(error as Error);
    } finally {
      this.#running -= 1;
      if (waiting.background) this.#runningBackground -= 1;
      this.#dispatch();
    }
  }

  async #send(rows: ModelTask["rows"]): Promise<Float32Array> {
    let reply: ModelReply;
    try {
      reply = await this.#processes.run({ modelFile: this.#options.modelFile, rows }, STUCK_MS);
    } catch (error) {
      this.#crashes.died();
      throw new BatchFailure("died", `a model process died: ${(error as Error).message}`);
    }
    this.#crashes.served();
    if (isFault(reply)) throw new BatchFailure(reply.loading ? "load" : "compute", reply.fault);
    return reply;
  }
}

function isFault(reply: ModelReply): reply is ModelFault {
  return !(reply instanceof Float32Array);
}
