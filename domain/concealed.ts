/** A configuration that keeps its key out of dumps. */
import type { Configuration } from "../protocol/configuration.js";

/** Node's name for what dumps and `console` show of an object. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * The same configuration, whose dumps don't show the key. Its JSON does, because the store has to get it back; the logger has its own
 * list of fields. Copying a configuration, also to another thread, loses this.
 */
export function concealed(values: Readonly<Configuration>): Configuration {
  const shown = { ...values, function_search_jev_api_key: values.function_search_jev_api_key === null ? null : "[REDACTED]" };
  return Object.defineProperty({ ...values }, INSPECT, { value: () => shown, enumerable: false });
}
