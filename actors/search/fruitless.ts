/**
 * Searches of a session that found nothing. A model that misses a function tends to ask for it in other words, for ever; the third
 * nearly equal question is told that nothing fits.
 */
import { tokenize } from "../../domain/tokenizer.js";

/** The search, counted from 1, that is told. */
const PATIENCE = 3;

/** Lanes of fruitless searches that are kept. */
const KEPT = 64;

/** Shared terms by all terms of two questions from which they count as one. */
const NEAR = 0.4;

/** What a word outside ASCII is compared by: scripts without spaces make one word of a clause, so by its characters. */
const NOT_ASCII_WORD = /[\p{L}\p{N}]*[^\p{ASCII}\P{L}][\p{L}\p{N}]*/gu;

export class FruitlessSearches {
  #lanes: { readonly search: number; readonly terms: ReadonlySet<string> }[] = [];
  #searches = 0;

  /** Takes the lanes of one search that found nothing, and gives back those that have been asked often enough. */
  add(capabilities: readonly string[]): string[] {
    const search = ++this.#searches;
    const asked = capabilities.map((text) => ({ text, terms: termsOf(text) }));
    const hopeless = asked.filter(({ terms }) => this.#earlier(terms) >= PATIENCE - 1).map(({ text }) => text);
    this.#lanes = [...this.#lanes, ...asked.map(({ terms }) => ({ search, terms }))].slice(-KEPT);
    return hopeless;
  }

  clear(): void {
    this.#lanes = [];
  }

  #earlier(terms: ReadonlySet<string>): number {
    return new Set(this.#lanes.filter((lane) => similarity(lane.terms, terms) >= NEAR).map((lane) => lane.search)).size;
  }
}

function termsOf(text: string): Set<string> {
  const foreign = [...text.toLowerCase().matchAll(NOT_ASCII_WORD)].flatMap(([word]) => [...word]);
  return new Set([...tokenize(text), ...foreign]);
}

function similarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of left) if (right.has(term)) shared++;
  const all = left.size + right.size - shared;
  return all === 0 ? 0 : shared / all;
}
