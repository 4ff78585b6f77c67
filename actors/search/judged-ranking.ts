/** Ranks the functions by a remote judge, and locally where it fails. */
import type { RankedFunction } from "../../protocol/actors/catalog.js";
import type { JudgedDocument, JudgeReply, JudgeStats } from "../../protocol/actors/jev.js";
import type { SearchMode } from "../../protocol/functions/search.js";
import type { Described } from "./judged-functions.js";
import { addStats, judge, judgeFailure, loggedStats, NOTHING_JUDGED, statsOfFailure } from "./judging.js";
import type { Batch } from "./lanes.js";
import { type FunctionRanking, rankLocally, rankWithReranker } from "./local-ranking.js";
import { laneTexts, type SearchCall } from "./search-call.js";

/** Functions as they were when the search began. */
interface Catalogue extends Described {
  /** By terms alone: what is always there. */
  readonly lexical: FunctionRanking;
}

interface RankedBatch {
  readonly lanes: FunctionRanking["lanes"];
  readonly mode: SearchMode;
  readonly stats: JudgeStats;
}

/**
 * Batches are judged one after another, because they share one deadline: whatever it doesn't reach falls back as a whole, and a lane never
 * mixes judged rows with others. Terms have ranked everything meanwhile.
 */
export async function rankJudged(call: SearchCall): Promise<FunctionRanking> {
  const begin = performance.now();
  const { context, lanes, log } = call;
  const lexical = await rankLocally(call, lanes.texts, undefined);
  const described = await call.judged.asOf(lexical.fingerprint, context);
  const batches: RankedBatch[] = [];
  for (const batch of lanes.batches) batches.push(await rankBatch(call, batch, { ...described, lexical }));
  const modes = new Set(batches.map(({ mode }) => mode));
  const mode = modes.has("jev") ? "jev" : modes.has("hybrid") ? "hybrid" : "lexical";
  const judgement = {
    complete: batches.every(({ mode }) => mode === "jev"),
    hybridComplete: batches.every(({ mode }) => mode === "hybrid"),
    stats: batches.map(({ stats }) => stats).reduce(addStats, NOTHING_JUDGED),
  };
  log.debug(
    {
      configured_mode: "jev",
      effective_mode: mode,
      elapsed_ms: Math.floor(performance.now() - begin),
      jev_complete: judgement.complete,
      hybrid_complete: judgement.hybridComplete,
    },
    "functions ranked",
  );
  return { fingerprint: described.fingerprint, lanes: batches.flatMap(({ lanes }) => lanes), mode, judgement };
}

async function rankBatch(call: SearchCall, batch: Batch, catalogue: Catalogue): Promise<RankedBatch> {
  try {
    const documents = await shortlisted(call, batch, catalogue);
    const reply = await judge(call, {
      corpus: "functions",
      capabilities: laneTexts(call.lanes, batch),
      documents,
      exactIds: true,
      batches: call.lanes.batches.length,
    });
    call.log.debug({ model: reply.model, ...loggedStats(reply.stats) }, "functions judged");
    return { lanes: reply.lanes.map((lane) => rowsOf(lane, catalogue)), mode: "jev", stats: reply.stats };
  } catch (error) {
    call.log.warn({ ...judgeFailure(error), requested_mode: "jev" }, "remote judging failed: ranked locally");
    const { lanes, mode } = await fallBack(call, batch, catalogue);
    return { lanes, mode, stats: statsOfFailure(error) };
  }
}

function rowsOf(lane: JudgeReply["lanes"][number], { known }: Catalogue): RankedFunction[] {
  return lane.flatMap(({ id, score }) => {
    const entry = known.get(id);
    if (entry === undefined) return [];
    const { functionId, namespace, description } = entry;
    return [{ functionId, namespace, description, score }];
  });
}

/** Everything, unless the operator has set how many local candidates of each capability are worth judging. */
async function shortlisted(call: SearchCall, batch: Batch, { documents, known }: Catalogue): Promise<readonly JudgedDocument[]> {
  const { peers, context, lanes } = call;
  const depth = call.configuration.function_search_jev_shortlist;
  if (depth === 0) return documents;
  const texts = laneTexts(lanes, batch);
  const [local, candidates] = await Promise.all([
    rankLocally(call, texts, await call.vectors.of(batch)),
    peers.catalog.candidates({ lanes: texts, depth }, context),
  ]);
  const best = texts.flatMap((text, lane) => {
    if (known.has(text)) return [text];
    const shown = local.lanes[lane]?.map(({ functionId }) => functionId) ?? [];
    return [...new Set([...shown, ...(candidates.lanes[lane] ?? [])])].slice(0, depth);
  });
  const shortlist = new Set(best);
  return documents.filter(({ id }) => shortlist.has(id));
}

async function fallBack(call: SearchCall, batch: Batch, { lexical }: Catalogue): Promise<FunctionRanking> {
  const vectors = await call.vectors.of(batch);
  if (vectors !== undefined) return rankWithReranker(call, laneTexts(call.lanes, batch), vectors);
  return { ...lexical, lanes: lexical.lanes.slice(batch.begin, batch.end) };
}
