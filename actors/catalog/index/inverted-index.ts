/**
 * An inverted index over documents of one or more fields, kept up to date by adding and removing single documents. After any sequence
 * of changes it gives the same scores as an index built afresh from the documents that are left.
 *
 * Document numbers are places in arrays: small, reused, and without meaning outside this folder and the lanes.
 */
import { type Field, impact, inverseDocumentFrequency } from "./impact-model.js";
import { Postings } from "./postings.js";

interface StoredDocument {
  readonly id: string;
  readonly postings: readonly Postings[];
}

export class InvertedIndex {
  readonly #fields: readonly Field[];
  readonly #terms = new Map<string, Postings>();
  readonly #numbers = new Map<string, number>();
  readonly #documents: (StoredDocument | undefined)[] = [];
  readonly #free: number[] = [];

  constructor(fields: readonly Field[]) {
    this.#fields = fields;
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

  /** Of a term that no document holds as well: it is the rarest. */
  inverseDocumentFrequency(postings: Postings | undefined): number {
    return inverseDocumentFrequency(this.size, postings?.length ?? 0);
  }

  /** Adds a document, or replaces the one of that id. `terms`: with repetitions, a field each. */
  add(id: string, terms: readonly (readonly string[])[]): void {
    this.remove(id);
    const lengths = terms.map((ofField) => ofField.length);
    const document = this.#free.pop() ?? this.#documents.length;
    const postings: Postings[] = [];
    for (const [term, frequencies] of this.#frequencies(terms)) {
      const list = this.#listOf(term);
      list.insert(document, impact(this.#fields, frequencies, lengths));
      postings.push(list);
    }
    this.#documents[document] = { id, postings };
    this.#numbers.set(id, document);
  }

  /** False when there is no such document. */
  remove(id: string): boolean {
    const document = this.#numbers.get(id);
    const stored = document === undefined ? undefined : this.#documents[document];
    if (document === undefined || stored === undefined) return false;
    for (const list of stored.postings) {
      list.remove(document);
      if (list.length === 0) this.#terms.delete(list.term);
    }
    this.#documents[document] = undefined;
    this.#numbers.delete(id);
    this.#free.push(document);
    return true;
  }

  #frequencies(terms: readonly (readonly string[])[]): Map<string, number[]> {
    const frequencies = new Map<string, number[]>();
    for (const [field, ofField] of terms.entries()) {
      for (const term of ofField) {
        let counts = frequencies.get(term);
        if (counts === undefined) {
          counts = new Array<number>(this.#fields.length).fill(0);
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
}
