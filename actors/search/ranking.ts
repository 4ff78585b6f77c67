/** Ranks the functions for every lane in the configured mode, or in the best mode below it that works. */
import type { RankedFunction, RankReply } from "../../protocol/actors/catalog.js";
import type { SearchMode } from "../../protocol/functions/search.js";
import type { Batch } from "./lanes.js";
import { laneTexts, type SearchCall } from "./search-call.js";

export interface FunctionRanking {
  readonly fingerprint: string;
  /** One a lane, best first. */
  readonly lanes: readonly (readonly RankedFunction[])[];
  /** The highest that any batch reached. */
  readonly mode: SearchMode;
}

export async function rankFunctions(call: SearchCall): Promise<FunctionRanking> {
  if (call.configuration.function_search_mode === "jev") return rankJudged(call);
  const vectors = call.configuration.function_search_mode === "hybrid" ? await call.vectors.all() : undefined;
  return rankLocally(call, call.lanes.texts, vectors);
}

async function rankLocally(
  { peers, context }: SearchCall,
  lanes: readonly string[],
  vectors: Float32Array | undefined,
): Promise<FunctionRanking> {
  const reply = await peers.catalog.rank({ lanes, ...(vectors === undefined ? {} : { vectors }) }, context);
  return { fingerprint: reply.fingerprint, lanes: reply.lanes.map(({ rows }) => rows), mode: localMode(reply) };
}

/** Exact ids need no model, so they count as hybrid only where hybrid was there to be used. */
function localMode({ lanes, dense }: RankReply): SearchMode {
  const hybrid = lanes.some(({ rankedBy }) => rankedBy === "hybrid");
  const onlyExact = lanes.length > 0 && lanes.every(({ exact }) => exact);
  return hybrid || (onlyExact && dense === true) ? "hybrid" : "lexical";
}

/**
 * Batches are judged one after another, because they share one deadline: whatever it doesn't reach falls back as a whole, and a lane never
 * mixes judged rows with others. Terms have ranked everything meanwhile.
 */
async function rankJudged(call: SearchCall): Promise<FunctionRanking> {
  const { peers, context, lanes } = call;
  const [described, lexical] = await Promise.all([peers.catalog.describe({}, context), rankLocally(call, lanes.texts, undefined)]);
  const known = new Map(described.functions.map((entry) => [entry.functionId, entry]));
  const documents = described.functions.map(({ functionId, description, parameterNames }) => ({
    id: functionId,
    description,
    parameterNames,
  }));
  const ranked: RankedFunction[][] = [];
  const modes = new Set<SearchMode>();
  for (const batch of lanes.batches) {
    const capabilities = laneTexts(lanes, batch);
    try {
      const shortlist = shortlistOf(call, lexical.lanes.slice(batch.begin, batch.end));
      const judged = shortlist === undefined ? documents : documents.filter(({ id }) => shortlist.has(id));
      const reply = await peers.jev.judge({ corpus: "functions", capabilities, documents: judged, exactIds: true }, call.judging);
      ranked.push(
        ...reply.lanes.map((lane) =>
          lane.flatMap(({ id, score }) => {
            const entry = known.get(id);
            return entry === undefined ? [] : [{ ...entry, score }];
          }),
        ),
      );
      modes.add("jev");
    } catch (error) {
      call.log.warn({ err: error, requested_mode: "jev" }, "remote judging failed: ranked locally");
      const local = await fallBack(call, batch, lexical);
      ranked.push(...local.lanes.map((lane) => [...lane]));
      modes.add(local.mode);
    }
  }
  const mode = modes.has("jev") ? "jev" : modes.has("hybrid") ? "hybrid" : "lexical";
  return { fingerprint: described.fingerprint, lanes: ranked, mode };
}

/** Ids that may be judged, when the operator limits them; an exact id is always among its own lane's rows. */
function shortlistOf({ configuration }: SearchCall, lanes: FunctionRanking["lanes"]): ReadonlySet<string> | undefined {
  const depth = configuration.function_search_jev_shortlist;
  if (depth === 0) return undefined;
  return new Set(lanes.flatMap((rows) => rows.slice(0, depth).map(({ functionId }) => functionId)));
}

async function fallBack(call: SearchCall, batch: Batch, lexical: FunctionRanking): Promise<FunctionRanking> {
  const vectors = await call.vectors.of(batch);
  if (vectors !== undefined) return rankLocally(call, laneTexts(call.lanes, batch), vectors);
  return { ...lexical, lanes: lexical.lanes.slice(batch.begin, batch.end) };
}
