/** The first lexical lane: BM25 over the searchable text, with the id counted three times, two matched terms at least. */
import { compareBytes } from "../../../domain/text.js";
import { queryTerms, tokenize } from "../../../domain/tokenizer.js";
import { breathe } from "../breathe.js";
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
export const LANE_LIMIT = 64;

/** More changes than this are not made in place: they would hold up a search for longer than some ten milliseconds. */
const IN_PLACE = 500;

/** Functions indexed between two turns of the event loop. */
const SLICE = 1_000;

/**
 * Where a capability is a single term, it must be this rare, and an id must have it unless only one function does. On the frozen
 * catalogue that answers email, screenshot, presign, telegram, and not get, list, note or time.
 */
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

  remove(id: string): void {
    this.#index.remove(id);
  }

  async prepare({ contracts }: Generation, { removed, added }: Difference): Promise<() => void> {
    if (added.length + removed.length > IN_PLACE) return this.#rebuild(contracts.values());
    return () => {
      for (const id of removed) this.remove(id);
      for (const { functionId, searchableText } of added) this.add(functionId, searchableText);
    };
  }

  /** Builds the next index beside this one, a slice at a time: searches go on meanwhile. */
  async #rebuild(contracts: Iterable<FunctionContract>): Promise<() => void> {
    const index = new InvertedIndex(BM25);
    for (const { functionId, searchableText } of contracts) {
      addTo(index, functionId, searchableText, true);
      if (index.size % SLICE === 0) await breathe();
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
    const [lone] = terms;
    if (terms.length === 1 && lone !== undefined) return this.#rankLone(lone);
    return this.#rows(this.#retrieval.retrieve(terms, { minimumMatch: 2, cut: SCORE_CUT }));
  }

  /** A single term says little: it has to name a thing, and to be rare besides. */
  #rankLone(term: string): LexicalRow[] {
    const holding = this.#index.postings(term)?.length ?? 0;
    if (holding > LONE_TERM.documents || holding > Math.max(1, this.size * LONE_TERM.share)) return [];
    const rows = this.#rows(this.#retrieval.retrieve([term], { minimumMatch: 1, cut: SCORE_CUT }));
    const leader = rows[0]?.id ?? "";
    return holding === 1 || tokenize(leader).includes(term) ? rows : [];
  }

  /** Every document with a term of the capability, unpruned, in no order. For rankings that weigh scores against others. */
  scores(capability: string): LexicalRow[] {
    const retrieved = this.#retrieval.retrieve(queryTerms(capability), { minimumMatch: 1, cut: 0 });
    return Array.from(retrieved.documents.subarray(0, retrieved.count), (document) => this.#row(retrieved, document));
  }

  #rows(retrieved: Retrieved): LexicalRow[] {
    const { count, documents, best } = retrieved;
    const leader = { score: best, matched: this.#leaderMatched(retrieved) };
    const rows: LexicalRow[] = [];
    for (let place = 0; place < count; place++) {
      const row = this.#row(retrieved, documents[place] as number);
      if (survives(row, leader)) rows.push(row);
    }
    return rows.length <= LANE_LIMIT ? rows.sort(compareRows) : firstRows(rows);
  }

  /** Terms matched by the first row of the ranking: of those with the best score, the one with the smallest id. */
  #leaderMatched({ count, documents, scores, matched, best }: Retrieved): number {
    const tied = documents.subarray(0, count).filter((document) => scores[document] === best);
    const terms = matched[tied[0] ?? 0] as number;
    // Rows that tie match the same terms, as good as always: then it doesn't matter which of them leads.
    if (tied.every((document) => matched[document] === terms)) return terms;
    const [first = 0] = [...tied].sort((left, right) => compareBytes(this.#index.id(left), this.#index.id(right)));
    return matched[first] as number;
  }

  #row({ scores, matched }: Retrieved, document: number): LexicalRow {
    return { id: this.#index.id(document), score: scores[document] as number, matched: matched[document] as number };
  }
}

function addTo(index: InvertedIndex, id: string, text: string, searchId: boolean): void {
  const ofId = searchId ? tokenize(id) : [];
  index.add(id, [[...ofId, ...ofId, ...tokenize(text)]]);
}

function compareRows(left: LexicalRow, right: LexicalRow): number {
  return right.score - left.score || compareBytes(left.id, right.id);
}

/** The first rows up to the limit, in order, without ordering the others. */
function firstRows(rows: readonly LexicalRow[]): LexicalRow[] {
  const scores = new Float64Array(rows.length);
  for (const [at, row] of rows.entries()) scores[at] = row.score;
  const floor = scores.sort()[rows.length - LANE_LIMIT] as number;
  return rows
    .filter(({ score }) => score >= floor)
    .sort(compareRows)
    .slice(0, LANE_LIMIT);
}
