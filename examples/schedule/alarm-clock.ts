/** Calls functions at their time. What is planned is on the disk: after a restart the next call comes as planned, a missed one at once. */
import type { Collection } from "../collection.js";

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly function_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Milliseconds between two calls; null: a single call. */
  readonly every_ms: number | null;
  /** ISO 8601; null: never again. */
  readonly next_at: string | null;
  readonly paused: boolean;
  readonly runs: readonly Run[];
}

export interface Run {
  readonly at: string;
  readonly ok: boolean;
  /** Beginning of the answer as JSON, or the error. */
  readonly outcome: string;
}

export type CallFunction = (functionId: string, payload: Readonly<Record<string, unknown>>) => Promise<unknown>;

const KEPT_RUNS = 20;
const MOST_OUTCOME = 500;
/** Timers of Node can't wait longer; looking again a few times a day costs nothing. */
const LONGEST_WAIT_MS = 6 * 3_600_000;

export class AlarmClock {
  readonly #jobs: Collection<Job>;
  readonly #call: CallFunction;
  readonly #now: () => number;
  readonly #running = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(jobs: Collection<Job>, call: CallFunction, now: () => number = Date.now) {
    this.#jobs = jobs;
    this.#call = call;
    this.#now = now;
  }

  /** Sets the timer to whatever comes next. To be called after every change of the jobs. */
  wind(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const times = this.#jobs.rows.filter((job) => this.#isWaiting(job)).map(({ next_at }) => Date.parse(next_at ?? ""));
    if (times.length === 0) return;
    const next = times.reduce((earliest, time) => Math.min(earliest, time), Number.POSITIVE_INFINITY);
    const wait = Math.max(0, Math.min(next - this.#now(), LONGEST_WAIT_MS));
    this.#timer = setTimeout(() => this.#ring(), wait);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Calls it now, whatever is planned. Never twice at the same time. */
  async run(id: string): Promise<Run> {
    const { function_id, payload } = this.#jobs.need(id, "job");
    if (this.#running.has(id)) throw new Error(`busy: the job ${JSON.stringify(id)} is running already`);
    this.#running.add(id);
    try {
      const at = new Date(this.#now()).toISOString();
      const run = await this.#call(function_id, payload).then(
        (answer): Run => ({ at, ok: true, outcome: excerpt(JSON.stringify(answer) ?? "null") }),
        (error: unknown): Run => ({ at, ok: false, outcome: excerpt(error instanceof Error ? error.message : String(error)) }),
      );
      // It may have been cancelled meanwhile.
      if (this.#jobs.get(id) !== undefined)
        await this.#jobs.edit(id, "job", ({ runs }) => ({ runs: [run, ...runs].slice(0, KEPT_RUNS) }));
      return run;
    } finally {
      this.#running.delete(id);
    }
  }

  #isWaiting({ next_at, paused }: Job): boolean {
    return next_at !== null && !paused;
  }

  #ring(): void {
    const now = this.#now();
    const due = this.#jobs.rows.filter((job) => this.#isWaiting(job) && Date.parse(job.next_at ?? "") <= now);
    void Promise.all(due.map((job) => this.#fire(job, now)))
      .catch((error: unknown) => console.error(`schedule: ${(error as Error).message}`))
      .finally(() => this.wind());
  }

  /** The next time is stored first: a call that ends this process must not be made again and again. */
  async #fire({ id }: Job, now: number): Promise<void> {
    await this.#jobs.edit(id, "job", ({ every_ms, next_at }) => ({ next_at: following(next_at, every_ms, now) }));
    if (this.#running.has(id)) return;
    void this.run(id).catch((error: unknown) => console.error(`schedule: ${(error as Error).message}`));
  }
}

/** Calls that were missed while nobody was here are made once, not one by one. */
function following(planned: string | null, everyMs: number | null, now: number): string | null {
  if (everyMs === null || planned === null) return null;
  const missed = Math.floor(Math.max(0, now - Date.parse(planned)) / everyMs);
  return new Date(Date.parse(planned) + (missed + 1) * everyMs).toISOString();
}

function excerpt(text: string): string {
  return text.length <= MOST_OUTCOME ? text : `${text.slice(0, MOST_OUTCOME - 1)}…`;
}
