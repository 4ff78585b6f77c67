/** The search: capabilities in, an answer with guidance out; it also holds the session memory. */
import { type ActorContract, type CallContext, TIMEOUTS } from "../call.js";
import type { SearchFunctionsRequest, SearchFunctionsResponse } from "../functions/search.js";

export interface SearchActor {
  searchFunctions(request: SearchFunctionsRequest, context: CallContext): Promise<SearchFunctionsResponse>;
}

export const SEARCH_CONTRACT: ActorContract<SearchActor> = {
  methods: { searchFunctions: { idempotent: true, timeoutMs: TIMEOUTS.search } },
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 128,
  bufferLimitMiB: 128,
};
