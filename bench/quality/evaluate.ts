/** Asks every judged case and makes the report of it. */
import type { Registered } from "../../test/harness/catalogue.js";
import { idsOf } from "../../test/harness/searching.js";
import { type Answered, coverage, DEPTH, type Interval, interval, MATCH_MEASURES, nearestRank, SLICES } from "./figures.js";
import type { JudgedCase } from "./judged-set.js";
import { type Product, productOver, type QualityMode } from "./product.js";

export interface Evaluation {
  readonly mode: QualityMode;
  /** By slice, then by figure; null where a slice has no case. */
  readonly slices: Readonly<Record<string, Readonly<Record<string, Interval>> | null>>;
  readonly multi: Readonly<Record<"coverage@12", Interval>> | null;
  readonly noMatch: Readonly<Record<"false_positive_rate", Interval>> | null;
  /** Of the lanes of cases that expect something, those with rows. */
  readonly lanesKept: Interval | null;
  readonly functionsPerQuery: Interval;
  readonly latency: Readonly<Record<"mean" | "p50" | "p95" | "max", number>>;
  readonly cases: readonly Answered[];
}

export async function evaluate(
  catalogue: readonly Registered[],
  cases: readonly JudgedCase[],
  mode: QualityMode,
): Promise<Evaluation> {
  const product = await productOver(catalogue, mode);
  try {
    return summarise(mode, await ask(product, cases));
  } finally {
    await product.close();
  }
}

async function ask(product: Product, cases: readonly JudgedCase[]): Promise<Answered[]> {
  // The first search pays for what all others find ready.
  await product.search(cases[0]?.capabilities ?? []);
  const answers: Answered[] = [];
  for (const judged of cases) {
    const begin = performance.now();
    const answer = await product.search(judged.capabilities);
    const latencyMs = performance.now() - begin;
    const ids = [...new Set(idsOf(answer))];
    const lanesKept = judged.kind === "no_match" ? 0 : await product.keptLanes(judged.capabilities);
    answers.push({ judged, ids: ids.slice(0, DEPTH), shown: ids.length, lanesKept, latencyMs });
  }
  return answers;
}

export function summarise(mode: QualityMode, cases: readonly Answered[]): Evaluation {
  const ofKind = (kind: JudgedCase["kind"]): Answered[] => cases.filter(({ judged }) => judged.kind === kind);
  const slices = Object.entries(SLICES).map(([name, belongs]) => [
    name,
    matchFigures(ofKind("match").filter((each) => belongs(each.judged))),
  ]);
  const multi = interval(ofKind("multi").map(coverage));
  const falsePositives = interval(ofKind("no_match").map(({ ids }) => (ids.length > 0 ? 1 : 0)));
  const lanes = cases
    .filter(({ judged }) => judged.kind !== "no_match")
    .flatMap(({ judged, lanesKept }) => judged.capabilities.map((_, at) => (at < lanesKept ? 1 : 0)));
  const times = cases.map(({ latencyMs }) => latencyMs);
  return {
    mode,
    slices: Object.fromEntries(slices) as Evaluation["slices"],
    multi: multi === null ? null : { "coverage@12": multi },
    noMatch: falsePositives === null ? null : { false_positive_rate: falsePositives },
    lanesKept: interval(lanes),
    functionsPerQuery: interval(cases.map(({ shown }) => shown)) as Interval,
    latency: {
      mean: times.reduce((sum, time) => sum + time, 0) / times.length,
      p50: nearestRank(times, 0.5),
      p95: nearestRank(times, 0.95),
      max: Math.max(...times),
    },
    cases,
  };
}

function matchFigures(cases: readonly Answered[]): Readonly<Record<string, Interval>> | null {
  if (cases.length === 0) return null;
  return Object.fromEntries(
    Object.entries(MATCH_MEASURES).map(([name, measure]) => [name, interval(cases.map(measure)) as Interval]),
  );
}
