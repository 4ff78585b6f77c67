/** What white space leaves of a text that a person wrote into a field. */
import { isWhiteSpace, trimWhiteSpace } from "./text.js";

export function trimStart(text: string): string {
  let begin = 0;
  while (begin < text.length && isWhiteSpace(text.charCodeAt(begin))) begin++;
  return text.slice(begin);
}

export function isBlank(text: string): boolean {
  return trimStart(text) === "";
}

/** The text, or undefined when it says nothing. */
export function nonBlank(text: string | undefined): string | undefined {
  const trimmed = text === undefined ? "" : trimWhiteSpace(text);
  return trimmed === "" ? undefined : trimmed;
}
