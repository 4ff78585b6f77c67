/**
 * The API reference of the contract: id, metadata and JSON Schemas of every function, as the registry publishes them, and the rule by which
 * two schemas count as equal. Structure, names, types, `required` lists, titles and every other keyword must agree; prose needn't.
 *
 * Ways of saying the same are folded: `$ref` is resolved, `allOf` of one is that one, a union with null is a nullable type, a union of
 * constants is an `enum`, `true` is the empty schema, and the order of a list of names means nothing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, sharedFile } from "./shared.js";

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface ReferenceFunction {
  readonly name: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly request_schema: JsonSchema;
  readonly response_schema: JsonSchema;
}

/** A function as it is published by us or by the reference. */
export interface PublishedFunction {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly request: unknown;
  readonly response: unknown;
}

/** By function id. Only inside tests that `needsShared` lets run. */
export function apiReference(): ReadonlyMap<string, ReferenceFunction> {
  const folder = sharedFile("seeds");
  const file = readdirSync(folder).find((name) => name.startsWith("000"));
  if (file === undefined) throw new Error("the seed with the API reference is missing");
  const text = readFileSync(join(folder, file), "utf8");
  const block = /^## api reference\s+```json\n([\s\S]*?)^```/m.exec(text)?.[1];
  if (block === undefined) throw new Error("the seed has no API reference");
  const { functions } = JSON.parse(block) as { functions: ReferenceFunction[] };
  return new Map(functions.map((entry) => [entry.name, entry]));
}

/** One line a difference, in the words that the difference table uses; none when the contract is met. */
export function contractDifferences(ours: PublishedFunction, reference: ReferenceFunction): string[] {
  return [
    ...differences("metadata", ours.metadata ?? {}, reference.metadata),
    ...differences("request", canonical(ours.request), canonical(reference.request_schema)),
    ...differences("response", canonical(ours.response), canonical(reference.response_schema)),
  ];
}

/** Rows of the tables in docs/contract-differences.md: which differences are meant, by function id. */
export function documentedDifferences(): ReadonlyMap<string, readonly string[]> {
  const page = readFileSync(join(ROOT, "docs", "contract-differences.md"), "utf8");
  const rows = new Map<string, string[]>();
  for (const [, id = "", difference = ""] of page.matchAll(/^\| *`([^`]+)` *\| *`([^`]+)` *\|/gm)) {
    rows.set(id, [...(rows.get(id) ?? []), difference]);
  }
  return rows;
}

/** The schema with one spelling for each meaning, and without prose. */
export function canonical(schema: unknown): JsonSchema {
  return fold(schema, definitions(schema));
}

function definitions(root: unknown): JsonSchema {
  const { definitions: draft7, $defs } = (root ?? {}) as JsonSchema;
  return { ...(draft7 as JsonSchema), ...($defs as JsonSchema) };
}

const PROSE = new Set(["description", "$schema", "$id", "definitions", "$defs", "examples", "example"]);

function fold(schema: unknown, defined: JsonSchema): JsonSchema {
  if (schema === true || schema === undefined) return {};
  const { $ref, allOf, anyOf, oneOf, const: constant, ...rest } = schema as JsonSchema;
  if (typeof $ref === "string") return { ...fold(defined[$ref.split("/").at(-1) ?? ""], defined), ...fold(rest, defined) };
  if (Array.isArray(allOf) && allOf.length === 1) return { ...fold(allOf[0], defined), ...fold(rest, defined) };
  const union = anyOf ?? oneOf;
  if (Array.isArray(union)) {
    return {
      ...foldUnion(
        union.map((member) => fold(member, defined)),
        defined,
      ),
      ...fold(rest, defined),
    };
  }
  const folded = Object.entries(rest)
    .filter(([keyword]) => !PROSE.has(keyword))
    .map(([keyword, value]) => [keyword, foldKeyword(keyword, value, defined)] as const)
    .filter(([keyword, value]) => !(keyword === "required" && (value as string[]).length === 0));
  return { ...Object.fromEntries(folded), ...(constant === undefined ? {} : { enum: [constant] }) };
}

function foldKeyword(keyword: string, value: unknown, defined: JsonSchema): unknown {
  if (keyword === "properties") {
    return Object.fromEntries(Object.entries(value as JsonSchema).map(([name, schema]) => [name, fold(schema, defined)]));
  }
  if (keyword === "items" || keyword === "additionalProperties") return value === false ? false : fold(value, defined);
  if (keyword === "required" || keyword === "enum" || keyword === "type") {
    return Array.isArray(value) ? (value.length === 1 && keyword === "type" ? value[0] : [...value].sort()) : value;
  }
  return value;
}

function foldUnion(members: readonly JsonSchema[], defined: JsonSchema): JsonSchema {
  const others = members.filter((member) => member["type"] !== "null");
  const nullable = others.length < members.length;
  const joined: JsonSchema = others.every((member) => Array.isArray(member["enum"]))
    ? fold({ ...others[0], enum: others.flatMap((member) => member["enum"]) }, defined)
    : others.length === 1
      ? (others[0] ?? {})
      : { anyOf: others };
  return nullable ? { ...joined, type: [...[joined["type"] ?? "any"].flat(), "null"].sort() } : joined;
}

/** Where two canonical values differ, each place once. */
function differences(place: string, ours: JsonSchema, theirs: JsonSchema): string[] {
  const found: string[] = [];
  for (const keyword of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const [left, right] = [ours[keyword], theirs[keyword]];
    if (same(left, right)) continue;
    if (keyword === "properties") found.push(...propertyDifferences(place, ours, theirs));
    else if (keyword === "items" && isSchema(left) && isSchema(right)) found.push(...differences(`${place}[]`, left, right));
    else if (keyword === "required") found.push(...requiredDifferences(place, ours, theirs));
    else found.push(`${place}: ${keyword} ${text(left)} for ${text(right)}`);
  }
  return found;
}

function propertyDifferences(place: string, ours: JsonSchema, theirs: JsonSchema): string[] {
  const [left, right] = [(ours["properties"] ?? {}) as JsonSchema, (theirs["properties"] ?? {}) as JsonSchema];
  return [...new Set([...Object.keys(right), ...Object.keys(left)])].flatMap((name) => {
    const path = `${place}.${name}`;
    if (!(name in right)) return [`${path} is ours`];
    if (!(name in left)) return [`${path} is missing`];
    return differences(path, left[name] as JsonSchema, right[name] as JsonSchema);
  });
}

/** Fields that only one side has are named already. */
function requiredDifferences(place: string, ours: JsonSchema, theirs: JsonSchema): string[] {
  const names = (schema: JsonSchema, keyword: string): string[] =>
    keyword === "required" ? ((schema["required"] ?? []) as string[]) : Object.keys((schema["properties"] ?? {}) as JsonSchema);
  const common = names(ours, "properties").filter((name) => names(theirs, "properties").includes(name));
  return common.flatMap((name) => {
    const [left, right] = [names(ours, "required").includes(name), names(theirs, "required").includes(name)];
    return left === right ? [] : [`${place}.${name} is ${left ? "required" : "not required"}`];
  });
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isSchema(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

function text(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
