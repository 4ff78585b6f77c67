/** What of a function is embedded. */
import type { FunctionContract } from "../contract.js";
import { SEGMENT_BORDER } from "../segments.js";

/** `noteBook::addHTMLPage` as "note Book add HTML Page". */
export function asWords(id: string): string {
  const runs = id.match(/[\p{L}\p{N}]+/gu) ?? [];
  return runs.flatMap((run) => run.split(SEGMENT_BORDER)).join(" ");
}

/** The id as words and the first sentence. Argument names only blur that, so they are taken where there is no sentence. */
export function denseText({ functionId, slimDescription, parameterNames }: FunctionContract): string {
  const rest = slimDescription === "" ? parameterNames.map(asWords).join(", ") : slimDescription;
  return `${asWords(functionId)}. ${rest}`;
}
