/** Vectors for tests: the same from the same seed, and a model that makes them from texts. */
import { DIMENSIONS } from "../../actors/catalog/vectors/scan-memory.js";
import type { EmbeddingActor, EmbedReply } from "../../protocol/actors/embedding.js";

/** mulberry32: small, and good enough for vectors that nothing hangs on. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function unitVector(seed: number): Float32Array {
  const next = random(seed);
  const vector = Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((component) => component / length);
}

export function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (const [at, component] of left.entries()) sum += component * (right[at] ?? 0);
  return sum;
}

/** A model whose vectors say which words a text has, and nothing else: texts that share words are near to each other. */
export class WordModel implements Pick<EmbeddingActor, "embedDocuments" | "embedQueries"> {
  /** Texts of each request, in order. */
  readonly requests: string[][] = [];
  model = "words@1";
  /** Set to make requests fail. */
  fault: Error | undefined;
  /** What each request waits for. */
  gate: Promise<void> = Promise.resolve();

  get texts(): string[] {
    return this.requests.flat();
  }

  async embedDocuments({ texts }: { readonly texts: readonly string[] }): Promise<EmbedReply> {
    this.requests.push([...texts]);
    await this.gate;
    if (this.fault !== undefined) throw this.fault;
    return this.embed(texts);
  }

  async embedQueries({ texts }: { readonly texts: readonly string[] }): Promise<EmbedReply> {
    return this.embed(texts);
  }

  embed(texts: readonly string[]): EmbedReply {
    const vectors = new Float32Array(texts.length * DIMENSIONS);
    for (const [row, text] of texts.entries()) vectors.set(wordVector(text), row * DIMENSIONS);
    return { vectors, dimensions: DIMENSIONS, model: this.model };
  }
}

export function wordVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    const direction = unitVector([...word].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), 7));
    for (const [at, component] of direction.entries()) vector[at] = (vector[at] ?? 0) + component;
  }
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((component) => component / length);
}
