/** The names nearest to one that doesn't exist. */

/** Insertions, deletions and replacements of characters that make one text of the other. */
export function editDistance(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [line, character] of a.entries()) {
    const next = [line + 1];
    for (const [column, other] of b.entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Nearest first, ties in the given order. Case doesn't matter. */
export function nearest(missed: string, candidates: readonly string[], limit: number): string[] {
  const lower = missed.toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, distance: editDistance(lower, candidate.toLowerCase()) }))
    .sort((left, right) => left.distance - right.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}
