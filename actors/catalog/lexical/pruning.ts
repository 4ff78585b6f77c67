/** Which rows of a ranked lane are worth showing. */

export interface ScoredRow {
  readonly score: number;
  /** Distinct query terms found. */
  readonly matched: number;
}

/** Rows below this part of the leader's score go. */
export const SCORE_CUT = 0.5;

/** Rows with fewer terms than the leader must come this near to its score. */
const FEWER_TERMS_CUT = 0.85;

/** True for a row that stays beside its leader, the first of the ranking. */
export function survives(row: ScoredRow, leader: ScoredRow): boolean {
  return row.score >= SCORE_CUT * leader.score && (row.matched >= leader.matched || row.score >= FEWER_TERMS_CUT * leader.score);
}

/** `rows`: best first. */
export function prune<Row extends ScoredRow>(rows: readonly Row[]): Row[] {
  const leader = rows[0];
  return leader === undefined ? [] : rows.filter((row) => survives(row, leader));
}
