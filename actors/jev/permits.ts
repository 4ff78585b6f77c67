/** How many requests may be open at once: one set of permits for the process, whoever asks. First come, first served. */
import pLimit from "p-limit";

export const PERMITS = 4;

export class Permits {
  readonly #limit = pLimit(PERMITS);

  get inUse(): number {
    return this.#limit.activeCount;
  }

  /**
   * Runs the task with a permit, which is given back when the task settles. Who is aborted while waiting is told at once; its place in
   * the queue is passed over when its turn comes.
   */
  run<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(signal.reason);
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      void this.#limit(async () => {
        signal.removeEventListener("abort", giveUp);
        if (signal.aborted) return;
        await task().then(resolve, reject);
      });
    });
  }
}
