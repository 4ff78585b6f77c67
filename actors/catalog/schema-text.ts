/** The words in a JSON Schema: names of fields, what their authors wrote about them, and the values that an enumeration lists. */
import { cutBytes } from "../../domain/text.js";

export interface FieldText {
  /** A nested field has the path of names above it: `filter.since`. */
  readonly name: string;
  readonly description: string;
  /** Values of an enumeration or a constant that are strings. */
  readonly values: readonly string[];
}

/** Fields kept of a schema, and how deep they may lie. The limits also end the walk through a schema that refers to itself. */
const FIELDS = 256;
const DEPTH = 4;
/** UTF-8 bytes kept of one description or value, and values kept of one enumeration. */
const FIELD_BYTES = 1_024;
const VALUES = 64;

type Schema = Readonly<Record<string, unknown>>;

/** The fields of a schema, outer ones first. Anything that isn't a schema has none. */
export function readFields(schema: unknown): FieldText[] {
  if (!isSchema(schema)) return [];
  const fields: FieldText[] = [];
  let level = [{ path: "", schema }];
  for (let depth = 0; depth < DEPTH; depth++) {
    const next: typeof level = [];
    for (const outer of level) {
      for (const [key, inner] of properties(outer.schema, schema)) {
        if (fields.length === FIELDS) return fields;
        const name = cutBytes(`${outer.path}${key}`.toWellFormed(), FIELD_BYTES);
        fields.push({ name, description: describe(inner), values: values(inner, schema) });
        next.push({ path: `${name}.`, schema: inner });
      }
    }
    level = next;
  }
  return fields;
}

function properties(schema: Schema, root: Schema): [string, Schema][] {
  return variants(schema, root).flatMap((variant) => {
    const own = variant["properties"];
    return isSchema(own) ? Object.entries(own).map(([key, inner]): [string, Schema] => [key, isSchema(inner) ? inner : {}]) : [];
  });
}

function values(schema: Schema, root: Schema): string[] {
  return variants(schema, root)
    .flatMap((variant) => (Array.isArray(variant["enum"]) ? (variant["enum"] as unknown[]) : [variant["const"]]))
    .filter((value) => typeof value === "string")
    .slice(0, VALUES)
    .map((value) => cutBytes(value.toWellFormed(), FIELD_BYTES));
}

function describe(schema: Schema): string {
  const text = schema["description"] ?? schema["title"];
  return typeof text === "string" ? cutBytes(text.toWellFormed(), FIELD_BYTES) : "";
}

const NESTING = ["items", "anyOf", "oneOf", "allOf"] as const;

/** The schema itself, what it refers to, the items of an array and every alternative, to a depth. */
function variants(schema: Schema, root: Schema): Schema[] {
  const found = [schema];
  for (let depth = 0, begin = 0; depth < DEPTH && begin < found.length; depth++) {
    const end = found.length;
    for (const outer of found.slice(begin, end)) {
      if (found.length > FIELDS) return found;
      for (const key of NESTING) if (key in outer) found.push(...[outer[key]].flat().filter(isSchema));
      const target = refer(outer["$ref"], root);
      if (target !== undefined) found.push(target);
    }
    begin = end;
  }
  return found;
}

/** What a reference inside the same schema names. */
function refer(reference: unknown, root: Schema): Schema | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const step of reference.slice(2).split("/")) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    target = isSchema(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return isSchema(target) ? target : undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
