/** Ranks the functions on this machine: by terms, and by vectors where there are some. */
import type { LaneVectors, RankedFunction, RankReply } from "../../protocol/actors/catalog.js";
import type { JudgeStats } from "../../protocol/actors/jev.js";
import type { SearchMode } from "../../protocol/functions/search.js";
import { rerankLanes } from "./reranking.js";
import type { SearchCall } from "./search-call.js";

export interface FunctionRanking {
  readonly fingerprint: string;
  /** One a lane, best first. */
  readonly lanes: readonly (readonly RankedFunction[])[];
  /** The highest that any batch reached. */
  readonly mode: SearchMode;
  /** Only where judging was wanted. */
  readonly judgement?: Judgement;
}

export interface Judgement {
  /** Every batch was judged. */
  readonly complete: boolean;
  /** Every batch fell back, and vectors have ranked it. */
  readonly hybridComplete: boolean;
  /** Of all batches; a lower bound unless complete. */
  readonly stats: JudgeStats;
}

export async function rankLocally(
  { peers, context }: SearchCall,
  lanes: readonly string[],
  vectors: LaneVectors | undefined,
): Promise<FunctionRanking> {
  const reply = await peers.catalog.rank({ lanes, ...(vectors === undefined ? {} : { vectors }) }, context);
  return { fingerprint: reply.fingerprint, lanes: reply.lanes.map(({ rows }) => rows), mode: localMode(reply) };
}

/** The same, and the heads of the lanes go before the reranker where it is switched on. */
export async function rankWithReranker(
  call: SearchCall,
  lanes: readonly string[],
  vectors: LaneVectors | undefined,
): Promise<FunctionRanking> {
  if (vectors === undefined || !call.configuration.function_search_reranker) return rankLocally(call, lanes, vectors);
  const reply = await call.peers.catalog.rank({ lanes, vectors, withHead: true }, call.context);
  return { fingerprint: reply.fingerprint, lanes: await rerankLanes(call, lanes, reply.lanes), mode: localMode(reply) };
}

/** Exact ids need no model, so they count as hybrid only where hybrid was there to be used. */
function localMode({ lanes, dense }: RankReply): SearchMode {
  const hybrid = lanes.some(({ rankedBy }) => rankedBy === "hybrid");
  const onlyExact = lanes.length > 0 && lanes.every(({ exact }) => exact);
  return hybrid || (onlyExact && dense === true) ? "hybrid" : "lexical";
}
