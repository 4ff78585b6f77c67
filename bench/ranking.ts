/**
 * Ranking one capability inside the catalog actor, against MiniSearch and against bare typed-array BM25 over the same text; and what one
 * change of the catalog costs. Contenders take turns, each figure is a median, and only ratios of one run mean anything.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import MiniSearch from "minisearch";
import { LexicalLane } from "../actors/catalog/lexical/lexical-lane.js";
import { parameterNames, searchableText } from "../domain/function-contract.js";
import { catalogOf, type Registered } from "../test/harness/catalogue.js";
import { newContext } from "../test/harness/context.js";
import { ROOT } from "../test/harness/shared.js";
import { BareBm25 } from "./bare-bm25.js";
import { capabilities, synthesise } from "./catalogues.js";

export interface RankingResult {
  readonly sizes: readonly SizeResult[];
  readonly change: ChangeResult;
}

interface SizeResult {
  readonly functions: number;
  /** Median microseconds of one capability. */
  readonly catalog: number;
  readonly miniSearch: number;
  readonly bare: number;
  readonly partOfMiniSearch: number;
  readonly timesBare: number;
  readonly limits: { readonly partOfMiniSearch: number; readonly timesBare: number };
}

/** Microseconds for one function at 50 000; there is no compaction besides. */
interface ChangeResult {
  readonly functions: number;
  readonly addMedian: number;
  readonly addP99: number;
  readonly removeMedian: number;
  readonly removeP99: number;
}

const SIZES = [
  { functions: 512, limit: 1 / 15, every: 1, rounds: 21 },
  { functions: 5_000, limit: 1 / 28, every: 2, rounds: 7 },
  { functions: 50_000, limit: 1 / 100, every: 7, rounds: 5 },
] as const;

const CHANGES = 2_000;

export async function run(): Promise<RankingResult> {
  const sizes: SizeResult[] = [];
  for (const size of SIZES) sizes.push(await compare(size));
  const change = measureChanges(synthesise(50_000));
  return { sizes, change };
}

async function compare({ functions: size, limit, every, rounds }: (typeof SIZES)[number]): Promise<SizeResult> {
  const functions = synthesise(size);
  const queries = capabilities().filter((_, at) => at % every === 0);
  const documents = functions.map(({ id, description = "", parameters }, at) => ({
    id: at,
    name: id,
    text: searchableText(id, description, parameterNames(parameters)),
  }));
  const { catalog } = await catalogOf(functions);
  const miniSearch = new MiniSearch({ fields: ["text"] });
  miniSearch.addAll(documents);
  const bare = new BareBm25(documents.map(({ name, text }) => `${name} ${name} ${text}`));
  const context = newContext(3_600_000);
  const contenders = [
    async (query: string) => catalog.rank({ lanes: [query] }, context),
    async (query: string) => miniSearch.search(query),
    async (query: string) => bare.search(query),
  ];
  const [ours, theirs, yardstick] = await takeTurns(contenders, queries, rounds);
  return {
    functions: functions.length,
    catalog: ours,
    miniSearch: theirs,
    bare: yardstick,
    partOfMiniSearch: ours / theirs,
    timesBare: ours / yardstick,
    limits: { partOfMiniSearch: limit, timesBare: 2 },
  };
}

setFlagsFromString("--expose-gc");
const sweep = runInNewContext("gc") as () => void;

type Contender = (query: string) => Promise<unknown>;

/**
 * Mean over the queries of the median over the rounds, in microseconds. A turn begins with the heap swept, so that nobody pays for the
 * garbage of another, and with one pass that isn't counted, because another has just had the caches of the processor.
 */
async function takeTurns(
  contenders: readonly Contender[],
  queries: readonly string[],
  rounds: number,
): Promise<[number, number, number]> {
  const times = contenders.map(() => queries.map((): number[] => []));
  for (let round = 0; round < rounds; round++) {
    for (const [turn, contender] of contenders.entries()) {
      sweep();
      for (let pass = 0; pass < 2; pass++) {
        for (const [at, query] of queries.entries()) {
          const begin = process.hrtime.bigint();
          await contender(query);
          if (pass > 0) times[turn]?.[at]?.push(Number(process.hrtime.bigint() - begin) / 1_000);
        }
      }
    }
  }
  return times.map((ofQueries) => ofQueries.map(median).reduce((sum, time) => sum + time, 0) / queries.length) as [
    number,
    number,
    number,
  ];
}

function measureChanges(functions: readonly Registered[]): ChangeResult {
  const lane = new LexicalLane();
  const texts = functions.map(
    ({ id, description = "", parameters }) => [id, searchableText(id, description, parameterNames(parameters))] as const,
  );
  for (const [id, text] of texts) lane.add(id, text);
  const added: number[] = [];
  const removed: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const [id, text] = texts[(change * 7_919) % texts.length] as readonly [string, string];
    removed.push(microseconds(() => lane.remove(id)));
    added.push(microseconds(() => lane.add(id, text)));
  }
  return {
    functions: functions.length,
    addMedian: median(added),
    addP99: percentile(added, 0.99),
    removeMedian: median(removed),
    removeP99: percentile(removed, 0.99),
  };
}

function microseconds(work: () => void): number {
  const begin = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - begin) / 1_000;
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function percentile(values: readonly number[], part: number): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length * part)] as number;
}

function print({ sizes, change }: RankingResult): void {
  for (const { functions, partOfMiniSearch, timesBare, limits } of sizes) {
    const part = `1/${(1 / partOfMiniSearch).toFixed(0)} of MiniSearch (at most 1/${(1 / limits.partOfMiniSearch).toFixed(0)})`;
    console.log(`${functions} functions: ${part}, ${timesBare.toFixed(2)} times bare BM25 (at most ${limits.timesBare})`);
  }
  const { addMedian, addP99, removeMedian, removeP99 } = change;
  console.log(
    `one change at ${change.functions}: add ${addMedian.toFixed(0)} µs (p99 ${addP99.toFixed(0)}), remove ${removeMedian.toFixed(0)} µs (p99 ${removeP99.toFixed(0)})`,
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const result = await run();
  print(result);
  writeFileSync(join(ROOT, "bench", "results", "ranking.json"), `${JSON.stringify(result, null, 2)}\n`);
}
