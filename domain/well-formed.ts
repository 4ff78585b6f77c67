/** Answers are well-formed Unicode whatever is on disk: half a surrogate pair would break the JSON of somebody's parser. */

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const LONE_SURROGATES = new RegExp(LONE_SURROGATE.source, "g");

export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

export function wellFormedText(text: string): string {
  return text.replace(LONE_SURROGATES, "\uFFFD");
}

/** The same value with U+FFFD for every lone surrogate in its texts; the very same object when there is none. */
export function wellFormed<Value extends object>(value: Value): Value {
  const entries = Object.entries(value);
  if (entries.every(([, field]) => typeof field !== "string" || isWellFormed(field))) return value;
  return Object.fromEntries(
    entries.map(([name, field]) => [name, typeof field === "string" ? wellFormedText(field) : field]),
  ) as Value;
}
