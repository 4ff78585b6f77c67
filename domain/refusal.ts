/** Sentences of the error catalogue: what is wrong, what may have been meant, what to do next. */
import { type CatalogueCode, DirectoryError } from "../protocol/errors.js";

/** A function to call, and why. */
export type NextStep = readonly [functionId: string, purpose: string];

export function notFound(
  code: CatalogueCode,
  kind: string,
  missed: string,
  candidates: readonly string[],
  next: readonly NextStep[],
): DirectoryError {
  const meant = candidates.length === 0 ? "" : ` Did you mean: ${candidates.join(", ")}.`;
  return new DirectoryError(code, `not_found: ${kind} ${JSON.stringify(missed)} does not exist.${meant}${nextSteps(next)}`);
}

/** `problem` without a full stop at its end. */
export function invalidInput(code: CatalogueCode, problem: string, next: readonly NextStep[] = []): DirectoryError {
  return new DirectoryError(code, `invalid_input: ${problem}.${nextSteps(next)}`);
}

function nextSteps(next: readonly NextStep[]): string {
  if (next.length === 0) return "";
  return ` Next: ${next.map(([functionId, purpose]) => `call ${functionId} to ${purpose}`).join("; or ")}.`;
}
