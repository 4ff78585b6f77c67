/** The lines two texts have in common, in order, and those that only one has: the longest common subsequence. */

export interface Change {
  readonly sign: "+" | "-" | " ";
  readonly line: string;
}

/** The table has a cell for each pair of lines. */
const MOST_CELLS = 4_000_000;

export function differences(before: readonly string[], after: readonly string[]): Change[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [
    ...before.slice(0, start).map(both),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(both),
  ];
}

const both = (line: string): Change => ({ sign: " ", line });

function middle(before: readonly string[], after: readonly string[]): Change[] {
  const width = after.length + 1;
  if (before.length * after.length > MOST_CELLS) throw new Error("too_large: the texts differ in too many lines to be compared");
  // common[i * width + j]: how many lines the rests from i and j have in common.
  const common = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      changes.push(both(old));
      i++;
      j++;
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      changes.push({ sign: "-", line: old });
      i++;
    } else if (fresh !== undefined) {
      changes.push({ sign: "+", line: fresh });
      j++;
    }
  }
  return changes;
}
