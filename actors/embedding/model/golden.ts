/** Does a loaded model compute what it should? A wrong file can load without complaint and give vectors that are near random. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cosine, DIMENSIONS } from "./pooling.js";

/** Quantised weights stay above .999; a model of another family or a broken one is far below. */
const LEAST_COSINE = 0.98;

export interface GoldenCase {
  readonly text: string;
  readonly tokens: number;
  readonly vector: Float32Array;
}

export function readGolden(packageRoot: string): readonly GoldenCase[] {
  const { cases } = JSON.parse(readFileSync(join(packageRoot, "models", "golden.json"), "utf8")) as {
    cases: { text: string; tokens: number; vector: string }[];
  };
  return cases.map(({ text, tokens, vector }) => ({ text, tokens, vector: decode(vector) }));
}

/** A readable line about the first case that is off, or undefined. `vectors` has one row a case. */
export function goldenFault(cases: readonly GoldenCase[], vectors: Float32Array): string | undefined {
  for (const [row, { text, vector }] of cases.entries()) {
    const likeness = cosine(vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS), vector);
    if (!(likeness >= LEAST_COSINE)) {
      return `the vector of ${JSON.stringify(text)} has a cosine of ${likeness.toFixed(3)} to the expected one, less than ${LEAST_COSINE}`;
    }
  }
  return undefined;
}

function decode(base64: string): Float32Array {
  const bytes = Buffer.from(base64, "base64");
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}
