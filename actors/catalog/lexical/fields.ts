/** The fields in which a function is searched, from what identifies it to what is only said in passing. */
import type { FunctionContract } from "../contract.js";
import type { Field } from "../index/impact-model.js";
import { analyse } from "./analysis.js";

/**
 * Id, first sentence, arguments, and everything else that the engine tells. Weights are calibrated on the judged sets: with more than a
 * tenth for the last field, long texts push away the functions that were meant. A word that is repeated in a first sentence counts half
 * as much again, no more: there it may be meant for the search instead of the reader.
 */
export const FIELDS: readonly Field[] = [
  { weight: 3, typicalLength: 3 },
  { weight: 1, typicalLength: 10, mostOccurrences: 1.5 },
  { weight: 1, typicalLength: 4 },
  { weight: 0.1, typicalLength: 16 },
];

/** Terms a field, with repetitions. */
export type FieldTerms = readonly (readonly string[])[];

export function termsOfContract(contract: FunctionContract): FieldTerms {
  const { functionId, slimDescription, parameterNames, furtherText, worker = "", workerDescription } = contract;
  const rest = `${furtherText}\n${worker}\n${workerDescription}`;
  return [analyse(functionId), analyse(slimDescription), parameterNames.flatMap(analyse), analyse(rest)];
}

/** `text` is not known to have parts; an id that means nothing isn't searched. */
export function termsOfDocument(id: string, text: string, searchId: boolean): FieldTerms {
  return [searchId ? analyse(id) : [], analyse(text), [], []];
}
