/** Rules about function ids that hold in every lane. */

/** The search itself: never among its own results. */
export const SEARCH_FUNCTION_ID = "directory::search_functions";

const CLAIM_FUNCTION_ID = "state::claim-namespace";

/** Functions that no search may show: plumbing that an agent has no use for. Internal ones are told by their metadata. */
export function isExcludedFunction(functionId: string): boolean {
  return (
    functionId === SEARCH_FUNCTION_ID ||
    functionId === CLAIM_FUNCTION_ID ||
    functionId.startsWith("engine::") ||
    functionId.endsWith("::on-config-change")
  );
}

/** The text before the first `::`; undefined when there is none. */
export function namespaceOf(functionId: string): string | undefined {
  const end = functionId.indexOf("::");
  return end > 0 ? functionId.slice(0, end) : undefined;
}

/** Under which a function is shown: its namespace, else the worker that owns it, else its own id. */
export function shownNamespace(functionId: string, worker: string | undefined): string {
  return namespaceOf(functionId) ?? (worker || functionId);
}
