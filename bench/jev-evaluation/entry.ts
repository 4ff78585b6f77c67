/**
 * A search as the evaluation sees it: the ranking of each capability and what it has cost. Without the registry, the side sections and the
 * memory of sessions, whose part in an answer would blur what ranked it.
 */
import type { ActorSetting } from "../../actors/runtime.js";
import { selectFunctions } from "../../actors/search/function-selection.js";
import { JudgedFunctions } from "../../actors/search/judged-functions.js";
import { NOTHING_JUDGED } from "../../actors/search/judging.js";
import { prepareLanes } from "../../actors/search/lanes.js";
import { type FunctionRanking, rankFunctions } from "../../actors/search/ranking.js";
import { checkRequest } from "../../actors/search/request.js";
import { openCall, searchTimeoutMs, within } from "../../actors/search/search-call.js";
import { isIntrinsic, prepareCapability } from "../../domain/capability.js";
import type { CallContext } from "../../protocol/call.js";
import type { SearchMode } from "../../protocol/functions/search.js";

export interface Evaluated {
  readonly selected: readonly string[];
  readonly effective_mode: SearchMode;
  /** One a capability, also where it was ignored. */
  readonly rankings: readonly (readonly { readonly id: string; readonly score: number }[])[];
  readonly hybrid_complete: boolean;
  readonly jev_complete: boolean;
  readonly jev_requests: number;
  readonly jev_questions: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly jev_elapsed_ms: number;
  readonly elapsed_ms: number;
}

export async function evaluateSearch(
  { peers, configuration, log }: Pick<ActorSetting, "peers" | "configuration" | "log">,
  capabilities: readonly string[],
  caller: CallContext,
): Promise<Evaluated> {
  const begin = performance.now();
  const { searched } = checkRequest({ capabilities: [...capabilities] });
  const lanes = prepareLanes(searched);
  const values = configuration.of(caller);
  const context = within(caller, searchTimeoutMs(values));
  const judged = new JudgedFunctions(peers.catalog);
  const call = openCall({ peers, configuration: values, context, lanes, judged, log });
  const ranking = lanes.texts.length === 0 ? NOTHING_RANKED : await rankFunctions(call);
  const { stats, complete, hybridComplete } = ranking.judgement ?? {
    stats: NOTHING_JUDGED,
    complete: false,
    hybridComplete: ranking.mode === "hybrid",
  };
  const rows = ranking.lanes[Symbol.iterator]();
  return {
    selected: selectFunctions(ranking, lanes).map(({ functionId }) => functionId),
    effective_mode: ranking.mode,
    rankings: searched.map((capability) => {
      if (isIntrinsic(prepareCapability(capability))) return [];
      return (rows.next().value ?? []).map(({ functionId: id, score }) => ({ id, score }));
    }),
    hybrid_complete: hybridComplete,
    jev_complete: complete,
    jev_requests: stats.requests,
    jev_questions: stats.questions,
    input_tokens: stats.inputTokens,
    output_tokens: stats.outputTokens,
    jev_elapsed_ms: stats.elapsedMs,
    elapsed_ms: performance.now() - begin,
  };
}

const NOTHING_RANKED: FunctionRanking = { fingerprint: "", lanes: [], mode: "lexical" };
