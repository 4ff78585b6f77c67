/** The figures of spec and field alike, each a mean over cases, with the interval that resampling the cases gives. */
import type { JudgedCase } from "./judged-set.js";

/** Of one case: ids in the order of the response, each once, and the capabilities whose lane had rows. */
export interface Answered {
  readonly judged: JudgedCase;
  readonly ids: readonly string[];
  /** Functions in the response, beyond what is measured too. */
  readonly shown: number;
  readonly lanesKept: number;
  readonly latencyMs: number;
}

export const DEPTH = 12;

type Measure = (answered: Answered) => number;

export const MATCH_MEASURES: Readonly<Record<string, Measure>> = {
  "mrr@1": ({ judged, ids }) => (judged.qrels.some(({ function_id }) => function_id === ids[0]) ? 1 : 0),
  "recall@1": (answered) => recall(answered, 1),
  "recall@3": (answered) => recall(answered, 3),
  "recall@5": (answered) => recall(answered, 5),
  "recall@6": (answered) => recall(answered, 6),
  "recall@12": (answered) => recall(answered, DEPTH),
  "ndcg@6": (answered) => ndcg(answered, 6),
  "ndcg@12": (answered) => ndcg(answered, DEPTH),
  "worker_recall@12": ({ judged, ids }) =>
    share(workers(judged.qrels.map((each) => each.function_id)), workers(ids.slice(0, DEPTH))),
};

export const SLICES: Readonly<Record<string, (judged: JudgedCase) => boolean>> = {
  overall: () => true,
  exact: ({ id }) => !id.startsWith("paraphrase-"),
  paraphrase: ({ id }) => id.startsWith("paraphrase-"),
};

/** 1 when every capability has one of the functions that cover it among the first twelve. */
export function coverage({ judged, ids }: Answered): number {
  const first = new Set(ids.slice(0, DEPTH));
  const covered = judged.capabilities.every((_, at) =>
    judged.qrels.some(({ function_id, covers = [0] }) => covers.includes(at) && first.has(function_id)),
  );
  return covered ? 1 : 0;
}

export interface Interval {
  readonly value: number;
  /** 2.5th and 97.5th percentile over the resamples. */
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;
const SEED = 0x202609025eedn;

/** Null without cases. The same cases give the same interval. */
export function interval(values: readonly number[]): Interval | null {
  if (values.length === 0) return null;
  const next = splitmix64(SEED);
  const means: number[] = [];
  for (let resample = 0; resample < RESAMPLES; resample++) {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw++) sum += values[Number(next() % BigInt(values.length))] as number;
    means.push(sum / values.length);
  }
  return { value: mean(values), low: nearestRank(means, 0.025), high: nearestRank(means, 0.975) };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function nearestRank(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(1, Math.ceil(part * sorted.length)) - 1] ?? Number.NaN;
}

function recall({ judged, ids }: Answered, depth: number): number {
  return share(new Set(judged.qrels.map(({ function_id }) => function_id)), new Set(ids.slice(0, depth)));
}

function share(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  return [...wanted].filter((each) => found.has(each)).length / wanted.size;
}

function workers(ids: readonly string[]): Set<string> {
  return new Set(ids.map((id) => id.split("::")[0] ?? id));
}

function ndcg({ judged, ids }: Answered, depth: number): number {
  const grades = new Map(judged.qrels.map(({ function_id, grade }) => [function_id, grade]));
  const found = ids.slice(0, depth).map((id) => grades.get(id) ?? 0);
  const ideal = [...grades.values()].sort((left, right) => right - left).slice(0, depth);
  return gain(found) / gain(ideal);
}

function gain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

function splitmix64(seed: bigint): () => bigint {
  let state = seed;
  const mask = (1n << 64n) - 1n;
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let mixed = state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & mask;
    return mixed ^ (mixed >> 31n);
  };
}
