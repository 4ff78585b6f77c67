/**
 * Searches for several capabilities at once: whether each still gets what it requires when its rows share an answer with others, and where
 * in its own ranking the first right one stands. The judged single needs are joined to sets of 3, 6 and 18.
 */

import { ConfigurationHistory } from "../actors/configuration-history.js";
import type { ActorSetting } from "../actors/runtime.js";
import { createLogger } from "../border/log.js";
import { DEFAULT_CONFIGURATION } from "../domain/configuration.js";
import type { Peers } from "../protocol/actors.js";
import { frozenFunctions } from "../test/harness/catalogue.js";
import { newContext } from "../test/harness/context.js";
import { hybridProduct } from "../test/harness/hybrid.js";
import { sharedFile } from "../test/harness/shared.js";
import { type JudgedCase, joinCases, readCases } from "./jev-evaluation/cases.js";
import { evaluateSearch } from "./jev-evaluation/entry.js";
import { mean, measureCase } from "./jev-evaluation/metrics.js";
import { round } from "./measure.js";
import type { Finding, Findings } from "./results.js";

const SIZES = [1, 3, 6, 18] as const;
const SEARCH_MS = 60_000;
/** What the reference has published for calibration sets of a size, and for 18 of its holdout. */
const PUBLISHED_HYBRID: Readonly<Record<number, { readonly coverage: number; readonly mrr: number }>> = {
  1: { coverage: 1, mrr: 0.939 },
  3: { coverage: 1, mrr: 0.833 },
  6: { coverage: 1, mrr: 0.917 },
  18: { coverage: 0.95, mrr: 0.898 },
};

export async function run(): Promise<Findings> {
  const functions = frozenFunctions();
  const cases = readCases(sharedFile("bench-data", "jev_cases.jsonl"), new Set(functions.map(({ id }) => id)));
  const product = await hybridProduct();
  try {
    const { catalog } = await product.over(functions);
    const peers = { catalog, embedding: product.embedding } as unknown as Peers;
    const findings: Finding[] = [];
    for (const size of SIZES) {
      const sets = setsOf(size, cases);
      for (const mode of ["lexical", "hybrid"] as const) findings.push(...(await measure(sets, size, mode, peers)));
    }
    return { subject: "capability-sets", findings };
  } finally {
    await product.close();
  }
}

/** Those judged as they are, and the single needs in their order, so many at a time, the last set reaching back. */
export function setsOf(size: number, cases: readonly JudgedCase[]): JudgedCase[] {
  const single = cases.filter(({ capabilities, qrels }) => capabilities.length === 1 && qrels[0]?.expect_empty === false);
  if (size === 1) return single;
  const starts = Array.from({ length: Math.ceil(single.length / size) }, (_, at) => Math.min(at * size, single.length - size));
  const joined = starts.map((start) => joinCases(`joined-${size}-from-${start}`, single.slice(start, start + size), size));
  return [...cases.filter(({ capabilities }) => capabilities.length === size), ...joined];
}

async function measure(sets: readonly JudgedCase[], size: number, mode: "lexical" | "hybrid", peers: Peers): Promise<Finding[]> {
  const values = { ...DEFAULT_CONFIGURATION, function_search_mode: mode };
  const setting: Pick<ActorSetting, "peers" | "configuration" | "log"> = {
    peers,
    configuration: new ConfigurationHistory({ generation: 1, values }),
    log: createLogger("search", "silent"),
  };
  const metrics = [];
  for (const set of sets) metrics.push(measureCase(set, await evaluateSearch(setting, set.capabilities, newContext(SEARCH_MS))));
  const published = PUBLISHED_HYBRID[size];
  const beside = (figure: number | undefined): string =>
    mode === "hybrid" && figure !== undefined ? ` (the reference has published ${figure} on its own sets)` : "";
  const what = `${mode}, ${sets.length} sets of ${size}`;
  return [
    {
      what: `${what}: required groups in the answer${beside(published?.coverage)}`,
      value: rounded(mean(metrics.map(({ group_coverage }) => group_coverage))),
      unit: "of 1",
    },
    {
      what: `${what}: mean reciprocal rank in the lane${beside(published?.mrr)}`,
      value: rounded(mean(metrics.map(({ mrr }) => mrr))),
      unit: "of 1",
    },
  ];
}

function rounded(value: number | null): number {
  return round(value ?? Number.NaN);
}
