/** Ranks documents other than the functions of the engine: skills, triggers, functions that could be installed. */
import type { PoolDocument } from "../../../protocol/actors/catalog.js";
import type { JudgedCorpus, JudgedDocument } from "../../../protocol/actors/jev.js";
import { judge, judgeFailure, loggedStats } from "../judging.js";
import type { Batch } from "../lanes.js";
import { laneTexts, type SearchCall } from "../search-call.js";
import { selectRows } from "../selection.js";

export interface Pool {
  readonly corpus: JudgedCorpus;
  readonly documents: readonly PoolDocument[];
  /** The same documents in the form in which they may leave the machine. */
  readonly judged: readonly JudgedDocument[];
}

/** Ids for each lane of the batch, best first. */
export type RankedIds = readonly (readonly string[])[];

export async function rankPool(call: SearchCall, pool: Pool, batch: Batch): Promise<RankedIds> {
  const { peers, context, configuration, lanes } = call;
  const vectors = configuration.function_search_mode === "lexical" ? undefined : await call.vectors.of(batch);
  const reply = await peers.catalog.rankPool(
    {
      documents: pool.documents,
      lanes: laneTexts(lanes, batch),
      exactIds: pool.corpus === "functions",
      ...(vectors === undefined ? {} : { vectors }),
    },
    context,
  );
  return reply.lanes.map((lane) => lane.map(({ id }) => id));
}

/** Rejects when the judge fails or runs out of time. */
export async function judgePool(call: SearchCall, pool: Pool, batch: Batch): Promise<RankedIds> {
  const { lanes, model, stats } = await judge(call, {
    corpus: pool.corpus,
    capabilities: laneTexts(call.lanes, batch),
    documents: pool.judged,
    exactIds: pool.corpus === "functions",
  });
  call.log.debug({ corpus: pool.corpus, documents: pool.documents.length, model, ...loggedStats(stats) }, "documents judged");
  return lanes.map((lane) => lane.map(({ id }) => id));
}

/** Rows that a side section shows in all. */
const SIDE_ROWS = 6;

/** UTF-8 bytes of a document of a side section. */
export const SIDE_DOCUMENT_BYTES = 300;

/** A side section: all lanes at once, the judge without a fallback. */
export async function rankSideSection(call: SearchCall, pool: Pool): Promise<readonly string[]> {
  const everything = { begin: 0, end: call.lanes.texts.length };
  if (pool.documents.length === 0 || everything.end === 0) return [];
  const ranked =
    call.configuration.function_search_mode === "jev" ? judgeSide(call, pool, everything) : rankPool(call, pool, everything);
  const lanes = (await ranked).map((ids) => ids.map((id) => ({ id, owner: id })));
  return selectRows(lanes, { budget: SIDE_ROWS, owners: SIDE_ROWS }).map(({ id }) => id);
}

async function judgeSide(call: SearchCall, pool: Pool, batch: Batch): Promise<RankedIds> {
  try {
    return await judgePool(call, pool, batch);
  } catch (error) {
    call.log.warn({ ...judgeFailure(error), corpus: pool.corpus }, "remote judging failed: section left out");
    return [];
  }
}
