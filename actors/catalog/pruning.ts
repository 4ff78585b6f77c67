/**
 * Which rows of a ranked lane are worth showing. One worker mostly serves a need as a whole, so what it offers besides the leader is more
 * welcome than what others do.
 */
import { namespaceOf } from "../../domain/function-id.js";

/** Parts of the leader's score below which a row goes. */
export interface Cuts {
  /** In the leader's namespace. */
  readonly own: number;
  /** Elsewhere. */
  readonly foreign: number;
}

/** `rows`: best first. */
export function prune<Row extends { readonly id: string; readonly score: number }>(rows: readonly Row[], cuts: Cuts): Row[] {
  const [leader] = rows;
  if (leader === undefined) return [];
  const namespace = namespaceOf(leader.id);
  return rows.filter(({ id, score }) => score >= leader.score * (namespaceOf(id) === namespace ? cuts.own : cuts.foreign));
}
