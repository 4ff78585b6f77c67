/**
 * Ranking one capability inside the catalog actor (prepared capability in, ranked rows out), against MiniSearch and against bare
 * typed-array BM25 over the same text; and what one change of the catalog costs.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import MiniSearch from "minisearch";
import { termsOfDocument } from "../actors/catalog/lexical/fields.js";
import { LexicalLane } from "../actors/catalog/lexical/lexical-lane.js";
import { parameterNames, searchableText } from "../domain/function-contract.js";
import { catalogOf, type Registered } from "../test/harness/catalogue.js";
import { newContext } from "../test/harness/context.js";
import { BareBm25 } from "./bare-bm25.js";
import { capabilities, synthesise } from "./catalogues.js";
import { median, percentile, round, timed } from "./measure.js";
import type { Finding, Findings } from "./results.js";

/** `every`: of the judged capabilities, each so-manieth is asked, because MiniSearch takes half a second for one at the largest size. */
const SIZES = [
  { functions: 512, part: 15, every: 1, rounds: 21 },
  { functions: 5_000, part: 28, every: 2, rounds: 7 },
  { functions: 50_000, part: 100, every: 7, rounds: 5 },
] as const;

const CHANGES = 2_000;
const MILLISECOND = 1_000;
const MOST_TIMES_BARE = 2;
/** Milliseconds a query, fault P7. */
const SLOWEST_QUERY = 20;

export async function run(): Promise<Findings> {
  const findings: Finding[] = [];
  for (const size of SIZES) findings.push(...(await compare(size)));
  return { subject: "ranking", findings: [...findings, ...(await measureChanges(synthesise(50_000)))] };
}

async function compare({ functions: size, part, every, rounds }: (typeof SIZES)[number]): Promise<Finding[]> {
  const functions = synthesise(size);
  const queries = capabilities().filter((_, at) => at % every === 0);
  const documents = functions.map((registered, id) => ({ id, name: registered.id, text: textOf(registered) }));
  const { catalog } = await catalogOf(functions);
  const miniSearch = new MiniSearch({ fields: ["text"] });
  miniSearch.addAll(documents);
  const bare = new BareBm25(documents.map(({ name, text }) => `${name} ${name} ${text}`));
  const context = newContext(3_600_000);
  const [ours, theirs, yardstick] = await takeTurns(
    [
      async (query) => catalog.rank({ lanes: [query] }, context),
      async (query) => miniSearch.search(query),
      async (query) => bare.search(query),
    ],
    queries,
    rounds,
  );
  const slowest = Math.max(...ours);
  return [
    { what: `${size} functions, against MiniSearch`, value: round(sum(ours) / sum(theirs)), unit: "×", limit: round(1 / part) },
    { what: `${size} functions, against bare BM25`, value: round(sum(ours) / sum(yardstick)), unit: "×", limit: MOST_TIMES_BARE },
    { what: `${size} functions, slowest of ${queries.length} queries`, value: round(slowest), unit: "ms", limit: SLOWEST_QUERY },
  ];
}

type Contender = (query: string) => Promise<unknown>;

setFlagsFromString("--expose-gc");
const sweep = runInNewContext("gc") as () => void;

/**
 * For each contender, the median over the rounds of each query, in milliseconds. A turn begins with the heap swept, so that nobody
 * pays for the garbage of another, and with a pass that isn't counted, because another has just had the caches of the processor.
 */
async function takeTurns(
  contenders: readonly [Contender, Contender, Contender],
  queries: readonly string[],
  rounds: number,
): Promise<[number[], number[], number[]]> {
  const times = contenders.map(() => queries.map((): number[] => []));
  for (let turn = 0; turn < rounds * contenders.length; turn++) {
    const at = turn % contenders.length;
    const contender = contenders[at] as Contender;
    sweep();
    for (const query of queries) await contender(query);
    for (const [number, query] of queries.entries()) times[at]?.[number]?.push(await timed(() => contender(query)));
  }
  return times.map((ofQueries) => ofQueries.map(median)) as [number[], number[], number[]];
}

/** Compaction is part of each change: a list of postings closes its gaps at once. */
async function measureChanges(functions: readonly Registered[]): Promise<Finding[]> {
  const lane = new LexicalLane();
  const texts = functions.map((registered) => [registered.id, textOf(registered)] as const);
  for (const [id, text] of texts) lane.add(id, termsOfDocument(id, text, true));
  const added: number[] = [];
  const removed: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const [id, text] = texts[(change * 7_919) % texts.length] as readonly [string, string];
    removed.push((await timed(() => lane.remove(id))) * MILLISECOND);
    added.push((await timed(() => lane.add(id, termsOfDocument(id, text, true)))) * MILLISECOND);
  }
  return [
    { what: "one function added at 50000, median", value: round(median(added)), unit: "µs", limit: MILLISECOND },
    { what: "one function added at 50000, p99", value: round(percentile(added, 0.99)), unit: "µs", limit: MILLISECOND },
    { what: "one function removed at 50000, median", value: round(median(removed)), unit: "µs", limit: MILLISECOND },
    { what: "one function removed at 50000, p99", value: round(percentile(removed, 0.99)), unit: "µs", limit: MILLISECOND },
  ];
}

function textOf({ id, description = "", parameters }: Registered): string {
  return searchableText(id, description, parameterNames(parameters));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
