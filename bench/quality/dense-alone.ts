/** The yardstick of hybrid ranking: functions by the cosine of their vector to the need's, the first so many, nothing left out. */
import { readContract } from "../../actors/catalog/contract.js";
import { denseText } from "../../actors/catalog/vectors/dense-text.js";
import { DIMENSIONS } from "../../actors/catalog/vectors/scan-memory.js";
import { Encoder } from "../../actors/embedding/model/encoder.js";
import { isExcludedFunction } from "../../domain/function-id.js";
import type { Registered } from "../../test/harness/catalogue.js";
import { ROOT } from "../../test/harness/shared.js";
import { type Answered, DEPTH } from "./figures.js";
import type { JudgedCase } from "./judged-set.js";

const MODEL = `${ROOT}/models/all-MiniLM-L6-v2-w8/model.onnx`;

/** Of the match cases: they have one capability, so that no selection comes between. */
export async function denseAlone(catalogue: readonly Registered[], cases: readonly JudgedCase[]): Promise<Answered[]> {
  const encoder = await Encoder.load(MODEL);
  const functions = catalogue.filter(({ id }) => !isExcludedFunction(id));
  const rows = await encoder.embed(functions.map((each) => denseText(contractOf(each))));
  const matches = cases.filter(({ kind }) => kind === "match");
  const queries = await encoder.embed(matches.map(({ capabilities }) => capabilities[0] as string));
  await encoder.release();
  return matches.map((judged, at) => {
    const query = queries.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS);
    const scored = functions.map(({ id }, row) => ({ id, cosine: dot(query, rows, row * DIMENSIONS) }));
    const ids = scored.sort((left, right) => right.cosine - left.cosine).map(({ id }) => id);
    return { judged, ids: ids.slice(0, DEPTH), shown: DEPTH, lanesKept: 1, latencyMs: 0 };
  });
}

function contractOf({ id, description, parameters, response }: Registered): ReturnType<typeof readContract> {
  return readContract({
    functionId: id,
    description: description ?? "",
    requestSchema: parameters ?? {},
    ...(response === undefined ? {} : { responseSchema: response }),
  });
}

function dot(query: Float32Array, rows: Float32Array, from: number): number {
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at++) sum += (query[at] as number) * (rows[from + at] as number);
  return sum;
}
