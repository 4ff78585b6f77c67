/** Cuts texts into batches. A running batch can't be interrupted, so its size is what a query has to wait for. */

export interface BatchLimits {
  readonly rows: number;
  /** Rows times the longest of them: what the network really computes, padding included. */
  readonly tokens: number;
}

/** Positions in `lengths`, shortest first, so that a batch is padded as little as possible. A text longer than the limit goes alone. */
export function cutBatches(lengths: readonly number[], { rows, tokens }: BatchLimits): number[][] {
  const order = lengths.map((_, at) => at).sort((left, right) => (lengths[left] ?? 0) - (lengths[right] ?? 0));
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const at of order) {
    const full = batch.length >= rows || (batch.length + 1) * (lengths[at] ?? 0) > tokens;
    if (full && batch.length > 0) {
      batches.push(batch);
      batch = [];
    }
    batch.push(at);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
