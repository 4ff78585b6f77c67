/** From one vector a token to one a text. */

export const DIMENSIONS = 384;

/**
 * Mean over the tokens of each row, without the padding, scaled to length 1. A row that has no direction (not finite, or zero) is left
 * all zeros, the sign for "no vector": one bad row must not cost the others.
 */
export function poolRows(hidden: Float32Array, width: number, lengths: readonly number[]): Float32Array {
  const pooled = new Float32Array(lengths.length * DIMENSIONS);
  const sum = new Float64Array(DIMENSIONS);
  for (const [row, length] of lengths.entries()) {
    sum.fill(0);
    for (let token = 0; token < length; token++) {
      const from = (row * width + token) * DIMENSIONS;
      for (let at = 0; at < DIMENSIONS; at++) sum[at] = (sum[at] ?? 0) + (hidden[from + at] ?? Number.NaN);
    }
    writeUnit(sum, pooled.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS));
  }
  return pooled;
}

function writeUnit(sum: Float64Array, target: Float32Array): void {
  let square = 0;
  for (const value of sum) square += value * value;
  const length = Math.sqrt(square);
  if (!Number.isFinite(length) || length < 1e-12) return;
  for (const [at, value] of sum.entries()) target[at] = value / length;
}

/** True for a row of zeros: there is no vector for this text. */
export function isAbsent(row: Float32Array): boolean {
  return row.every((value) => value === 0);
}

/** Every row is finite and either of unit length or absent. */
export function areValid(rows: Float32Array, count: number): boolean {
  if (rows.length !== count * DIMENSIONS) return false;
  for (let row = 0; row < count; row++) {
    let square = 0;
    for (let at = row * DIMENSIONS; at < (row + 1) * DIMENSIONS; at++) square += (rows[at] ?? Number.NaN) ** 2;
    if (square !== 0 && !(Math.abs(square - 1) < 1e-3)) return false;
  }
  return true;
}

export function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let [dot, a, b] = [0, 0, 0];
  for (let at = 0; at < DIMENSIONS; at++) {
    const [x, y] = [left[at] ?? 0, right[at] ?? 0];
    dot += x * y;
    a += x * x;
    b += y * y;
  }
  return a === 0 || b === 0 ? 0 : dot / Math.sqrt(a * b);
}
