/**
 * Texts as numbers of a BERT vocabulary. Lengths are limited in tokens, not in characters: a character of an Asian language is a token
 * of its own, and a text cut by characters would run over the positions that the network has.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";

/** Positions of the network, with the marks at the ends. */
export const MAX_TOKENS = 512;
/** More characters than this can't matter: a word is at most 100 characters, else it is one unknown token. Saves time on huge texts. */
const MAX_CHARACTERS = 65_536;
/** Share of readable words below which a text is foreign to the model. */
const READABLE_SHARE = 1 / 3;

export interface Encoded {
  readonly ids: readonly number[];
  /** Segment of each token; absent when all are in the first. */
  readonly segments?: readonly number[];
  /** False when the vocabulary knows too little of the text for its vector to mean anything: another script, only emoji, nothing. */
  readonly readable: boolean;
}

export class Tokens {
  readonly #tokenizer: Tokenizer;
  readonly #start: number;
  readonly #end: number;

  /** `folder` holds `tokenizer.json` and `tokenizer_config.json`. */
  constructor(folder: string) {
    const read = (file: string): object => JSON.parse(readFileSync(join(folder, file), "utf8")) as object;
    this.#tokenizer = new Tokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
    this.#start = this.#idOf("[CLS]");
    this.#end = this.#idOf("[SEP]");
  }

  encode(text: string): Encoded {
    const { ids, tokens } = this.#bare(text);
    return { ids: [this.#start, ...ids.slice(0, MAX_TOKENS - 2), this.#end], readable: isReadable(tokens) };
  }

  /** Two texts in one row, as a cross-encoder reads them. What is too long loses tokens from the end of the longer one. */
  encodePair(first: string, second: string): Encoded {
    const room = MAX_TOKENS - 3;
    const [left, right] = [this.#bare(first).ids, this.#bare(second).ids];
    const half = Math.floor(room / 2);
    const keepLeft = Math.min(left.length, Math.max(room - right.length, half));
    const keepRight = Math.min(right.length, room - keepLeft);
    const ids = [this.#start, ...left.slice(0, keepLeft), this.#end, ...right.slice(0, keepRight), this.#end];
    const segments = ids.map((_, at) => (at < keepLeft + 2 ? 0 : 1));
    return { ids, segments, readable: true };
  }

  #bare(text: string): { ids: number[]; tokens: string[] } {
    return this.#tokenizer.encode(text.slice(0, MAX_CHARACTERS), { add_special_tokens: false });
  }

  #idOf(token: string): number {
    const id = this.#tokenizer.token_to_id(token);
    if (id === undefined) throw new Error(`the vocabulary has no ${token}`);
    return id;
  }
}

/** The vocabulary is English: it has single letters of other scripts, but the model has learned nothing about them. */
function isReadable(tokens: readonly string[]): boolean {
  let words = 0;
  let known = 0;
  for (const token of tokens) {
    if (!WORD.test(token)) continue;
    words += 1;
    if (LATIN.test(token)) known += 1;
  }
  return words > 0 && known >= words * READABLE_SHARE;
}

const WORD = /^\[UNK\]$|[\p{L}\p{N}]/u;
const LATIN = /^(?:##)?[\p{Script=Latin}\p{N}]+$/u;
