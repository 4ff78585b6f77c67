/** The search: capabilities in, an answer with guidance out; it also holds the session memory. */
import { type ActorContract, type CallContext, TIMEOUTS } from "../call.js";
import { LONGEST_JUDGING_MS } from "../configuration-fields.js";
import type { HintPreviewResponse, PreGenerateHookResponse } from "../functions/hook.js";
import type { SearchFunctionsRequest, SearchFunctionsResponse, SearchScoresResponse } from "../functions/search.js";

/** A request of the pre-generate hook without what the hook doesn't look at. */
export interface HintRequest {
  readonly sessionId: string;
  readonly turnId: string;
  readonly step: number;
  readonly functionsGeneration: number;
  readonly expose: string | undefined;
  readonly toolNames: readonly string[];
  /** Functions that gave a result since the user spoke last. */
  readonly resultIds: readonly string[];
  /** Messages from the user's last words on that could name a function. */
  readonly texts: readonly string[];
}

export interface SearchActor {
  searchFunctions(request: SearchFunctionsRequest, context: CallContext): Promise<SearchFunctionsResponse>;
  /** How each capability was ranked, for people who look into a search; touches no session memory. */
  searchScores(request: SearchFunctionsRequest, context: CallContext): Promise<SearchScoresResponse>;
  /** On the hot path of every generation: touches neither disk nor network. */
  preGenerate(request: HintRequest, context: CallContext): Promise<PreGenerateHookResponse>;
  hintPreview(request: Record<string, never>, context: CallContext): Promise<HintPreviewResponse>;
}

export const SEARCH_CONTRACT: ActorContract<SearchActor> = {
  methods: {
    // The actor itself ends a search earlier, by its mode and configuration.
    searchFunctions: { idempotent: true, timeoutMs: TIMEOUTS.search + LONGEST_JUDGING_MS },
    searchScores: { idempotent: true, timeoutMs: TIMEOUTS.search + LONGEST_JUDGING_MS },
    preGenerate: { idempotent: true, timeoutMs: TIMEOUTS.read },
    hintPreview: { idempotent: true, timeoutMs: TIMEOUTS.read },
  },
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 128,
  bufferLimitMiB: 128,
};
