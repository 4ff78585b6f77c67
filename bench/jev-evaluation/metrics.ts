/** Figures of one answer to one judged case. A lane's own ranking is measured to its twelfth place, the response by what it selected. */
import { createHash } from "node:crypto";
import type { JudgedCase, Qrel } from "./cases.js";
import type { Evaluated } from "./entry.js";

const DEPTH = 12;

export interface CaseMetrics {
  /** Means over the lanes that expect something; null when none does. */
  readonly recall_at_12: number | null;
  readonly mrr: number | null;
  /** Required groups with one of theirs in the response, of all groups. */
  readonly group_coverage: number | null;
  /** The same within the lane's own first twelve. */
  readonly lane_group_coverage: number | null;
  readonly all_groups: boolean | null;
  /** Rows of lanes that expect none, and of responses to cases that expect none at all. */
  readonly lane_false_positives: number;
  readonly response_false_positives: number;
  readonly candidates: number;
  /** UTF-8 bytes of the selected ids as JSON. */
  readonly candidate_bytes: number;
}

export function measureCase(
  { id, qrels }: JudgedCase,
  { rankings, selected }: Pick<Evaluated, "rankings" | "selected">,
): CaseMetrics {
  if (rankings.length !== qrels.length)
    throw new Error(`case ${id}: ${qrels.length} lanes were asked and ${rankings.length} answered`);
  const lanes = qrels.map((qrel, at) => ({ qrel, ids: (rankings[at] ?? []).map((row) => row.id) }));
  const expecting = lanes.filter(({ qrel }) => !qrel.expect_empty);
  const groups = expecting.map(({ qrel, ids }) => ({ ids, groups: qrel.required_groups }));
  const shown = new Set(selected);
  const all = groups.flatMap((lane) => lane.groups);
  const covered = all.filter((group) => group.some((each) => shown.has(each))).length;
  const inLanes = groups.map((lane) => coveredBy(lane.groups, lane.ids.slice(0, DEPTH))).reduce((sum, count) => sum + count, 0);
  return {
    recall_at_12: mean(expecting.map(({ qrel, ids }) => recall(qrel, ids))),
    mrr: mean(expecting.map(({ qrel, ids }) => reciprocalRank(qrel, ids))),
    group_coverage: all.length === 0 ? null : covered / all.length,
    lane_group_coverage: all.length === 0 ? null : inLanes / all.length,
    all_groups: all.length === 0 ? null : covered === all.length,
    lane_false_positives: lanes
      .filter(({ qrel }) => qrel.expect_empty)
      .reduce((sum, { ids }) => sum + ids.slice(0, DEPTH).length, 0),
    response_false_positives: expecting.length === 0 ? selected.length : 0,
    candidates: selected.length,
    candidate_bytes: Buffer.byteLength(JSON.stringify(selected)),
  };
}

function coveredBy(groups: readonly (readonly string[])[], ids: readonly string[]): number {
  return groups.filter((group) => group.some((id) => ids.includes(id))).length;
}

function recall({ acceptable_ids }: Qrel, ids: readonly string[]): number {
  const first = ids.slice(0, DEPTH);
  return acceptable_ids.filter((id) => first.includes(id)).length / acceptable_ids.length;
}

function reciprocalRank({ acceptable_ids }: Qrel, ids: readonly string[]): number {
  const at = ids.findIndex((id) => acceptable_ids.includes(id));
  return at < 0 ? 0 : 1 / (at + 1);
}

export function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Nearest rank; null without samples. */
export function percentile(samples: readonly number[], share: number): number | null {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** Lower-case hex: says which inputs a report is of. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
