/**
 * `${NAME}` and `${NAME:default}` in the strings of a value, read from the environment of the engine. A string that is nothing but one
 * placeholder takes the type that its text has in YAML: `"${PORT:3111}"` becomes the number 3111.
 */
import { CORE_SCHEMA, load } from "js-yaml";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Expansion {
  readonly value: unknown;
  /** Variables that are not set and have no default; their placeholders stay in the value. */
  readonly missing: readonly string[];
}

const PLACEHOLDER = /\$\{([^}:]+)(?::([^}]*))?\}/g;
const ONLY_A_PLACEHOLDER = /^\s*\$\{[^}:]+(?::[^}]*)?\}\s*$/;

export function expand(value: unknown, environment: Environment): Expansion {
  const missing: string[] = [];
  return { value: expandInside(value, environment, missing), missing };
}

function expandInside(value: unknown, environment: Environment, missing: string[]): unknown {
  if (typeof value === "string") return expandText(value, environment, missing);
  if (Array.isArray(value)) return value.map((member) => expandInside(member, environment, missing));
  if (typeof value !== "object" || value === null) return value;
  // fromEntries defines properties instead of assigning them, so a key like `__proto__` stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expandInside(member, environment, missing)]));
}

function expandText(text: string, environment: Environment, missing: string[]): unknown {
  if (!text.includes("${")) return text;
  const before = missing.length;
  const expanded = text.replace(PLACEHOLDER, (placeholder, name: string, fallback: string | undefined) => {
    const found = environment[name] ?? fallback;
    if (found === undefined) missing.push(name);
    return found ?? placeholder;
  });
  return ONLY_A_PLACEHOLDER.test(text) && missing.length === before ? scalar(expanded.trim()) : expanded;
}

/** Numbers, booleans and null are read as such; everything else stays the text it is. */
function scalar(text: string): unknown {
  if (text === "") return "";
  let value: unknown;
  try {
    value = load(text, { schema: CORE_SCHEMA, maxAliases: 0 });
  } catch {
    return text;
  }
  if (typeof value === "boolean" || value === null) return value;
  // A number that doesn't survive as one (too large, not finite) keeps its digits.
  return typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : text;
}
