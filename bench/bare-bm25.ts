/**
 * The yardstick: BM25 over flat typed arrays that nobody can change, and nothing else. No fields, no minimum match, no pruning of the
 * result, no exact ids, no rows: the twelve best document numbers.
 */
import { queryTerms, tokenize } from "../domain/tokenizer.js";

const K1 = 1.2;
const B = 0.75;
const BEST = 12;

export class BareBm25 {
  readonly #begins = new Map<string, number>();
  readonly #offsets: Int32Array;
  readonly #documents: Int32Array;
  readonly #impacts: Float64Array;
  readonly #scores: Float64Array;
  readonly #touched: Int32Array;

  constructor(texts: readonly string[]) {
    const documents = texts.map(tokenize);
    const average = documents.reduce((sum, terms) => sum + terms.length, 0) / documents.length;
    const lists = new Map<string, Map<number, number>>();
    for (const [document, terms] of documents.entries()) {
      for (const term of terms) {
        const list = lists.get(term) ?? new Map<number, number>();
        lists.set(term, list.set(document, (list.get(document) ?? 0) + 1));
      }
    }
    const total = [...lists.values()].reduce((sum, list) => sum + list.size, 0);
    this.#offsets = new Int32Array(lists.size + 1);
    this.#documents = new Int32Array(total);
    this.#impacts = new Float64Array(total);
    this.#scores = new Float64Array(texts.length);
    this.#touched = new Int32Array(texts.length);
    let at = 0;
    for (const [term, list] of lists) {
      const idf = Math.log((texts.length - list.size + 0.5) / (list.size + 0.5) + 1);
      this.#begins.set(term, this.#begins.size);
      for (const [document, frequency] of list) {
        const length = documents[document]?.length ?? 0;
        this.#documents[at] = document;
        this.#impacts[at++] = (idf * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / average));
      }
      this.#offsets[this.#begins.size] = at;
    }
  }

  search(query: string): number[] {
    let touched = 0;
    for (const term of queryTerms(query)) {
      const number = this.#begins.get(term);
      if (number === undefined) continue;
      const end = this.#offsets[number + 1] as number;
      for (let at = this.#offsets[number] as number; at < end; at++) {
        const document = this.#documents[at] as number;
        if (this.#scores[document] === 0) this.#touched[touched++] = document;
        this.#scores[document] = (this.#scores[document] as number) + (this.#impacts[at] as number);
      }
    }
    return this.#best(touched);
  }

  #best(touched: number): number[] {
    const best: number[] = [];
    let floor = 0;
    for (let place = 0; place < touched; place++) {
      const document = this.#touched[place] as number;
      const score = this.#scores[document] as number;
      if (best.length === BEST && score <= floor) continue;
      let at = best.length;
      while (at > 0 && (this.#scores[best[at - 1] as number] as number) < score) at--;
      best.splice(at, 0, document);
      if (best.length > BEST) best.pop();
      floor = this.#scores[best.at(-1) as number] as number;
    }
    for (let place = 0; place < touched; place++) this.#scores[this.#touched[place] as number] = 0;
    return best;
  }
}
