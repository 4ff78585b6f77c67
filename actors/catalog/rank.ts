/** One capability against one generation. Exact ids come before everything that ranks. */
import { searchableText } from "../../domain/function-contract.js";
import type { LaneRanking, LaneVectors, RankedCandidate, RankedFunction } from "../../protocol/actors/catalog.js";
import type { FunctionContract } from "./contract.js";
import { cutHead, type FusedRow, fuseLane, type HybridSource } from "./fusion.js";
import type { Generation } from "./generation.js";
import { DIMENSIONS } from "./vectors/scan-memory.js";

export interface RankSource extends HybridSource {
  readonly generation: Generation;
}

/** `capability` is prepared: without white space at the ends. `query`: absent when terms alone are to rank. */
export function rankLane(
  capability: string,
  query: Float32Array | undefined,
  { generation: { contracts }, ...source }: RankSource,
  withHead = false,
): LaneRanking {
  const exact = contracts.get(capability);
  if (exact !== undefined) return { rows: [shown(exact, 0)], exact: true, rankedBy: "exact" };
  if (query === undefined || source.matrix.size === 0) {
    return { rows: rowsOf(source.lexical.rank(capability), contracts, shown), exact: false, rankedBy: "lexical" };
  }
  const { head, anchor } = fuseLane(capability, query, source);
  const rows = rowsOf(cutHead(head), contracts, shown);
  if (!withHead) return { rows, exact: false, rankedBy: "hybrid" };
  const candidates = { rows: rowsOf(head, contracts, candidate), ...(anchor === undefined ? {} : { anchor }) };
  return { rows, exact: false, rankedBy: "hybrid", head: candidates };
}

function rowsOf<Row>(
  ranked: readonly FusedRow[],
  contracts: Generation["contracts"],
  show: (contract: FunctionContract, score: number) => Row,
): Row[] {
  return ranked.flatMap(({ id, score }) => {
    const contract = contracts.get(id);
    return contract === undefined ? [] : [show(contract, score)];
  });
}

/** The vector of one lane; undefined when it has none, or none that could be compared with the documents' vectors. */
export function queryOf(vectors: LaneVectors | undefined, lane: number, model: string | undefined): Float32Array | undefined {
  if (vectors === undefined || vectors.model !== model) return undefined;
  const query = vectors.rows.subarray(lane * DIMENSIONS, (lane + 1) * DIMENSIONS);
  return query.length === DIMENSIONS && query.some((component) => component !== 0) ? query : undefined;
}

function shown({ functionId, namespace, slimDescription }: FunctionContract, score: number): RankedFunction {
  return { functionId, namespace, description: slimDescription, score };
}

function candidate(contract: FunctionContract, score: number): RankedCandidate {
  const { functionId, slimDescription, parameterNames } = contract;
  return { ...shown(contract, score), text: searchableText(functionId, slimDescription, parameterNames) };
}
