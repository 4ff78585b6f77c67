/** The lexical lane: BM25F over the fields of a function, two matched terms at least. */
import { compareBytes } from "../../../domain/text.js";
import { breathe } from "../breathe.js";
import type { CatalogFollower, Difference, Generation } from "../generation.js";
import { HIGHEST_IMPACT } from "../index/impact-model.js";
import { InvertedIndex } from "../index/inverted-index.js";
import { Retrieval, type RetrievalOptions } from "../index/retrieval.js";
import { type Cuts, prune } from "../pruning.js";
import { analyse, queryTerms } from "./analysis.js";
import { FIELDS, type FieldTerms, termsOfContract } from "./fields.js";

export interface LexicalRow {
  readonly id: string;
  /** Part of what a document could reach that has every term of the query as often as can be: 0 to 1, comparable across queries. */
  readonly score: number;
}

export interface LexicalWeight {
  /** As of a row; 0 without any of the terms. */
  readonly score: number;
  /** Part of the capability's terms, by rarity, that the document holds: 0 to 1. */
  readonly coverage: number;
}

/** Calibrated on the judged sets. */
export const CUTS: Cuts = { own: 0.62, foreign: 0.7 };

/** Rows of a lane at most. The selection takes twelve; it looks further only to pass over what was delivered or doesn't fit. */
export const LANE_LIMIT = 64;

/** More changes than this are not made in place: they would hold up a search for longer than some ten milliseconds. */
const IN_PLACE = 300;

/** Functions indexed between two turns of the event loop. */
const SLICE = 500;

/**
 * Where a capability is a single term, it must be this rare, and an id must have it unless only one function does. On the frozen
 * catalogue that answers email, screenshot, presign, telegram, and not get, list, note or time.
 */
const LONE_TERM = { documents: 12, share: 0.025, few: 2 } as const;

export class LexicalLane implements CatalogFollower {
  #index = new InvertedIndex(FIELDS);
  #retrieval = new Retrieval(this.#index);

  get size(): number {
    return this.#index.size;
  }

  /** Adds a document, or replaces the one of that id. */
  add(id: string, terms: FieldTerms): void {
    this.#index.add(id, terms);
  }

  remove(id: string): void {
    this.#index.remove(id);
  }

  async prepare({ contracts }: Generation, { removed, added }: Difference): Promise<() => void> {
    if (added.length + removed.length > IN_PLACE) {
      const index = new InvertedIndex(FIELDS);
      for (const contract of contracts.values()) {
        index.add(contract.functionId, termsOfContract(contract));
        if (index.size % SLICE === 0) await breathe();
      }
      // Built beside the old one: searches went on meanwhile.
      return () => this.#replace(index);
    }
    const documents = added.map((contract) => ({ id: contract.functionId, terms: termsOfContract(contract) }));
    return () => {
      for (const id of removed) this.remove(id);
      for (const { id, terms } of documents) this.add(id, terms);
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
    return this.#pruned(terms, 2);
  }

  /** A single term says little: it has to name a thing, and to be rare besides. */
  #rankLone(term: string): LexicalRow[] {
    const holding = this.#index.postings(term)?.length ?? 0;
    if (holding > LONE_TERM.documents || holding > Math.max(LONE_TERM.few, this.size * LONE_TERM.share)) return [];
    const rows = this.#pruned([term], 1);
    const leader = rows[0]?.id ?? "";
    return holding === 1 || analyse(leader).includes(term) ? rows : [];
  }

  /** The best documents with a term of the capability, unpruned, best first. For rankings that weigh terms against something else. */
  scores(capability: string, limit: number): LexicalRow[] {
    return this.#rows(queryTerms(capability), { minimumMatch: 1, cut: 0 }, limit);
  }

  /** The best documents with a term of the capability, unpruned, and those of `others` as well; by id, in no order. */
  weigh(capability: string, limit: number, others: readonly string[]): Map<string, LexicalWeight> {
    const terms = queryTerms(capability);
    const held = terms.map((term) => {
      const postings = this.#index.postings(term);
      return { postings, idf: this.#index.inverseDocumentFrequency(postings) };
    });
    const rarity = held.reduce((sum, { idf }) => sum + idf, 0);
    const weights = new Map<string, LexicalWeight>();
    const rows = this.#rows(terms, { minimumMatch: 1, cut: 0 }, limit);
    for (const id of new Set([...rows.map((row) => row.id), ...others])) {
      const document = this.#index.number(id);
      let score = 0;
      let coverage = 0;
      for (const { postings, idf } of held) {
        const impact = document === undefined ? 0 : (postings?.impact(document) ?? 0);
        score += idf * impact;
        if (impact > 0) coverage += idf;
      }
      weights.set(
        id,
        rarity === 0 ? { score: 0, coverage: 0 } : { score: score / rarity / HIGHEST_IMPACT, coverage: coverage / rarity },
      );
    }
    return weights;
  }

  #pruned(terms: readonly string[], minimumMatch: number): LexicalRow[] {
    return prune(this.#rows(terms, { minimumMatch, cut: CUTS.own }, LANE_LIMIT), CUTS);
  }

  /** Best first. */
  #rows(terms: readonly string[], options: RetrievalOptions, limit: number): LexicalRow[] {
    const { count, documents, scores } = this.#retrieval.retrieve(terms, options);
    const highest = this.#highest(terms);
    const kept = documents.subarray(0, count);
    const floor = count > limit ? nthHighest(kept, scores, limit) : 0;
    const rows: LexicalRow[] = [];
    for (const document of kept) {
      const score = scores[document] as number;
      if (score >= floor) rows.push({ id: this.#index.id(document), score: score / highest });
    }
    return rows.sort(compareRows).slice(0, limit);
  }

  #highest(terms: readonly string[]): number {
    let rarity = 0;
    for (const term of terms) rarity += this.#index.inverseDocumentFrequency(this.#index.postings(term));
    return rarity * HIGHEST_IMPACT;
  }

  #replace(index: InvertedIndex): void {
    this.#index = index;
    this.#retrieval = new Retrieval(index);
  }
}

function compareRows(left: LexicalRow, right: LexicalRow): number {
  return right.score - left.score || compareBytes(left.id, right.id);
}

/** So the others need not be ordered. */
function nthHighest(documents: Int32Array, scores: Float64Array, place: number): number {
  const values = new Float64Array(documents.length);
  for (const [at, document] of documents.entries()) values[at] = scores[document] as number;
  return values.sort()[documents.length - place] as number;
}
