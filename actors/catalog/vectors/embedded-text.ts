/** What is kept of a text that has been embedded. */
import { createHash } from "node:crypto";
import { DIMENSIONS } from "./scan-memory.js";

export interface EmbeddedText {
  /** Of unit length; all zeros when the model can't read the text. */
  readonly vector: Float32Array;
  /** Mean and deviation of its cosines to the background bank: how near it is to just anything. */
  readonly mean: number;
  readonly deviation: number;
}

/** Two floats more than the vector has, in memory and in the file. */
export const ROW_FLOATS = DIMENSIONS + 2;

export function toRow({ vector, mean, deviation }: EmbeddedText): Float32Array {
  const row = new Float32Array(ROW_FLOATS);
  row.set(vector);
  row[DIMENSIONS] = mean;
  row[DIMENSIONS + 1] = deviation;
  return row;
}

export function fromRow(row: Float32Array): EmbeddedText {
  return { vector: row.subarray(0, DIMENSIONS), mean: row[DIMENSIONS] ?? 0, deviation: row[DIMENSIONS + 1] ?? 0 };
}

/** A text as key of its vector: 32 bytes in base64. The model is not in it, a cache holds vectors of one model. */
export function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
