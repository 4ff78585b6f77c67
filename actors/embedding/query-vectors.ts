/** Vectors of queries that were asked before: an agent words one need the same way again and again. */
import { LRUCache } from "lru-cache";
import type { EmbeddingModel } from "./embedding-model.js";
import { DIMENSIONS } from "./model/pooling.js";

/** 1.5 KB each. */
const KEPT = 2_048;

export class QueryVectors {
  readonly #known = new LRUCache<string, Float32Array>({ max: KEPT });
  #model: string | undefined;

  /** One row a text, as from the model. Equal texts of one call are computed once. */
  async embed(texts: readonly string[], model: EmbeddingModel, deadline: number): Promise<Float32Array> {
    if (this.#model !== model.identity) this.#known.clear();
    this.#model = model.identity;
    const found = new Map<string, Float32Array>();
    const missing: string[] = [];
    for (const text of new Set(texts)) {
      const known = this.#known.get(text);
      if (known === undefined) missing.push(text);
      else found.set(text, known);
    }
    const computed = await model.embed(missing, { background: false, deadline });
    for (const [row, text] of missing.entries()) {
      const vector = computed.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS);
      found.set(text, vector);
      if (this.#model === model.identity) this.#known.set(text, vector);
    }
    const vectors = new Float32Array(texts.length * DIMENSIONS);
    for (const [row, text] of texts.entries()) vectors.set(found.get(text) ?? [], row * DIMENSIONS);
    return vectors;
  }
}
