/** Shared arithmetic of the benches. Machines are shared and noisy: contenders take turns in one run, and ratios of medians are read. */

/** Nearest rank; `share` between 0 and 1. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (times: readonly number[]): number => percentile(times, 0.5);

/** Milliseconds of one asynchronous run. */
export async function timed(run: () => unknown): Promise<number> {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

export type Contenders = Readonly<Record<string, () => unknown>>;

/** Every contender once a round, in turn, after `warmUp` rounds that don't count. */
export async function interleave<Given extends Contenders>(
  contenders: Given,
  rounds: number,
  warmUp = Math.ceil(rounds / 10),
): Promise<{ readonly [Name in keyof Given]: number[] }> {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const time = await timed(run);
      if (round >= 0) times[name]?.push(time);
    }
  }
  return times as { readonly [Name in keyof Given]: number[] };
}

/** Three significant digits: more would be noise. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
