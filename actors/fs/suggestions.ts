/** What a caller may have meant who asked for a skill that doesn't exist. */
import { editDistance, nearest } from "../../domain/nearest.js";

const LIMIT = 3;
const OVERVIEW = /\/index$/;

/** Ids on disk that share parts of the missed id, nearest first; else those that are a slip of the keyboard away. */
export function similarIds(missed: string, ids: readonly string[]): string[] {
  const parts = missed.toLowerCase().split("/");
  const scored = ids
    .map((id) => ({ id, score: 100 * sharedParts(parts, id.split("/")) - editDistance(missed.toLowerCase(), id) }))
    .sort((left, right) => right.score - left.score)
    .slice(0, LIMIT)
    .filter(({ score }) => score > 0);
  if (scored.length > 0) return scored.map(({ id }) => id);
  const furthest = Math.max(2, Math.floor(missed.length / 3));
  const near = (id: string): boolean => editDistance(missed.toLowerCase(), id.replace(OVERVIEW, "")) <= furthest;
  return nearest(missed, ids.filter(near), LIMIT);
}

/** How many parts of the missed id occur in the candidate, a repeated one each time. */
function sharedParts(missed: readonly string[], candidate: readonly string[]): number {
  return missed.filter((part) => candidate.includes(part)).length;
}
