/** Reads a configuration value: defaults for what is absent, and a message that names the field for what is wrong. */
import { Ajv, type ErrorObject } from "ajv";
import { load } from "js-yaml";
import { Configuration, TOPOLOGY_FIELDS } from "../protocol/configuration.js";
import { concealed } from "./concealed.js";
import { folderDefaults, type PathBases, resolveConfigured } from "./paths.js";

export type ConfigurationResult =
  | { readonly ok: true; readonly values: Configuration }
  /** One line a fault, each with the name of the field and never with its value. */
  | { readonly ok: false; readonly faults: readonly string[] };

const validate = new Ajv({ allErrors: true, useDefaults: true, strict: false, formats: { password: true } }).compile<Configuration>(
  Configuration,
);

/**
 * Unknown fields are dropped; null counts as an empty configuration, because that is how an empty YAML file reads. With a compose
 * folder the folders that are left out are absolute.
 */
export function readConfiguration(value: unknown, composeDirectory?: string): ConfigurationResult {
  if (value !== null && value !== undefined && (typeof value !== "object" || Array.isArray(value))) {
    return { ok: false, faults: ["the configuration must be a map of fields"] };
  }
  const given = Object.entries(value ?? {}).filter(([field]) => field in Configuration.properties);
  const values: Record<string, unknown> = { ...folderDefaults(composeDirectory, FIELD_DEFAULTS), ...Object.fromEntries(given) };
  if (!validate(values)) return { ok: false, faults: describe(validate.errors ?? []) };
  const key = values.function_search_jev_api_key?.trim() ?? "";
  return { ok: true, values: concealed({ ...values, function_search_jev_api_key: key === "" ? null : key }) };
}

/** The same from YAML. Throws what the parser throws; an empty file is an empty configuration. */
export function readConfigurationText(yaml: string, composeDirectory?: string): ConfigurationResult {
  return readConfiguration(yaml.trim() === "" ? null : load(yaml), composeDirectory);
}

const FIELD_DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(Configuration.properties as Record<string, { default?: unknown }>).map(([field, schema]) => [
    field,
    schema.default,
  ]),
);

export const DEFAULT_CONFIGURATION: Configuration = defaults();

function defaults(): Configuration {
  const result = readConfiguration({});
  if (!result.ok) throw new Error(`the defaults are not a valid configuration: ${result.faults.join("; ")}`);
  return result.values;
}

/** Fields that differ and need a restart. Folders by their spelling, the model by the place it names. */
export function topologyChanges(boot: Configuration, next: Configuration, bases: PathBases): string[] {
  return TOPOLOGY_FIELDS.filter((field) => {
    const [before, after] = [boot[field], next[field]];
    if (field !== "function_search_model_path" || typeof before !== "string" || typeof after !== "string") return before !== after;
    return resolveConfigured(before, bases) !== resolveConfigured(after, bases);
  });
}

/** What the configuration worker validates with, and what a settings form is made from. */
export function configurationSchema(composeDirectory?: string): Record<string, unknown> {
  const example = { ...FIELD_DEFAULTS, ...folderDefaults(composeDirectory, FIELD_DEFAULTS) };
  const properties = Object.fromEntries(
    Object.entries(Configuration.properties as Record<string, object>).map(([field, schema]) => [
      field,
      { ...schema, default: example[field] },
    ]),
  );
  const { default: mode, description, ...enumeration } = properties["function_search_mode"] as unknown as Record<string, unknown>;
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "DirectoryConfig",
    type: "object",
    properties: {
      ...properties,
      function_search_mode: { allOf: [{ $ref: "#/definitions/FunctionSearchMode" }], default: mode, description },
    },
    definitions: { FunctionSearchMode: enumeration },
    example,
  };
}

/** One line a field. A value is never repeated: it may be a key that was pasted into the wrong field. */
function describe(errors: readonly ErrorObject[]): string[] {
  const faults = new Map<string, string>();
  for (const { instancePath, message = "is not valid" } of errors) {
    const field = instancePath.slice(1).split("/")[0] || "the configuration";
    if (!faults.has(field)) faults.set(field, `${field} ${message}`);
  }
  return [...faults.values()];
}
