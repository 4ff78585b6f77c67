/** A configuration entry, and its form in a file: everything but the schema, which the owner brings along each time it starts. */
import { CORE_SCHEMA, dump, load } from "js-yaml";

/** What a file holds. */
export interface StoredEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Unexpanded: placeholders are kept. */
  readonly value: unknown;
  readonly metadata?: unknown;
}

const ID = /^[a-z0-9_-]{1,64}$/;

const MAX_DEPTH = 128;

/** Anchors are used here and there; many of them are a way to make a small file huge. */
const MAX_ALIASES = 10;

export function isEntryId(id: string): boolean {
  return ID.test(id);
}

export function entryToYaml({ id, name, description, value, metadata }: StoredEntry): string {
  return dump({ id, name, description, value, ...(metadata !== undefined && { metadata }) }, { lineWidth: -1, noRefs: true });
}

/** Throws with what is wrong with the file. */
export function entryFromYaml(text: string): StoredEntry {
  const content = load(text, { schema: CORE_SCHEMA, maxAliases: MAX_ALIASES, maxDepth: MAX_DEPTH });
  if (typeof content !== "object" || content === null || Array.isArray(content)) throw new Error("it holds no settings");
  const { id, name, description, value = null, metadata } = content as Record<string, unknown>;
  if (typeof id !== "string" || typeof name !== "string" || typeof description !== "string") {
    throw new Error("it needs id, name and description as texts, and the settings under value");
  }
  if (!isEntryId(id)) throw new Error("its id isn't made of 1 to 64 of a-z, 0-9, _ and -");
  if (!isJson(value) || !isJson(metadata ?? null)) throw new Error("a value in it can't be written as JSON");
  return { id, name, description, value, ...(metadata != null && { metadata }) };
}

function isJson(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value !== "object") return false;
  const prototype = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || prototype === Object.prototype || prototype === null;
  return isPlain && Object.values(value).every((member) => isJson(member, depth + 1));
}
