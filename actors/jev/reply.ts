/** Reads the answer to one request. Stricter than the service promises to be: what isn't wholly right is no answer. */
import { isWellFormed } from "../../domain/well-formed.js";
import { JevFailure } from "./failure.js";

export interface BlockReply {
  readonly model: string;
  /** One a question, in the order of the questions. */
  readonly scores: readonly number[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Throws `invalid_response`. Fields that we don't know are no fault. */
export function readReply(body: Uint8Array, questionIds: readonly string[]): BlockReply {
  const reply = record(parse(body));
  const model = reply["model"];
  if (typeof model !== "string" || model.trim() === "" || !isWellFormed(model)) throw invalid();
  const usage = record(reply["usage"]);
  return {
    model,
    scores: scoresOf(record(reply["answers"]), questionIds),
    inputTokens: tokens(usage["input_tokens"]),
    outputTokens: tokens(usage["output_tokens"]),
  };
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    throw invalid();
  }
}

function scoresOf(answers: Readonly<Record<string, unknown>>, questionIds: readonly string[]): number[] {
  if (Object.keys(answers).length !== questionIds.length) throw invalid();
  return questionIds.map((id) => {
    if (!Object.hasOwn(answers, id)) throw invalid();
    const { type, noul } = record(answers[id]);
    // JSON has no infinity, but a number that is too large for a double becomes one.
    if (type !== "noul" || typeof noul !== "number" || !(noul >= 0 && noul <= 1)) throw invalid();
    return noul;
  });
}

function tokens(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw invalid();
  return value as number;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid();
  return value as Record<string, unknown>;
}

function invalid(): JevFailure {
  return new JevFailure("invalid_response");
}
