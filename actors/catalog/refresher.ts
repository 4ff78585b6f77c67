/**
 * When the engine is read. One reading at a time; everybody who asks during one shares the next, so a burst of announcements costs two
 * readings. After a failure it tries again by itself, with growing pauses, and in quiet times it looks every half minute.
 */
import type { Logger } from "../../border/log.js";
import { isOwnMissing, type Thoroughness } from "./contract-reader.js";
import type { Timer } from "./timer.js";

/** Milliseconds. */
export interface RefreshTimes {
  /** Between two looks in quiet times. */
  readonly relistMs: number;
  /** Waited before a reading, for announcements that come together. */
  readonly gatherMs: number;
  /** First pause after a failure; doubles up to the longest. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
}

export const REFRESH_TIMES: RefreshTimes = { relistMs: 30_000, gatherMs: 20, retryMs: 100, longestRetryMs: 5_000 };

/** Attempts within one reading when our own functions aren't listed: the engine takes some hundred milliseconds to list them. */
const OWN_ATTEMPTS = 5;

/** Failures before it is worth a line: at boot the engine may not be there yet. */
const QUIET_FAILURES = 3;

export interface RefresherOptions {
  /** Reads and publishes. False: some contracts could not be read, so it should be tried again soon. */
  readonly read: (thoroughness: Thoroughness) => Promise<boolean>;
  readonly times: RefreshTimes;
  readonly timer: Timer;
  /** Between 0 and 1, for the jitter of pauses. */
  readonly random: () => number;
  readonly log: Logger;
}

export class Refresher {
  readonly #options: RefresherOptions;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #wanted: Thoroughness = "news";
  #failures = 0;
  #cancelTimer: (() => void) | undefined;
  #stopped = false;

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  /** Settles with the first reading that begins after this call. Rejects when that one fails; another is then already planned. */
  refresh(thoroughness: Thoroughness): Promise<void> {
    if (RANK[thoroughness] > RANK[this.#wanted]) this.#wanted = thoroughness;
    this.#next ??= this.#begin();
    return this.#next;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  async #begin(): Promise<void> {
    await this.#running?.catch(() => {});
    if (this.#options.times.gatherMs > 0) await this.#pause(this.#options.times.gatherMs);
    this.#cancelTimer?.();
    const wanted = this.#wanted;
    this.#wanted = "news";
    this.#next = undefined;
    this.#running = this.#run(wanted);
    return this.#running;
  }

  async #run(thoroughness: Thoroughness): Promise<void> {
    try {
      const complete = await this.#readOwn(thoroughness);
      this.#failures = complete ? 0 : this.#failures + 1;
    } catch (error) {
      this.#failures++;
      const level = this.#failures === QUIET_FAILURES ? "warn" : "debug";
      this.#options.log[level]({ err: error, attempt: this.#failures }, "the functions of the engine could not be read, trying on");
      // What was wanted is still owed.
      if (RANK[thoroughness] > RANK[this.#wanted]) this.#wanted = thoroughness;
      throw error;
    } finally {
      this.#plan();
    }
  }

  /** Our own functions are listed moments after they were registered: that is waited for, not reported. */
  async #readOwn(thoroughness: Thoroughness): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#options.read(thoroughness);
      } catch (error) {
        if (!isOwnMissing(error) || attempt === OWN_ATTEMPTS || this.#stopped) throw error;
      }
      await this.#pause(this.#options.times.retryMs * attempt);
    }
  }

  #plan(): void {
    if (this.#stopped) return;
    const { times, timer, random } = this.#options;
    const pause = Math.min(times.longestRetryMs, times.retryMs * 2 ** Math.min(this.#failures - 1, 30));
    const wait = this.#failures === 0 ? times.relistMs : pause * (0.75 + 0.5 * random());
    this.#cancelTimer = timer(wait, () => {
      this.refresh(this.#failures === 0 ? "share" : "news").catch(() => {});
    });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.timer(ms, resolve);
    });
  }
}

const RANK: Readonly<Record<Thoroughness, number>> = { news: 0, share: 1, all: 2 };
