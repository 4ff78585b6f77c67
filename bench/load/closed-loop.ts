/** Load as callers make it who wait for their answer: so many calls are under way at any time, each followed by the next. */
import { percentile, round } from "../measure.js";

export interface LoopResult {
  readonly concurrency: number;
  readonly calls: number;
  readonly failures: number;
  /** Of the first failure. */
  readonly failure?: string;
  readonly perSecond: number;
  /** Milliseconds of a call. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface LoopOptions {
  readonly concurrency: number;
  readonly milliseconds: number;
  /** Gets the number of the call, from 0. */
  readonly call: (number: number) => Promise<unknown>;
}

export async function closedLoop({ concurrency, milliseconds, call }: LoopOptions): Promise<LoopResult> {
  const times: number[] = [];
  const failed: Error[] = [];
  let next = 0;
  const begin = performance.now();
  const end = begin + milliseconds;
  const oneAfterAnother = async (): Promise<void> => {
    while (performance.now() < end) {
      const sent = performance.now();
      await call(next++).then(
        () => times.push(performance.now() - sent),
        (error: Error) => failed.push(error),
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, oneAfterAnother));
  const seconds = (performance.now() - begin) / 1_000;
  return {
    concurrency,
    calls: times.length,
    failures: failed.length,
    ...(failed[0] === undefined ? {} : { failure: failed[0].message }),
    perSecond: round(times.length / seconds),
    p50: round(percentile(times, 0.5)),
    p95: round(percentile(times, 0.95)),
    p99: round(percentile(times, 0.99)),
  };
}
