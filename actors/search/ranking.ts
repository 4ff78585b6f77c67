/** Ranks the functions for every lane in the configured mode, or in the best mode below it that works. */
import { rankJudged } from "./judged-ranking.js";
import { type FunctionRanking, rankWithReranker } from "./local-ranking.js";
import type { SearchCall } from "./search-call.js";

export type { FunctionRanking } from "./local-ranking.js";

export async function rankFunctions(call: SearchCall): Promise<FunctionRanking> {
  const { configuration, lanes, vectors } = call;
  if (configuration.function_search_mode === "jev") return rankJudged(call);
  return rankWithReranker(call, lanes.texts, configuration.function_search_mode === "hybrid" ? await vectors.all() : undefined);
}
