/** One capability against one generation. Exact ids come before everything that ranks. */
import type { LaneRanking, RankedFunction } from "../../protocol/actors/catalog.js";
import type { Generation } from "./generation.js";
import type { LexicalLane } from "./lexical/lexical-lane.js";

/** `capability` is prepared: without white space at the ends. */
export function rankLane(capability: string, { contracts }: Generation, lexical: LexicalLane): LaneRanking {
  const exact = contracts.get(capability);
  if (exact !== undefined) return { rows: [shown(exact, 0)], exact: true, rankedBy: "exact" };
  const rows: RankedFunction[] = [];
  for (const { id, score } of lexical.rank(capability)) {
    const contract = contracts.get(id);
    if (contract !== undefined) rows.push(shown(contract, score));
  }
  return { rows, exact: false, rankedBy: "lexical" };
}

interface Shown {
  readonly functionId: string;
  readonly namespace: string;
  readonly slimDescription: string;
}

function shown({ functionId, namespace, slimDescription }: Shown, score: number): RankedFunction {
  return { functionId, namespace, description: slimDescription, score };
}
