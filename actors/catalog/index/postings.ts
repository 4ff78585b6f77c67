/**
 * The documents that hold one term, sorted by document number, each with its impact class:
 *
 *     documents │ 3 │ 17 │ 40 │ 41 │ · │ ·      length 4, capacity 6
 *     classes   │ 9 │  2 │  9 │  5 │ · │ ·
 *
 * Taking one out closes the gap at once. That moves at most some ten thousand integers, which takes microseconds, and leaves
 * nothing to compact later.
 */
export class Postings {
  readonly term: string;
  documents: Int32Array = new Int32Array(SMALLEST);
  classes: Int32Array = new Int32Array(SMALLEST);
  length = 0;
  /** Highest saturation among the documents, as of `boundVersion`; see InvertedIndex.bound. */
  bound = 0;
  boundVersion = -1;

  constructor(term: string) {
    this.term = term;
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

  insert(document: number, impactClass: number): void {
    const last = this.length;
    if (last === this.documents.length) this.#resize(last + (last >> 1) + SMALLEST);
    const { documents, classes } = this;
    const at = last > 0 && (documents[last - 1] as number) > document ? this.position(document) : last;
    if (at < last) {
      documents.copyWithin(at + 1, at, last);
      classes.copyWithin(at + 1, at, last);
    }
    documents[at] = document;
    classes[at] = impactClass;
    this.length = last + 1;
  }

  /** Takes the document out and returns its impact class. It must be there. */
  remove(document: number): number {
    const at = this.position(document);
    const impactClass = this.classes[at] as number;
    this.documents.copyWithin(at, at + 1, this.length);
    this.classes.copyWithin(at, at + 1, this.length);
    this.length--;
    if (this.length > SMALLEST && this.length * 4 < this.documents.length) this.#resize(this.length * 2);
    return impactClass;
  }

  #resize(capacity: number): void {
    const documents = new Int32Array(capacity);
    const classes = new Int32Array(capacity);
    documents.set(this.documents.subarray(0, this.length));
    classes.set(this.classes.subarray(0, this.length));
    this.documents = documents;
    this.classes = classes;
  }
}

/** Most terms are in one or two documents. */
const SMALLEST = 2;
