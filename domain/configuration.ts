/** Reads a configuration value: defaults for what is absent, and a message that names the field for what is wrong. */
import { Ajv, type ErrorObject } from "ajv";
import { Configuration } from "../protocol/configuration.js";

export type ConfigurationResult =
  | { readonly ok: true; readonly values: Configuration }
  /** One line a fault, each with the name of the field and never with its value. */
  | { readonly ok: false; readonly faults: readonly string[] };

const validate = new Ajv({ allErrors: true, useDefaults: true, strict: false, verbose: false }).compile<Configuration>(
  Configuration,
);

/** Unknown fields are dropped; null counts as an empty configuration, because that is how an empty YAML file reads. */
export function readConfiguration(value: unknown): ConfigurationResult {
  if (value !== null && value !== undefined && (typeof value !== "object" || Array.isArray(value))) {
    return { ok: false, faults: ["the configuration must be a map of fields"] };
  }
  const given = Object.entries(value ?? {}).filter(([field]) => field in Configuration.properties);
  const values: unknown = Object.fromEntries(given);
  if (validate(values)) return { ok: true, values };
  return { ok: false, faults: describe(validate.errors ?? []) };
}

export const DEFAULT_CONFIGURATION: Configuration = defaults();

function defaults(): Configuration {
  const result = readConfiguration({});
  if (!result.ok) throw new Error(`the defaults are not a valid configuration: ${result.faults.join("; ")}`);
  return result.values;
}

/** One line a field: a union reports each of its branches, of which the first says enough. */
function describe(errors: readonly ErrorObject[]): string[] {
  const faults = new Map<string, string>();
  for (const { instancePath, message = "is not valid" } of errors) {
    const field = instancePath.slice(1) || "the configuration";
    if (!faults.has(field)) faults.set(field, `${field} ${message}`);
  }
  return [...faults.values()];
}
