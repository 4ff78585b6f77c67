/**
 * Edits single keys at the top level of a frontmatter block as text. Whatever isn't the key in question keeps its bytes: comments,
 * quoting, line ends, duplicated keys, and everything in the body.
 */
const OPEN = /^\uFEFF?---[ \t]*(\r?\n)/;

export interface Parts {
  /** Lines between the fences, without their line ends; undefined when there is no block. */
  readonly lines: readonly string[] | undefined;
  readonly newline: string;
  /** Opening fence as it is written. */
  readonly opening: string;
  /** Closing fence as it is written, with its line end. */
  readonly closing: string;
  readonly body: string;
}

export function splitDocument(text: string): Parts {
  const open = OPEN.exec(text);
  const newline = open?.[1] ?? (text.includes("\r\n") ? "\r\n" : "\n");
  const none: Parts = { lines: undefined, newline, opening: "", closing: "", body: text };
  if (open === null) return none;
  const rest = text.slice(open[0].length);
  const close = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (close === null) return none;
  const inner = rest.slice(0, close.index);
  const lines = inner === "" ? [] : inner.replace(/\r?\n$/, "").split(/\r?\n/);
  return { lines, newline, opening: open[0], closing: close[0], body: rest.slice(close.index + close[0].length) };
}

export function joinDocument({ lines, newline, opening, closing, body }: Parts): string {
  if (lines === undefined) return body;
  return `${opening}${lines.map((line) => line + newline).join("")}${closing}${body}`;
}

/** First line and length of a key with everything below it: indented lines, block scalars, list items, blank lines between them. */
function extent(lines: readonly string[], key: string): { readonly from: number; readonly count: number } | undefined {
  const name = key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const from = lines.findIndex((line) => new RegExp(`^(?:${name}|"${name}"|'${name}')[ \\t]*:(?:[ \\t]|$)`).test(line));
  if (from < 0) return undefined;
  let end = from + 1;
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (/^[ \t]+\S/.test(line) || /^-(?:[ \t]|$)/.test(line)) end = at + 1;
    else if (line.trim() !== "") break;
  }
  return { from, count: end - from };
}

/** The value of a key as YAML text, without the key; undefined when the key isn't there. */
function rawValue(lines: readonly string[], key: string): string[] | undefined {
  const found = extent(lines, key);
  if (found === undefined) return undefined;
  const [first = "", ...more] = lines.slice(found.from, found.from + found.count);
  return [first.slice(first.indexOf(":") + 1).trim(), ...more];
}

/** A scalar in any of YAML's spellings; undefined when the key is absent or isn't a scalar. */
export function readScalar(text: string, key: string): string | undefined {
  const value = rawValue(splitDocument(text).lines ?? [], key);
  if (value === undefined) return undefined;
  const [first = "", ...more] = value;
  const block = /^([|>])[+-]?\d?[+-]?(?:\s+#.*)?$/.exec(first);
  if (block !== null) {
    const indent = Math.min(...more.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length));
    const cut = more.map((line) => line.slice(Number.isFinite(indent) ? indent : 0));
    return cut.join(block[1] === "|" ? "\n" : " ").trim();
  }
  return plain([first, ...more.map((line) => line.trim())].join(" ").trim());
}

function plain(value: string): string | undefined {
  const double = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(value);
  if (double !== null) {
    try {
      return JSON.parse(`"${double[1] ?? ""}"`) as string;
    } catch {
      return double[1];
    }
  }
  const single = /^'((?:[^']|'')*)'\s*(?:#.*)?$/.exec(value);
  if (single !== null) return (single[1] ?? "").replaceAll("''", "'");
  if (/^[[{&*!]/.test(value) || /^-(?:\s|$)/.test(value)) return undefined;
  const bare = value.replace(/\s+#.*$/, "").trim();
  return bare === "~" || bare === "null" || bare === "" ? undefined : bare;
}

/** A list of texts, inline or one a line; undefined when the key is absent. */
export function readList(text: string, key: string): string[] | undefined {
  const value = rawValue(splitDocument(text).lines ?? [], key);
  if (value === undefined) return undefined;
  const [first = "", ...more] = value;
  if (first.startsWith("[")) {
    const inner = [first, ...more.map((line) => line.trim())]
      .join(" ")
      .replace(/^\[/, "")
      .replace(/\]\s*(?:#.*)?$/, "");
    return splitInline(inner).flatMap((item) => plain(item) ?? []);
  }
  if (first === "" || first.startsWith("#")) {
    return more.flatMap((line) => (/^\s*-\s+(.*)$/.exec(line) === null ? [] : (plain(line.replace(/^\s*-\s+/, "").trim()) ?? [])));
  }
  const scalar = plain(first);
  return scalar === undefined ? [] : [scalar];
}

function splitInline(inner: string): string[] {
  return [...inner.matchAll(/\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+)\s*(?:,|$)/g)].map((match) => (match[1] ?? "").trim());
}

/** Sets a key to a text, or takes it out with undefined. A block is made when there is none. */
export function setScalar(text: string, key: string, value: string | undefined): string {
  return setLines(text, key, value === undefined ? undefined : [`${key}: ${yamlText(value)}`]);
}

export function setList(text: string, key: string, values: readonly string[]): string {
  return setLines(text, key, values.length === 0 ? undefined : [`${key}:`, ...values.map((value) => `  - ${yamlText(value)}`)]);
}

/** A bare `true`, or nothing. */
export function setFlag(text: string, key: string, value: boolean): string {
  return setLines(text, key, value ? [`${key}: true`] : undefined);
}

function setLines(text: string, key: string, replacement: readonly string[] | undefined): string {
  const parts = splitDocument(text);
  if (parts.lines === undefined) {
    if (replacement === undefined) return text;
    const { newline } = parts;
    return joinDocument({ ...parts, lines: replacement, opening: `---${newline}`, closing: `---${newline}` });
  }
  const found = extent(parts.lines, key);
  if (found === undefined && replacement === undefined) return text;
  const lines = [...parts.lines];
  lines.splice(found?.from ?? lines.length, found?.count ?? 0, ...(replacement ?? []));
  return joinDocument({ ...parts, lines });
}

/** Bare where YAML reads it back as the same text, quoted else. */
function yamlText(value: string): string {
  const isBare =
    /^[A-Za-z0-9_/][A-Za-z0-9_ ./()-]*$/.test(value) &&
    !/^\s|\s$|^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value) &&
    !/^[\d.+-]/.test(value);
  return isBare ? value : JSON.stringify(value);
}
