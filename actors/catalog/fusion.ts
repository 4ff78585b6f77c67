/**
 * One capability by terms and by meaning. Cosines and lexical scores are added, because both are comparable from one query to the next;
 * ranks would throw away how far apart two rows are.
 */
import { compareBytes } from "../../domain/text.js";
import { admits, type Evidence } from "./admission.js";
import type { LexicalLane } from "./lexical/lexical-lane.js";
import { prune } from "./pruning.js";
import type { VectorMatrix } from "./vectors/vector-matrix.js";

export interface HybridSource {
  readonly lexical: LexicalLane;
  readonly matrix: VectorMatrix;
}

export interface FusedRow {
  readonly id: string;
  /** Comparable within its lane. */
  readonly score: number;
}

/** Best rows of each lane that are looked at. */
const DEPTH = 64;
/** Rows that are fused. More of them change nothing. */
const HEAD = 24;
/** A cosine against a lexical score, for the order of the head. */
const COSINE_WEIGHT = 0.65;
/** Parts of the leader's score below which a row goes: in its namespace and elsewhere. Calibrated on the judged sets. */
const CUTS = { own: 0.45, foreign: 0.48 } as const;

/** A sum of parts that make a whole comes out a little beside 1. */
const FULL_COVERAGE = 1 - 1e-9;

/** Of cosines to the background bank, in the middle of the functions. */
const TYPICAL = { mean: 0.02, deviation: 0.07 } as const;

interface Candidate extends Evidence {
  readonly id: string;
  readonly cosine: number;
}

export interface FusedLane {
  /** Best first, nothing cut off; empty when nothing fits. */
  readonly head: readonly FusedRow[];
  /** The row that terms put first, when it holds every term of the capability. */
  readonly anchor?: string;
}

/** Best first; empty when nothing fits. */
export function rankHybrid(capability: string, query: Float32Array, source: HybridSource): FusedRow[] {
  return cutHead(fuseLane(capability, query, source).head);
}

export function cutHead(head: readonly FusedRow[]): FusedRow[] {
  return prune(head, CUTS);
}

/**
 * `query` is of unit length. A row without a vector is taken to be as near to the query as its terms suggest, so what is new isn't pushed
 * away by what isn't.
 */
export function fuseLane(capability: string, query: Float32Array, { lexical, matrix }: HybridSource): FusedLane {
  const cosines = matrix.cosines(query);
  const nearest = highest(cosines, DEPTH).map((row) => matrix.ids[row] as string);
  const weights = lexical.weigh(capability, DEPTH, nearest);
  const rows: Candidate[] = [];
  for (const [id, { score, coverage }] of weights) {
    const row = matrix.row(id);
    const cosine = row === undefined ? expectedCosine(score) : (cosines[row] as number);
    const normalised = row === undefined ? (cosine - TYPICAL.mean) / TYPICAL.deviation : matrix.normalised(row, cosine);
    rows.push({ id, score, coverage, cosine, normalised });
  }
  const head = best(rows, ({ cosine, score }) => cosine + score).slice(0, HEAD);
  if (!admits(head)) return { head: [] };
  const fused = head.map(({ id, cosine, score }) => ({ id, score: COSINE_WEIGHT * cosine + score }));
  const [leader] = best(head, ({ score }) => score);
  const isCovered = leader !== undefined && leader.coverage > FULL_COVERAGE;
  return { head: best(fused, ({ score }) => score), ...(isCovered ? { anchor: leader.id } : {}) };
}

/** Of a row with such a lexical score, on the judged sets. */
function expectedCosine(score: number): number {
  return 0.2 + 0.8 * score;
}

function best<Row extends { readonly id: string }>(rows: readonly Row[], scoreOf: (row: Row) => number): Row[] {
  return [...rows].sort((left, right) => scoreOf(right) - scoreOf(left) || compareBytes(left.id, right.id));
}

/** Places of the highest values, in no order; all that are as high as the last of them. To sort the values of a large catalogue would take longer than to scan it. */
function highest(values: Float32Array, count: number): number[] {
  const places: number[] = [];
  const floor = values.length > count ? floorOf(values, count) : -Infinity;
  for (let at = 0; at < values.length; at++) if ((values[at] as number) >= floor) places.push(at);
  return places;
}

/** The `count`-highest value: the highest ones so far are kept in order, and most values are below all of them. */
function floorOf(values: Float32Array, count: number): number {
  const kept = values.slice(0, count).sort();
  for (let at = count; at < values.length; at++) {
    const value = values[at] as number;
    if (value <= (kept[0] as number)) continue;
    let place = 1;
    while (place < count && (kept[place] as number) < value) {
      kept[place - 1] = kept[place] as number;
      place++;
    }
    kept[place - 1] = value;
  }
  return kept[0] as number;
}
