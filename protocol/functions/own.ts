/** Which functions are ours. Threads get the ids as data: loading every schema to know them would take longer than everything else at start. */
import { FUNCTIONS } from "./index.js";

const isInternal = ({ metadata }: (typeof FUNCTIONS)[number]): boolean => metadata?.["internal"] === true;

/** Without these a list of functions isn't believed: the public ones that don't depend on the configuration. */
export const CONSTANT_FUNCTION_IDS: readonly string[] = FUNCTIONS.filter(
  (definition) => !isInternal(definition) && definition.enabledBy === undefined,
).map(({ id }) => id);

/** Our plumbing. */
export const INTERNAL_FUNCTION_IDS: readonly string[] = FUNCTIONS.filter(isInternal).map(({ id }) => id);
