/** Failures of the registry as callers see them: the code, what is wrong, what to do next. */
import { DirectoryError } from "../../protocol/errors.js";
import { RegistryFailure } from "./registry-http.js";

const LIST = "directory::registry::workers::list";

export function registryError(failure: unknown): DirectoryError {
  if (failure instanceof DirectoryError) return failure;
  const reason = failure instanceof RegistryFailure ? failure.message : "the registry could not be asked";
  return new DirectoryError(
    "D320",
    `registry_error: ${reason}. Next: retry in a moment; ${LIST} shows whether the registry answers.`,
  );
}

export function notInRegistry(what: string): DirectoryError {
  return new DirectoryError(
    "D310",
    `not_found: the registry has no ${JSON.stringify(what)} (registry status 404). Next: call ${LIST} { search } to find the right name.`,
  );
}

export function invalidName(fault: string): DirectoryError {
  return new DirectoryError("D311", `invalid_input: ${fault}. Next: call ${LIST} { search } to find the right name.`);
}

export function isMissing(failure: unknown): boolean {
  return failure instanceof RegistryFailure && failure.status === 404;
}
