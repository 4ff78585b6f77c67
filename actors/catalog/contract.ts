/**
 * A function as the catalog knows it: everything the engine tells that could help to find it, in plain text, without the schemas it
 * came from. What is indexed beyond the searchable text is bounded, so that one function can't fill the memory.
 */
import { canonicalContract, parameterNames, slimDescription } from "../../domain/function-contract.js";
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
  /** First sentence, at most 160 bytes. */
  readonly slimDescription: string;
  /** Top level only, in byte order. */
  readonly parameterNames: readonly string[];
  /** Later sentences, and what is said of arguments and results: searched at a low weight. */
  readonly furtherText: string;
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
  const slim = slimDescription(text);
  const names = parameterNames(requestSchema).map((name) => name.toWellFormed());
  return {
    functionId,
    namespace: shownNamespace(functionId, worker?.name),
    ...(worker === undefined ? {} : { worker: worker.name }),
    workerDescription: worker?.description ?? "",
    slimDescription: slim,
    parameterNames: names,
    furtherText: furtherText(text.slice(slim.length), readFields(requestSchema), readFields(responseSchema)),
    canonical: canonicalContract(functionId, text, requestSchema),
  };
}

/** Names of arguments are a field of their own, but for those below the top level. */
function furtherText(sentences: string, fields: readonly FieldText[], responseFields: readonly FieldText[]): string {
  const parts = [sentences.trim()];
  for (const field of fields) parts.push(field.name.includes(".") ? field.name : "", field.description, ...field.values);
  for (const field of responseFields) parts.push(field.name, field.description, ...field.values);
  return parts.filter((part) => part !== "").join("\n");
}
