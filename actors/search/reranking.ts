/**
 * A second opinion on the head of each lane by a cross-encoder, which reads need and function together. It has a say beside the ranking, not
 * in its place; and whatever it doesn't judge, or not in time, keeps the order that it had.
 */

import { compareBytes } from "../../domain/text.js";
import type { LaneHead, LaneRanking, RankedFunction } from "../../protocol/actors/catalog.js";
import { type SearchCall, within } from "./search-call.js";

/** For all lanes of a search together. */
const BUDGET_MS = 3_000;
/** Of logits, below the best: what is further away goes. */
const GAP = 12;
/** Of reciprocal rank fusion: how little the first ranks differ. */
const RANK_CONSTANT = 60;

/** One row list a lane. Never rejects. */
export async function rerankLanes(
  { peers, context, log }: SearchCall,
  capabilities: readonly string[],
  ranked: readonly LaneRanking[],
): Promise<(readonly RankedFunction[])[]> {
  const open = ranked.flatMap(({ head }, lane) => (head !== undefined && head.rows.length > 1 ? [{ lane, head }] : []));
  const logits = new Map<number, readonly number[]>();
  if (open.length > 0) {
    const lanes = open.map(({ lane, head }) => ({
      query: capabilities[lane] ?? "",
      documents: head.rows.map(({ text }) => text),
    }));
    try {
      const reply = await peers.embedding.rerank({ lanes }, within(context, BUDGET_MS));
      if (reply.lanes.length === open.length) {
        for (const [at, { lane, head }] of open.entries()) {
          const given = reply.lanes[at];
          if (isWhole(given, head)) logits.set(lane, given);
        }
      }
    } catch (error) {
      log.debug({ err: error }, "not reranked");
    }
    if (logits.size < open.length) log.debug({ lanes: open.length, reranked: logits.size }, "reranked in part");
  }
  return ranked.map(({ rows, head }, lane) => {
    const given = logits.get(lane);
    return given === undefined || head === undefined ? rows : rerank(head, given);
  });
}

/** A score for each row of the head and no others, all of them numbers. */
function isWhole(logits: readonly number[] | null | undefined, { rows }: LaneHead): logits is readonly number[] {
  return Array.isArray(logits) && logits.length === rows.length && logits.every(Number.isFinite);
}

interface Placed {
  readonly row: RankedFunction;
  readonly logit: number;
}

/** `logits`: one a row of the head, as the network gives them. */
export function rerank({ rows, anchor }: LaneHead, logits: readonly number[]): RankedFunction[] {
  const best = Math.max(...logits);
  const survivors: Placed[] = rows.flatMap(({ text: _, ...row }, at) => {
    const logit = logits[at] ?? -Infinity;
    return best - logit <= GAP || row.functionId === anchor ? [{ row, logit }] : [];
  });
  const byLogit = [...survivors].sort(
    (left, right) => right.logit - left.logit || compareBytes(left.row.functionId, right.row.functionId),
  );
  const places = new Map(byLogit.map((placed, at) => [placed, at + 1]));
  const fused = survivors
    .map((placed, at) => ({
      row: placed.row,
      score: 1 / (RANK_CONSTANT + at + 1) + 1 / (RANK_CONSTANT + (places.get(placed) ?? 0)),
    }))
    // A stable sort: a tie keeps the order of the ranking.
    .sort((left, right) => right.score - left.score)
    .map(({ row, score }) => ({ ...row, score }));
  return keepNearTop(fused, anchor);
}

/** What holds every term of the need isn't pushed below the second place. */
function keepNearTop(rows: RankedFunction[], anchor: string | undefined): RankedFunction[] {
  const at = rows.findIndex(({ functionId }) => functionId === anchor);
  const [first, second] = rows;
  const kept = rows[at];
  if (at < 2 || first === undefined || second === undefined || kept === undefined) return rows;
  return [first, { ...kept, score: second.score }, ...rows.filter((row) => row !== first && row !== kept)];
}
