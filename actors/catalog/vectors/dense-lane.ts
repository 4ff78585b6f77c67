/** The dense lane: the vectors of the live functions. A function whose vector isn't there yet is no row of it. */

import { breathe } from "../breathe.js";
import type { FunctionContract } from "../contract.js";
import type { CatalogFollower, Difference, Generation } from "../generation.js";
import { denseText } from "./dense-text.js";
import { keyOf } from "./embedded-text.js";
import type { TextVectors, VectorHolder } from "./text-vectors.js";
import type { KeyedText } from "./vector-file.js";
import { VectorMatrix } from "./vector-matrix.js";

/** Functions hashed between two turns of the event loop. */
const SLICE = 2_000;

interface Text {
  readonly text: string;
  readonly key: string;
}

export class DenseLane implements CatalogFollower, VectorHolder {
  readonly #vectors: TextVectors;
  readonly #texts = new Map<string, Text>();
  #matrix = new VectorMatrix();

  constructor(vectors: TextVectors) {
    this.#vectors = vectors;
    vectors.addHolder(this);
  }

  get size(): number {
    return this.#matrix.size;
  }

  get matrix(): VectorMatrix {
    return this.#matrix;
  }

  async prepare(_: Generation, { removed, added }: Difference): Promise<() => void> {
    const texts: (readonly [string, Text])[] = [];
    for (const contract of added) {
      texts.push([contract.functionId, textOf(contract)]);
      if (texts.length % SLICE === 0) await breathe();
    }
    return () => {
      for (const id of removed) this.#remove(id);
      for (const [id, text] of texts) this.#add(id, text);
    };
  }

  restart(): void {
    const { ids } = this.#matrix;
    this.#matrix = new VectorMatrix();
    for (const id of ids) {
      const text = this.#texts.get(id);
      if (text !== undefined) this.#want(id, text);
    }
  }

  *held(): Generator<KeyedText> {
    for (const id of this.#matrix.ids) {
      const key = this.#texts.get(id)?.key;
      const embedded = this.#matrix.get(id);
      if (key !== undefined && embedded !== undefined) yield [key, embedded];
    }
  }

  #add(id: string, text: Text): void {
    this.#texts.set(id, text);
    this.#want(id, text);
  }

  /** A text that comes back, or that another function has as well, isn't embedded again. */
  #remove(id: string): void {
    const text = this.#texts.get(id);
    if (text === undefined) return;
    const embedded = this.#matrix.get(id);
    if (embedded === undefined) this.#vectors.forget(text.key);
    else this.#vectors.keep(text.key, embedded);
    this.#matrix.delete(id);
    this.#texts.delete(id);
  }

  #want(id: string, text: Text): void {
    const take = (): void => {
      const embedded = this.#vectors.peek(text.key);
      if (embedded === undefined || this.#texts.get(id)?.key !== text.key) return;
      this.#vectors.release(text.key);
      this.#matrix.set(id, embedded);
    };
    this.#vectors.want(text.text, take, { key: text.key });
  }
}

function textOf(contract: FunctionContract): Text {
  const text = denseText(contract);
  return { text, key: keyOf(text) };
}
