/** Writes texts into YAML so that every reader takes them for what they are. */

/** What YAML allows only as an escape, and JSON writes as it is. */
const NOT_PRINTABLE = /[\u007F-\u009F\uFEFF\uFFFE\uFFFF]/g;

/** On one line, in double quotes: a JSON string is one in YAML too, but for some characters. */
export function quotedText(text: string): string {
  return asYaml(JSON.stringify(text));
}

/** Any JSON value as a flow value of YAML. */
export function flowValue(value: unknown): string {
  return asYaml(JSON.stringify(value));
}

function asYaml(json: string): string {
  return json.replace(NOT_PRINTABLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
