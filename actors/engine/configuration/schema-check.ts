/** Checks values against the JSON Schema that the owner of a configuration registered. */
import { Ajv, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";

/** What is wrong with a value, in words, or undefined. */
export type Check = (value: unknown) => string | undefined;

const OPTIONS: Options = { strict: false, validateFormats: false, logger: false };

/** One instance a draft, made when the first schema of the draft comes; 2020-12 is the draft of a schema that names none. */
const MAKE = {
  "2020-12": () => new Ajv2020(OPTIONS),
  "2019-09": () => new Ajv2019(OPTIONS),
  "draft-07": () => new Ajv(OPTIONS),
} as const;
type Draft = keyof typeof MAKE;
const made = new Map<Draft, Ajv>();

/** Throws with a message when the schema itself is no good. */
export function compileSchema(schema: unknown): Check {
  if (typeof schema === "boolean") return () => (schema ? undefined : "no value is allowed");
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw new Error("a schema is an object or a boolean");
  // `$schema` may name a draft that is near enough but unknown; `$async` would make the check answer later.
  const { $schema: named, $async: _, ...plain } = schema as Record<string, unknown>;
  const draft = draftOf(named);
  try {
    const isValid = draft.compile(plain);
    return (value) => {
      if (isValid(value)) return undefined;
      const [error] = isValid.errors ?? [];
      return `value${error?.instancePath ?? ""} ${error?.message ?? "doesn't fit"}`;
    };
  } finally {
    // The instance would keep every schema it has seen, and refuse a second one of the same `$id`.
    draft.removeSchema(plain);
  }
}

function draftOf(named: unknown): Ajv {
  const text = typeof named === "string" ? named : "";
  const draft: Draft = /draft-0\d/.test(text) ? "draft-07" : text.includes("2019-09") ? "2019-09" : "2020-12";
  const instance = made.get(draft) ?? MAKE[draft]();
  made.set(draft, instance);
  return instance;
}
