/** Which of the ranked functions are shown. */
import type { RankedFunction } from "../../protocol/actors/catalog.js";
import type { Lanes } from "./lanes.js";
import type { FunctionRanking } from "./ranking.js";
import { BATCH_BUDGET, selectRows, workerCap } from "./selection.js";

/** Each batch has a budget of its own; what an earlier batch has chosen costs a later one nothing. */
export function selectFunctions({ lanes: ranked }: FunctionRanking, { batches }: Lanes): RankedFunction[] {
  const taken = new Set<string>();
  return batches.flatMap(({ begin, end }) => {
    const lanes = ranked.slice(begin, end).map((rows) => rows.map((row) => ({ id: row.functionId, owner: row.namespace, row })));
    return selectRows(lanes, { budget: BATCH_BUDGET, owners: workerCap(end - begin) }, taken).map(({ row }) => row);
  });
}
