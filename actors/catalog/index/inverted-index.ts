/**
 * An inverted index over documents of one or more fields, kept up to date by adding and removing single documents. After any sequence
 * of changes it gives the same scores as an index built afresh from the documents that are left.
 *
 * Document numbers are places in arrays: small, reused, and without meaning outside this file and the retrieval.
 */
import { ImpactClasses } from "./impact-classes.js";
import { type ImpactModel, inverseDocumentFrequency } from "./impact-model.js";
import { Postings } from "./postings.js";

interface StoredDocument {
  readonly id: string;
  readonly lengths: readonly number[];
  readonly postings: readonly Postings[];
}

export class InvertedIndex {
  readonly #fields: number;
  readonly #classes: ImpactClasses;
  readonly #terms = new Map<string, Postings>();
  readonly #numbers = new Map<string, number>();
  readonly #documents: (StoredDocument | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #totals: number[];
  #averages: readonly number[] | undefined;
  #version = 0;

  constructor(model: ImpactModel) {
    this.#fields = model.fields;
    this.#classes = new ImpactClasses(model);
    this.#totals = new Array<number>(model.fields).fill(0);
  }

  /** Documents in the index. */
  get size(): number {
    return this.#numbers.size;
  }

  /** One more than the highest document number there may be. */
  get capacity(): number {
    return this.#documents.length;
  }

  /** Distinct terms. */
  get vocabulary(): number {
    return this.#terms.size;
  }

  has(id: string): boolean {
    return this.#numbers.has(id);
  }

  number(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  id(document: number): string {
    return this.#documents[document]?.id ?? "";
  }

  postings(term: string): Postings | undefined {
    return this.#terms.get(term);
  }

  inverseDocumentFrequency(postings: Postings): number {
    return inverseDocumentFrequency(this.size, postings.length);
  }

  /** Saturation by impact class, under the averages of now. */
  saturations(): Float64Array {
    this.#averages ??= this.#totals.map((total) => (this.size === 0 ? 0 : total / this.size));
    return this.#classes.saturations(this.#averages);
  }

  /** The highest saturation that the term has in any document. Found by one scan after a change, then remembered. */
  bound(postings: Postings): number {
    if (postings.boundVersion === this.#version) return postings.bound;
    const saturations = this.saturations();
    let bound = 0;
    for (let at = 0; at < postings.length; at++) {
      const saturation = saturations[postings.classes[at] as number] as number;
      if (saturation > bound) bound = saturation;
    }
    postings.bound = bound;
    postings.boundVersion = this.#version;
    return bound;
  }

  /** Adds a document, or replaces the one of that id. `terms`: with repetitions, a field each. */
  add(id: string, terms: readonly (readonly string[])[]): void {
    this.remove(id);
    const lengths = Array.from({ length: this.#fields }, (_, field) => terms[field]?.length ?? 0);
    const document = this.#free.pop() ?? this.#documents.length;
    const classOf = this.#classes.forDocument(lengths);
    const postings: Postings[] = [];
    for (const [term, frequencies] of this.#frequencies(terms)) {
      const list = this.#listOf(term);
      list.insert(document, classOf(frequencies));
      postings.push(list);
    }
    this.#documents[document] = { id, lengths, postings };
    this.#numbers.set(id, document);
    this.#count(lengths, 1);
  }

  /** False when there is no such document. */
  remove(id: string): boolean {
    const document = this.#numbers.get(id);
    const stored = document === undefined ? undefined : this.#documents[document];
    if (document === undefined || stored === undefined) return false;
    for (const list of stored.postings) {
      this.#classes.release(list.remove(document));
      if (list.length === 0) this.#terms.delete(list.term);
    }
    this.#documents[document] = undefined;
    this.#numbers.delete(id);
    this.#free.push(document);
    this.#count(stored.lengths, -1);
    return true;
  }

  #frequencies(terms: readonly (readonly string[])[]): Map<string, number[]> {
    const frequencies = new Map<string, number[]>();
    for (let field = 0; field < this.#fields; field++) {
      for (const term of terms[field] ?? []) {
        let counts = frequencies.get(term);
        if (counts === undefined) {
          counts = new Array<number>(this.#fields).fill(0);
          frequencies.set(term, counts);
        }
        counts[field] = (counts[field] as number) + 1;
      }
    }
    return frequencies;
  }

  #listOf(term: string): Postings {
    let list = this.#terms.get(term);
    if (list === undefined) {
      list = new Postings(term);
      this.#terms.set(term, list);
    }
    return list;
  }

  #count(lengths: readonly number[], sign: 1 | -1): void {
    for (const [field, length] of lengths.entries()) this.#totals[field] = (this.#totals[field] as number) + sign * length;
    this.#averages = undefined;
    this.#version++;
  }
}
