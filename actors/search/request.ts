/** What a search refuses, and what it leaves for the next one. Nothing else makes a search fail. */
import { trimWhiteSpace } from "../../domain/text.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { SearchFunctionsRequest } from "../../protocol/functions/search.js";

/** Capabilities of a call that are searched; the others are named in the guidance. */
export const CAPABILITY_LIMIT = 18;

export interface CheckedRequest {
  /** As they came: not trimmed, not cut. */
  readonly searched: readonly string[];
  /** Verbatim, and never looked at. */
  readonly unsearched: readonly string[];
}

export function checkRequest({ capabilities }: SearchFunctionsRequest): CheckedRequest {
  if (capabilities.length === 0) {
    throw new DirectoryError("invalid_request", 'capabilities must name at least one capability, for example ["send an email"]');
  }
  const searched = capabilities.slice(0, CAPABILITY_LIMIT);
  if (searched.some((capability) => trimWhiteSpace(capability) === "")) {
    throw new DirectoryError("invalid_request", "capabilities must not be blank: leave the empty entry out");
  }
  return { searched, unsearched: capabilities.slice(CAPABILITY_LIMIT) };
}
