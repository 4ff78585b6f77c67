/**
 * Ranking by terms against other libraries, contenders in turn, for one size of catalogue. A program of its own, so that the heap of one size
 * isn't the burden of the next: it is forked with the size, the number of needs and the number of rounds, and sends what it found.
 */

import { median, round, timed } from "../measure.js";
import { collectGarbage } from "./garbage.js";
import { generate, needs } from "./generator.js";
import { CONTENDERS, type Search, textOf } from "./lexical-contenders.js";

export interface LexicalResult {
  readonly functions: number;
  readonly contenders: readonly LexicalContender[];
  /** Names of those that can't run here. */
  readonly missing: readonly string[];
}

export interface LexicalContender {
  readonly name: string;
  /** Milliseconds to read or index everything. */
  readonly buildMs: number;
  /** Milliseconds, the median over the needs of each need's median over the rounds. */
  readonly searchMs: number;
  /** The slowest need, by its median. */
  readonly slowestMs: number;
  /** How many times as long all needs together take us; 1 for ourselves. */
  readonly overOurs: number;
}

export async function compareLexical(size: number, asked: number, rounds: number): Promise<LexicalResult> {
  const functions = generate(size);
  const texts = functions.map(textOf);
  const built: { name: string; search: Search; buildMs: number }[] = [];
  const missing: string[] = [];
  for (const [name, build] of Object.entries(CONTENDERS)) {
    let search: Search | undefined;
    const buildMs = await timed(async () => {
      search = await build(functions, texts).catch(() => undefined);
    });
    if (search === undefined) missing.push(name);
    else built.push({ name, search, buildMs });
  }
  const times = await takeTurns(
    built.map(({ search }) => search),
    needs(asked),
    rounds,
  );
  const totals = times.map((ofNeeds) => ofNeeds.reduce((sum, time) => sum + time, 0));
  const [ours = Number.NaN] = totals;
  const contenders = built.map(({ name, buildMs }, at) => {
    const ofNeeds = times[at] ?? [];
    return {
      name,
      buildMs: round(buildMs),
      searchMs: round(median(ofNeeds)),
      slowestMs: round(Math.max(...ofNeeds)),
      overOurs: round((totals[at] ?? Number.NaN) / ours),
    };
  });
  return { functions: size, contenders, missing };
}

/** Per contender and need the median of the rounds. A turn begins with a swept heap and a pass that warms the caches and isn't counted. */
async function takeTurns(contenders: readonly Search[], asked: readonly string[], rounds: number): Promise<number[][]> {
  const times = contenders.map(() => asked.map((): number[] => []));
  for (let turn = 0; turn < rounds; turn++) {
    for (const [at, search] of contenders.entries()) {
      collectGarbage();
      for (const need of asked) await search(need);
      for (const [number, need] of asked.entries()) times[at]?.[number]?.push(await timed(() => search(need)));
    }
  }
  return times.map((ofNeeds) => ofNeeds.map(median));
}
