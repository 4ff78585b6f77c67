/**
 * Term-at-a-time retrieval with MaxScore pruning. Terms go from rare to common; each knows the most it can add to any document. Once
 * the terms that are left could not lift an unseen document over the cut, they only add to the documents already seen, and documents
 * that can't reach the cut any more are dropped. The result is exactly that of scoring every document.
 *
 * The order of terms depends on document frequencies and spelling only, so a sum comes out the same to the last bit however the index
 * came to be, and equal documents have equal scores.
 */
import type { InvertedIndex } from "./inverted-index.js";
import type { Postings } from "./postings.js";

export interface RetrievalOptions {
  /** Documents with fewer distinct query terms are left out. */
  readonly minimumMatch: number;
  /** Documents that score less than this part of the best are left out; 0 keeps all. */
  readonly cut: number;
}

/** Parallel arrays, in no order. They are scratch: read them before the next retrieval. */
export interface Retrieved {
  readonly count: number;
  readonly documents: Int32Array;
  /** By document number. */
  readonly scores: Float64Array;
  /** Distinct query terms found, by document number. */
  readonly matched: Uint16Array;
  /** Highest score among the documents that match enough terms; 0 when there is none. */
  readonly best: number;
}

interface QueryTerm {
  readonly postings: Postings;
  readonly idf: number;
  /** The most that this term and all behind it can add. */
  rest: number;
}

/** Bounds are sums in another order than scores: this much slack covers the rounding of both. */
const SLACK = 1 + 1e-9;

/** Looking one document up costs about as much as passing this many postings. */
const LOOKUP_COST = 24;

export class Retrieval {
  readonly #index: InvertedIndex;
  #scores = new Float64Array(0);
  #matched = new Uint16Array(0);
  #candidates = new Int32Array(0);
  #count = 0;
  #best = 0;

  constructor(index: InvertedIndex) {
    this.#index = index;
  }

  /** `terms` must be distinct. */
  retrieve(terms: readonly string[], { minimumMatch, cut }: RetrievalOptions): Retrieved {
    this.#clear();
    const query = this.#prepare(terms);
    for (const [place, term] of query.entries()) {
      const enoughLeft = query.length - place >= minimumMatch;
      const reachable = term.rest * SLACK;
      if (enoughLeft && reachable >= cut * this.#best) {
        this.#scan(term, minimumMatch);
      } else {
        this.#drop(cut * this.#best - reachable, 1);
        this.#addToSeen(term, minimumMatch);
      }
    }
    this.#drop(cut * this.#best, minimumMatch);
    return {
      count: this.#count,
      documents: this.#candidates,
      scores: this.#scores,
      matched: this.#matched,
      best: this.#best,
    };
  }

  #prepare(terms: readonly string[]): QueryTerm[] {
    const query: QueryTerm[] = [];
    for (const term of terms) {
      const postings = this.#index.postings(term);
      if (postings !== undefined) query.push({ postings, idf: this.#index.inverseDocumentFrequency(postings), rest: 0 });
    }
    query.sort(({ postings: left }, { postings: right }) => left.length - right.length || (left.term < right.term ? -1 : 1));
    let rest = 0;
    for (const term of query.toReversed()) {
      rest += term.idf * term.postings.bound;
      term.rest = rest;
    }
    return query;
  }

  /** Adds a term to every document that holds it. */
  #scan({ postings, idf }: QueryTerm, minimumMatch: number): void {
    const { documents, impacts, length } = postings;
    const scores = this.#scores;
    const matched = this.#matched;
    const candidates = this.#candidates;
    let count = this.#count;
    let best = this.#best;
    for (let at = 0; at < length; at++) {
      const document = documents[at] as number;
      const before = matched[document] as number;
      const score = (scores[document] as number) + idf * (impacts[at] as number);
      if (before === 0) candidates[count++] = document;
      scores[document] = score;
      matched[document] = before + 1;
      if (score > best && before + 1 >= minimumMatch) best = score;
    }
    this.#count = count;
    this.#best = best;
  }

  /** Adds a term to the documents that are candidates already. */
  #addToSeen(term: QueryTerm, minimumMatch: number): void {
    if (this.#count === 0) return;
    if (this.#count * LOOKUP_COST < term.postings.length) this.#lookUp(term, minimumMatch);
    else this.#pass(term, minimumMatch);
  }

  #lookUp({ postings, idf }: QueryTerm, minimumMatch: number): void {
    for (let place = 0; place < this.#count; place++) {
      const document = this.#candidates[place] as number;
      const at = postings.position(document);
      if (at === postings.length || postings.documents[at] !== document) continue;
      this.#raise(document, idf * (postings.impacts[at] as number), minimumMatch);
    }
  }

  #pass({ postings, idf }: QueryTerm, minimumMatch: number): void {
    const { documents, impacts, length } = postings;
    for (let at = 0; at < length; at++) {
      const document = documents[at] as number;
      if (this.#matched[document] === 0) continue;
      this.#raise(document, idf * (impacts[at] as number), minimumMatch);
    }
  }

  #raise(document: number, part: number, minimumMatch: number): void {
    const score = (this.#scores[document] as number) + part;
    const matched = (this.#matched[document] as number) + 1;
    this.#scores[document] = score;
    this.#matched[document] = matched;
    if (score > this.#best && matched >= minimumMatch) this.#best = score;
  }

  /** Drops the candidates below a score, or with too few terms. */
  #drop(floor: number, minimumMatch: number): void {
    let kept = 0;
    for (let place = 0; place < this.#count; place++) {
      const document = this.#candidates[place] as number;
      const stays = (this.#scores[document] as number) >= floor && (this.#matched[document] as number) >= minimumMatch;
      if (stays) this.#candidates[kept++] = document;
      else this.#forget(document);
    }
    this.#count = kept;
  }

  #clear(): void {
    for (let place = 0; place < this.#count; place++) this.#forget(this.#candidates[place] as number);
    this.#count = 0;
    this.#best = 0;
    const { capacity } = this.#index;
    if (this.#scores.length >= capacity) return;
    this.#scores = new Float64Array(capacity * 2);
    this.#matched = new Uint16Array(capacity * 2);
    this.#candidates = new Int32Array(capacity * 2);
  }

  #forget(document: number): void {
    this.#scores[document] = 0;
    this.#matched[document] = 0;
  }
}
