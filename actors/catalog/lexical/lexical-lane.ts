/** The first lexical lane: BM25 over the searchable text, with the id counted three times, two matched terms at least. */
import { compareBytes } from "../../../domain/text.js";
import { queryTerms, tokenize } from "../../../domain/tokenizer.js";
import type { FunctionContract } from "../contract.js";
import type { CatalogFollower, Difference, Generation } from "../generation.js";
import { BM25 } from "../index/impact-model.js";
import { InvertedIndex } from "../index/inverted-index.js";
import { Retrieval, type Retrieved } from "../index/retrieval.js";
import { SCORE_CUT, type ScoredRow, survives } from "./pruning.js";

export interface LexicalRow extends ScoredRow {
  readonly id: string;
}

/** Rows of a lane at most. The selection takes twelve; it looks further only to pass over what was delivered or doesn't fit. */
export const LANE_LIMIT = 128;

/** More changes than this are not made in place: they would hold up a search for longer than some ten milliseconds. */
const IN_PLACE = 500;

/** Functions indexed between two turns of the event loop. */
const SLICE = 1_000;

/** Where a capability is a single term, the term must be this rare: it names a thing, it isn't a common verb. */
const LONE_TERM = { documents: 12, share: 0.025 } as const;

export class LexicalLane implements CatalogFollower {
  #index = new InvertedIndex(BM25);
  #retrieval = new Retrieval(this.#index);

  get size(): number {
    return this.#index.size;
  }

  /**
   * Adds a document, or replaces the one of that id.
   * @param text for a function the searchable text, which itself begins with the id
   * @param searchId false for an id that means nothing
   */
  add(id: string, text: string, searchId = true): void {
    addTo(this.#index, id, text, searchId);
  }

  async prepare({ contracts }: Generation, { removed, added }: Difference): Promise<() => void> {
    if (added.length + removed.length > IN_PLACE) return this.#rebuild(contracts.values());
    return () => {
      for (const id of removed) this.#index.remove(id);
      for (const { functionId, searchableText } of added) this.add(functionId, searchableText);
    };
  }

  /** Builds the next index beside this one, a slice at a time: searches go on meanwhile. */
  async #rebuild(contracts: Iterable<FunctionContract>): Promise<() => void> {
    const index = new InvertedIndex(BM25);
    for (const { functionId, searchableText } of contracts) {
      addTo(index, functionId, searchableText, true);
      if (index.size % SLICE === 0) await new Promise(setImmediate);
    }
    return () => {
      this.#index = index;
      this.#retrieval = new Retrieval(index);
    };
  }

  has(id: string): boolean {
    return this.#index.has(id);
  }

  /** Best first, pruned. A tie goes by id. */
  rank(capability: string): LexicalRow[] {
    const terms = queryTerms(capability);
    if (terms.length === 0 || (terms.length === 1 && !this.#isRare(terms[0] as string))) return [];
    const minimumMatch = Math.min(2, terms.length);
    return this.#rows(this.#retrieval.retrieve(terms, { minimumMatch, cut: SCORE_CUT }));
  }

  /** Every document with a term of the capability, unpruned, in no order. For rankings that weigh scores against others. */
  scores(capability: string): LexicalRow[] {
    const retrieved = this.#retrieval.retrieve(queryTerms(capability), { minimumMatch: 1, cut: 0 });
    return Array.from(retrieved.documents.subarray(0, retrieved.count), (document) => this.#row(retrieved, document));
  }

  #isRare(term: string): boolean {
    const holding = this.#index.postings(term)?.length ?? 0;
    return holding <= LONE_TERM.documents && holding <= Math.max(1, this.size * LONE_TERM.share);
  }

  #rows(retrieved: Retrieved): LexicalRow[] {
    const leader = this.#leader(retrieved);
    if (leader === undefined) return [];
    const { scores, matched } = retrieved;
    const surviving = retrieved.documents
      .subarray(0, retrieved.count)
      .filter((at) => survives({ score: scores[at] as number, matched: matched[at] as number }, leader));
    const floor = scoreAt(LANE_LIMIT, surviving, scores);
    const rows: LexicalRow[] = [];
    for (const document of surviving) {
      if ((scores[document] as number) >= floor) rows.push(this.#row(retrieved, document));
    }
    return rows.sort((left, right) => right.score - left.score || compareBytes(left.id, right.id)).slice(0, LANE_LIMIT);
  }

  #leader(retrieved: Retrieved): LexicalRow | undefined {
    const { count, documents, scores, best } = retrieved;
    let leader: LexicalRow | undefined;
    for (let place = 0; place < count; place++) {
      const document = documents[place] as number;
      if (scores[document] !== best) continue;
      const row = this.#row(retrieved, document);
      if (leader === undefined || compareBytes(row.id, leader.id) < 0) leader = row;
    }
    return leader;
  }

  #row({ scores, matched }: Retrieved, document: number): LexicalRow {
    return { id: this.#index.id(document), score: scores[document] as number, matched: matched[document] as number };
  }
}

function addTo(index: InvertedIndex, id: string, text: string, searchId: boolean): void {
  const ofId = searchId ? tokenize(id) : [];
  index.add(id, [[...ofId, ...ofId, ...tokenize(text)]]);
}

/** The score of the row in that place of the ranking: what is below it needs no sorting. 0 when there are no more rows than that. */
function scoreAt(place: number, documents: Int32Array, scores: Float64Array): number {
  if (documents.length <= place) return 0;
  return Float64Array.from(documents, (document) => scores[document] as number).sort()[documents.length - place] as number;
}
