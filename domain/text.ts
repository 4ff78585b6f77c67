/** Measuring, cutting and comparing text the way the contract counts: in UTF-8 bytes and Unicode white space. */

/** True for the White_Space characters of Unicode, which is neither what `\s` matches nor what `trim` removes. */
export function isWhiteSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

export function trimEndWhiteSpace(text: string): string {
  let end = text.length;
  while (end > 0 && isWhiteSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

export function trimWhiteSpace(text: string): string {
  let begin = 0;
  while (begin < text.length && isWhiteSpace(text.charCodeAt(begin))) begin++;
  return trimEndWhiteSpace(text.slice(begin));
}

/** The longest beginning of at most `limit` UTF-8 bytes that ends between two characters. */
export function cutBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > limit) return text.slice(0, at);
    at += code < 0x10000 ? 1 : 2;
  }
  return text;
}

/** Cut as above, then without the white space that the cut, or the text, left at the end. */
export function cutText(text: string, limit: number): string {
  return trimEndWhiteSpace(cutBytes(text, limit));
}

/** Order of the UTF-8 bytes. Plain `<` compares UTF-16 units, which puts everything beyond U+FFFF before U+E000. */
export function compareBytes(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for the characters that come last. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
