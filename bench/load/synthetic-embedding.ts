/**
 * The thread of an embedding without a network, for catalogues whose embedding would take an hour: the vector of a text is the sum of a
 * vector for each of its words. What comes after the model is the same as ever. Words of a `z`, a letter and digits are the same word
 * to it when the digits are, so that a need and a function can be near to each other without a term in common.
 */
import { run } from "../../actors/runtime.js";
import type { EmbedReply } from "../../protocol/actors/embedding.js";
import { DirectoryError } from "../../protocol/errors.js";
import { unitVector } from "../../test/harness/vectors.js";

const MODEL = "synthetic@1";
const DIMENSIONS = 384;
const SYNONYM = /^z[a-z](\d+)$/;
const directions = new Map<string, Float32Array>();

await run("embedding", async () => ({
  embedQueries: async ({ texts }) => embed(texts),
  embedDocuments: async ({ texts }) => embed(texts),
  rerank: async () => {
    throw new DirectoryError("invalid_request", "no reranker");
  },
  report: async () => ({ state: "ready" as const, model: MODEL, processes: 0 }),
}));

function embed(texts: readonly string[]): EmbedReply {
  const vectors = new Float32Array(new SharedArrayBuffer(texts.length * DIMENSIONS * Float32Array.BYTES_PER_ELEMENT));
  for (const [row, text] of texts.entries()) add(vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS), text);
  return { vectors, dimensions: DIMENSIONS, model: MODEL };
}

function add(vector: Float32Array, text: string): void {
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    const direction = directionOf(SYNONYM.exec(word)?.[1] ?? word);
    for (let at = 0; at < DIMENSIONS; at++) vector[at] = (vector[at] ?? 0) + (direction[at] ?? 0);
  }
  const length = Math.hypot(...vector) || 1;
  for (let at = 0; at < DIMENSIONS; at++) vector[at] = (vector[at] ?? 0) / length;
}

function directionOf(word: string): Float32Array {
  let direction = directions.get(word);
  if (direction === undefined) {
    direction = unitVector([...word].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), 7));
    directions.set(word, direction);
  }
  return direction;
}
