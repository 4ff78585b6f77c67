/**
 * A function as the catalog knows it: everything the engine tells that could help to find it, in plain text, without the schemas it
 * came from. What is indexed beyond the searchable text is bounded, so that one function can't fill the memory.
 */
import { canonicalContract, parameterNames, searchableText, slimDescription } from "../../domain/function-contract.js";
import { shownNamespace } from "../../domain/function-id.js";
import { cutBytes } from "../../domain/text.js";
import { type FieldText, readFields } from "./schema-text.js";

export interface WorkerText {
  readonly name: string;
  readonly description: string;
}

export interface FunctionContract {
  readonly functionId: string;
  readonly namespace: string;
  readonly worker?: string;
  readonly workerDescription: string;
  /** All sentences. */
  readonly description: string;
  /** First sentence, at most 160 bytes. */
  readonly slimDescription: string;
  /** Top level only, in byte order. */
  readonly parameterNames: readonly string[];
  readonly arguments: readonly FieldText[];
  readonly responseFields: readonly FieldText[];
  /** What the first lexical lane and the session memory see. */
  readonly searchableText: string;
  /** One piece of the contract fingerprint. */
  readonly canonical: string;
}

/** An entry of `engine::functions::info`, or anything shaped like one. */
export interface ContractSource {
  readonly functionId: string;
  readonly description: string;
  readonly requestSchema: unknown;
  readonly responseSchema?: unknown;
  readonly worker?: WorkerText | undefined;
}

/** UTF-8 bytes kept of a whole description. */
const DESCRIPTION_BYTES = 16_384;

export function readContract({ functionId, description, requestSchema, responseSchema, worker }: ContractSource): FunctionContract {
  const text = cutBytes(description.toWellFormed(), DESCRIPTION_BYTES);
  const names = parameterNames(requestSchema).map((name) => name.toWellFormed());
  return {
    functionId,
    namespace: shownNamespace(functionId, worker?.name),
    ...(worker === undefined ? {} : { worker: worker.name }),
    workerDescription: worker?.description ?? "",
    description: text,
    slimDescription: slimDescription(text),
    parameterNames: names,
    arguments: readFields(requestSchema),
    responseFields: readFields(responseSchema),
    searchableText: searchableText(functionId, text, names),
    canonical: canonicalContract(functionId, text, requestSchema),
  };
}
