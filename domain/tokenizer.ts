/**
 * Text into terms, for the first lexical lane. Two implementations that disagree here rank differently, so the rules are exact, and
 * plain: ASCII letters and digits only, camelCase split, 22 stop words, plurals folded.
 */

const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an and are as at be by for from in is it of on or that the this to was with".split(" "),
);

const DIGIT = 1;
const LOWER = 2;
const UPPER = 3;

/** Class of each ASCII character; 0 separates. */
const CLASSES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  if (code >= 0x41 && code <= 0x5a) return UPPER;
  if (code >= 0x61 && code <= 0x7a) return LOWER;
  return 0;
});

/**
 * The terms of a text, in order and with repetitions. A camelCase word gives its segments and then itself: `presignUrl` is found by
 * presign, url and presignurl.
 */
export function tokenize(text: string): string[] {
  const terms: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (classAt(text, at) === 0) continue;
    const begin = at;
    let segment = at;
    let segments = 0;
    for (let previous = 0, current = classAt(text, at); current !== 0; previous = current, current = classAt(text, ++at)) {
      if (current !== UPPER || (previous !== LOWER && previous !== DIGIT)) continue;
      push(terms, text.slice(segment, at));
      segment = at;
      segments++;
    }
    if (segments > 0) push(terms, text.slice(segment, at));
    push(terms, text.slice(begin, at));
  }
  return terms;
}

function classAt(text: string, at: number): number {
  return CLASSES[text.charCodeAt(at)] ?? 0;
}

function push(terms: string[], word: string): void {
  const lower = word.toLowerCase();
  if (!STOP_WORDS.has(lower)) terms.push(foldPlural(lower));
}

/** queries → query, repos → repo; status, redis and process stay. */
function foldPlural(word: string): string {
  const { length } = word;
  if (length <= 3 || word.charCodeAt(length - 1) !== 0x73) return word;
  if (length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  const before = word[length - 2];
  return before === "s" || before === "u" || before === "i" ? word : word.slice(0, -1);
}

/**
 * Removes the keys of JSON that somebody put into a query: they name fields of an example, not the need. A key is quoted text with a
 * colon behind it; other quoted text stays as it is, and an open quote keeps everything behind it.
 */
export function stripJsonKeys(query: string): string {
  let kept = "";
  let at = 0;
  for (;;) {
    const open = query.indexOf('"', at);
    if (open < 0) return kept + query.slice(at);
    const close = closingQuote(query, open);
    if (close < 0) return kept + query.slice(at);
    const colon = /^\s*:/.exec(query.slice(close + 1, close + 1 + KEY_GAP));
    kept += colon === null ? query.slice(at, close + 1) : query.slice(at, open);
    at = close + 1 + (colon === null ? 0 : colon[0].length);
  }
}

/** White space looked at between a key and its colon, in characters: as long as a query can be. */
const KEY_GAP = 2_048;

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}

/** The distinct terms of a capability, sorted: sums over them then come out the same to the last bit, whatever the word order. */
export function queryTerms(query: string): string[] {
  return [...new Set(tokenize(query.includes('"') ? stripJsonKeys(query) : query))].sort();
}
