/**
 * How many processes may really compute at once. A container with a quota of two processors on a host of 32 shows all 32: a pool of that size
 * would be throttled, every process of it a little, all of the time.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** More processes are more memory (each holds the whole network) than one directory needs. */
const MOST_PROCESSES = 4;

export function poolSize(cpus: number = usableCpus()): number {
  return Math.max(1, Math.min(MOST_PROCESSES, Math.floor(cpus)));
}

/** Affinity of the process and quota of its control group, whichever is less; at least one. */
export function usableCpus(read: (file: string) => string = readText, available: number = availableParallelism()): number {
  const quotas = [unified(read), legacy(read)].filter((quota) => quota !== undefined);
  return Math.max(1, Math.min(available, ...quotas));
}

/** Control groups 2: `max 100000` or `200000 100000`. */
function unified(read: (file: string) => string): number | undefined {
  const [quota, period] =
    attempt(() => read("/sys/fs/cgroup/cpu.max"))
      ?.trim()
      .split(/\s+/) ?? [];
  return ratio(quota, period);
}

function legacy(read: (file: string) => string): number | undefined {
  const folder = "/sys/fs/cgroup/cpu/";
  return ratio(
    attempt(() => read(`${folder}cpu.cfs_quota_us`)),
    attempt(() => read(`${folder}cpu.cfs_period_us`)),
  );
}

function ratio(quota: string | undefined, period: string | undefined): number | undefined {
  const share = Number(quota) / Number(period);
  return Number.isFinite(share) && share > 0 ? share : undefined;
}

function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  return readFileSync(file, "utf8");
}
