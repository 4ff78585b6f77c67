/** One capability against one generation. Exact ids come before everything that ranks. */
import type { LaneRanking, LaneVectors, RankedFunction } from "../../protocol/actors/catalog.js";
import { type HybridSource, rankHybrid } from "./fusion.js";
import type { Generation } from "./generation.js";
import { DIMENSIONS } from "./vectors/scan-memory.js";

/** `capability` is prepared: without white space at the ends. */
export function rankLane(
  capability: string,
  query: Float32Array | undefined,
  { contracts }: Generation,
  source: HybridSource,
): LaneRanking {
  const exact = contracts.get(capability);
  if (exact !== undefined) return { rows: [shown(exact, 0)], exact: true, rankedBy: "exact" };
  const hybrid = query !== undefined && source.matrix.size > 0;
  const ranked = hybrid ? rankHybrid(capability, query, source) : source.lexical.rank(capability);
  const rows: RankedFunction[] = [];
  for (const { id, score } of ranked) {
    const contract = contracts.get(id);
    if (contract !== undefined) rows.push(shown(contract, score));
  }
  return { rows, exact: false, rankedBy: hybrid ? "hybrid" : "lexical" };
}

/** The vector of one lane; undefined when it has none, or none that could be compared with the documents' vectors. */
export function queryOf(vectors: LaneVectors | undefined, lane: number, model: string | undefined): Float32Array | undefined {
  if (vectors === undefined || vectors.model !== model) return undefined;
  const query = vectors.rows.subarray(lane * DIMENSIONS, (lane + 1) * DIMENSIONS);
  return query.length === DIMENSIONS && query.some((component) => component !== 0) ? query : undefined;
}

interface Shown {
  readonly functionId: string;
  readonly namespace: string;
  readonly slimDescription: string;
}

function shown({ functionId, namespace, slimDescription }: Shown, score: number): RankedFunction {
  return { functionId, namespace, description: slimDescription, score };
}
