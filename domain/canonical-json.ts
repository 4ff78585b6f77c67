/** Compact JSON with the keys of every object in byte order, so that equal values have equal texts. */
import { compareBytes } from "./text.js";

/** `value` must be JSON data. JSON.stringify can't do this: it puts keys that look like numbers first, whatever their order. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value)
    .sort(([left], [right]) => compareBytes(left, right))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(",")}}`;
}
