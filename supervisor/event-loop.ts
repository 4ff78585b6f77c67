/**
 * How late the main thread is: everything that goes in or out passes through it, so what holds it up holds up everybody. Sampled by a timer
 * of the runtime's own, which costs nothing that could be measured.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";

export interface EventLoopDelay {
  /** Milliseconds beyond the moment at which a timer should have fired. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const SAMPLED_EVERY_MS = 10;
const NANOSECONDS = 1e6;

export class EventLoopWatch {
  readonly #histogram: IntervalHistogram;

  constructor() {
    this.#histogram = monitorEventLoopDelay({ resolution: SAMPLED_EVERY_MS });
    this.#histogram.enable();
  }

  /** Since the last reading: whoever measures reads at the begin and at the end. */
  read(): EventLoopDelay {
    const histogram = this.#histogram;
    const delay = { p50: late(histogram.percentile(50)), p99: late(histogram.percentile(99)), max: late(histogram.max) };
    histogram.reset();
    return delay;
  }

  stop(): void {
    this.#histogram.disable();
  }
}

/** What is recorded is the time from one sample to the next, the pause between them included; without a sample it is no time at all. */
function late(nanoseconds: number): number {
  return Math.max(0, Math.round((nanoseconds / NANOSECONDS - SAMPLED_EVERY_MS) * 100) / 100);
}
