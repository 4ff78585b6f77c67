/** What of a function is embedded. */
import type { FunctionContract } from "../contract.js";

const SEPARATORS = /[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** `noteBook::addHTMLPage` as "note Book add HTML Page". */
export function asWords(id: string): string {
  return id.split(SEPARATORS).filter(Boolean).join(" ");
}

/** The id as words and the first sentence. Argument names only blur that, so they are taken where there is no sentence. */
export function denseText({ functionId, slimDescription, parameterNames }: FunctionContract): string {
  const rest = slimDescription === "" ? parameterNames.map(asWords).join(", ") : slimDescription;
  return `${asWords(functionId)}. ${rest}`;
}
