/**
 * The documents that hold one term, sorted by document number, each with the impact of the term in it:
 *
 *     documents │ 3   │ 17  │ 40  │ 41  │ · │ ·      length 4, capacity 6
 *     impacts   │ 1.0 │ 1.6 │ 1.0 │ 0.4 │ · │ ·
 *
 * Taking one out closes the gap at once. That moves at most some ten thousand numbers, which takes microseconds, and leaves
 * nothing to compact later.
 */
export class Postings {
  readonly term: string;
  documents: Int32Array = new Int32Array(SMALLEST);
  impacts: Float32Array = new Float32Array(SMALLEST);
  length = 0;
  #bound: number | undefined = 0;

  constructor(term: string) {
    this.term = term;
  }

  /** The highest impact that the term has in any document. Found by one scan after a removal, then remembered. */
  get bound(): number {
    if (this.#bound === undefined) {
      let bound = 0;
      for (let at = 0; at < this.length; at++) bound = Math.max(bound, this.impacts[at] as number);
      this.#bound = bound;
    }
    return this.#bound;
  }

  /** Where the document is, or where it would be. */
  position(document: number): number {
    const { documents } = this;
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((documents[middle] as number) < document) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  has(document: number): boolean {
    return this.impact(document) > 0;
  }

  /** 0 when the document doesn't hold the term. */
  impact(document: number): number {
    const at = this.position(document);
    return at < this.length && this.documents[at] === document ? (this.impacts[at] as number) : 0;
  }

  insert(document: number, impact: number): void {
    const last = this.length;
    if (last === this.documents.length) this.#resize(last + (last >> 1) + SMALLEST);
    const { documents, impacts } = this;
    const at = last > 0 && (documents[last - 1] as number) > document ? this.position(document) : last;
    if (at < last) {
      documents.copyWithin(at + 1, at, last);
      impacts.copyWithin(at + 1, at, last);
    }
    documents[at] = document;
    impacts[at] = impact;
    this.length = last + 1;
    if (this.#bound !== undefined) this.#bound = Math.max(this.#bound, impacts[at] as number);
  }

  /** Takes the document out. It must be there. */
  remove(document: number): void {
    const at = this.position(document);
    if (this.impacts[at] === this.#bound) this.#bound = undefined;
    this.documents.copyWithin(at, at + 1, this.length);
    this.impacts.copyWithin(at, at + 1, this.length);
    this.length--;
    if (this.length > SMALLEST && this.length * 4 < this.documents.length) this.#resize(this.length * 2);
  }

  #resize(capacity: number): void {
    const documents = new Int32Array(capacity);
    const impacts = new Float32Array(capacity);
    documents.set(this.documents.subarray(0, this.length));
    impacts.set(this.impacts.subarray(0, this.length));
    this.documents = documents;
    this.impacts = impacts;
  }
}

/** Most terms are in one or two documents. */
const SMALLEST = 2;
