/**
 * Threads with one network each. The pool decides what they compute next: what somebody waits for goes first, and background work
 * never occupies all threads. A thread that dies costs the batch it had; piscina puts another in its place.
 *
 *   urgent      ▸ ▸ ▸            ┐
 *                                ├─▸ a free thread ─▸ one batch at a time, never interrupted
 *   background  ▸ ▸ ▸ ▸ ▸ ▸ ▸ ▸  ┘    (at most threads - 1 of them, or 1)
 */
import { Piscina } from "piscina";
import { DirectoryError } from "../../protocol/errors.js";
import { CrashLoop } from "./crash-loop.js";
import type { ModelFault, ModelReply, ModelTask } from "./threads/messages.js";

/** No batch takes this long: a thread that does is stuck and is replaced. */
const STUCK_MS = 60_000;

export interface ModelPoolOptions {
  /** Compiled entry of a thread. */
  readonly threadFile: string;
  readonly modelFile: string;
  readonly threads: number;
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
  readonly threads: number;
  readonly #options: ModelPoolOptions;
  readonly #now: () => number;
  readonly #crashes: CrashLoop;
  readonly #urgent: Waiting[] = [];
  readonly #background: Waiting[] = [];
  #piscina: Piscina<ModelTask, ModelReply>;
  #running = 0;
  #runningBackground = 0;
  #closed = false;

  constructor(options: ModelPoolOptions) {
    this.threads = options.threads;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#crashes = new CrashLoop(this.#now);
    this.#piscina = this.#start();
  }

  get isDegraded(): boolean {
    return this.#crashes.isDegraded;
  }

  /**
   * Computes one batch. Rejects with a `BatchFailure`, with `deadline_exceeded` when its turn comes too late, and with
   * `actor_degraded` while threads keep dying.
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
      waiting.reject(new DirectoryError("shutting_down", "the model threads are being ended"));
    }
    await this.#piscina.destroy();
  }

  #dispatch(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const refusal = this.#refusal(next);
      if (refusal !== undefined) next.reject(refusal);
      else this.#compute(next);
    }
  }

  #next(): Waiting | undefined {
    if (this.#running >= this.threads) return undefined;
    const urgent = this.#urgent.shift();
    if (urgent !== undefined) return urgent;
    return this.#runningBackground < Math.max(1, this.threads - 1) ? this.#background.shift() : undefined;
  }

  #refusal({ deadline }: Waiting): Error | undefined {
    if (this.#closed) return new DirectoryError("shutting_down", "the model threads are being ended");
    if (deadline <= this.#now()) return new DirectoryError("deadline_exceeded", "no model thread was free in time");
    const wasDegraded = this.#crashes.isDegraded;
    if (!this.#crashes.admits()) return new DirectoryError("actor_degraded", "the model threads keep dying; the log says why");
    if (wasDegraded) this.#renew();
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
      reply = await this.#piscina.run({ modelFile: this.#options.modelFile, rows }, { signal: AbortSignal.timeout(STUCK_MS) });
    } catch (error) {
      this.#crashes.died();
      throw new BatchFailure("died", `a model thread died: ${(error as Error).message}`);
    }
    this.#crashes.served();
    if (isFault(reply)) throw new BatchFailure(reply.loading ? "load" : "compute", reply.fault);
    return reply;
  }

  /** Piscina gives up on threads that die while they start; a probe needs fresh ones. */
  #renew(): void {
    this.#piscina.destroy().catch(() => {});
    this.#piscina = this.#start();
  }

  #start(): Piscina<ModelTask, ModelReply> {
    const { threadFile, threads } = this.#options;
    const pool = new Piscina<ModelTask, ModelReply>({
      filename: threadFile,
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: 1,
    });
    // A thread that dies without a task: nobody's call fails, but it counts.
    pool.on("error", () => this.#crashes.died());
    return pool;
  }
}

function isFault(reply: ModelReply): reply is ModelFault {
  return !(reply instanceof Float32Array);
}
