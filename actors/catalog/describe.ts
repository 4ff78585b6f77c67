/** Slim contracts, for who has to show functions to somebody. */
import type { DescribedFunction, DescribeReply, DescribeRequest } from "../../protocol/actors/catalog.js";
import type { FunctionContract } from "./contract.js";
import type { Generation } from "./generation.js";

export function describe({ fingerprint, contracts }: Generation, { functionIds }: DescribeRequest): DescribeReply {
  const asked = functionIds?.map((id) => contracts.get(id)).filter((contract) => contract !== undefined);
  return { fingerprint, functions: (asked ?? [...contracts.values()]).map(slim) };
}

function slim({ functionId, namespace, worker, slimDescription, parameterNames }: FunctionContract): DescribedFunction {
  const row = { functionId, namespace, description: slimDescription, parameterNames };
  return worker === undefined ? row : { ...row, worker };
}
