/**
 * Text into terms, for documents and queries alike: words of any script, split where a programmer joined them, without case, accents
 * and endings.
 *
 *     addPersonRecord    add, person, record, addpersonrecord
 *     parseHTMLResponse  pars, html, respons, parsehtmlresponse
 *     法令を検索          法令, 令を, を検, 検索
 */
import { stemmer } from "stemmer";
import { stripJsonKeys } from "../../../domain/tokenizer.js";
import { SEGMENT_BORDER } from "../segments.js";

const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be by for from in is it of on or that the this to was with".split(" "),
);

/** Scripts that put no spaces between words: pairs of neighbouring characters stand for the words. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}";
const RUNS = new RegExp(`[${UNSPACED}ー々]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const ASCII_RUNS = /[A-Za-z0-9]+/g;
const IS_UNSPACED = new RegExp(`^[${UNSPACED}ー々]`, "u");

const HAS_CAPITAL_INSIDE = /.\p{Lu}/u;
const NOT_ASCII = /[^\0-\x7f]/;
const ENGLISH = /^[a-z]{3,}$/;
const MARKS = /\p{M}/gu;

/** The terms of a text, in order and with repetitions. */
export function analyse(text: string): string[] {
  const terms: string[] = [];
  if (NOT_ASCII.test(text)) {
    for (const [run] of text.normalize("NFKC").matchAll(RUNS)) {
      if (IS_UNSPACED.test(run)) pushPairs(terms, run);
      else pushWord(terms, run);
    }
  } else {
    for (const run of text.match(ASCII_RUNS) ?? []) pushWord(terms, run);
  }
  return terms;
}

/** The distinct terms of a capability, sorted: sums over them then come out the same to the last bit, whatever the word order. */
export function queryTerms(capability: string): string[] {
  return [...new Set(analyse(capability.includes('"') ? stripJsonKeys(capability) : capability))].sort();
}

function pushWord(terms: string[], word: string): void {
  if (HAS_CAPITAL_INSIDE.test(word)) {
    const segments = word.split(SEGMENT_BORDER);
    if (segments.length > 1) for (const segment of segments) push(terms, segment);
  }
  push(terms, word);
}

function pushPairs(terms: string[], run: string): void {
  const characters = [...run];
  const [only] = characters;
  if (characters.length === 1 && only !== undefined) terms.push(only);
  for (let at = 0; at + 1 < characters.length; at++) terms.push(`${characters[at]}${characters[at + 1]}`);
}

function push(terms: string[], word: string): void {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower)) return;
  const plain = NOT_ASCII.test(lower) ? lower.normalize("NFD").replace(MARKS, "") : lower;
  terms.push(ENGLISH.test(plain) ? stemOf(plain) : plain);
}

/** Stems of words met before: a catalogue has few words, many times. */
const stems = new Map<string, string>();
const STEMS_KEPT = 32_768;
const LONGEST_STEMMED = 64;

function stemOf(word: string): string {
  if (word.length > LONGEST_STEMMED) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= STEMS_KEPT) stems.clear();
  const stem = stemmer(word);
  stems.set(word, stem);
  return stem;
}
