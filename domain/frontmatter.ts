/**
 * The block of keys at the head of a markdown file. One parser for every family and every function, so that a file has the same
 * fields wherever it is looked at.
 *
 * Files are written by people and by other tools, so nothing here fails: a block that is not YAML keeps those keys that can still be
 * read line by line, and what was wrong is told as data. Scalars keep their source text (`1.0` stays `1.0`, `yes` stays `yes`).
 */
import {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  type Event,
  getScalarValue,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from "js-yaml";
import { yamlEvents } from "./yaml-events.js";

export interface SplitDocument {
  /** YAML between the fences, without the newline before the closing one; undefined when the file has no block. */
  readonly block: string | undefined;
  /** Everything behind the closing fence, or the whole text without its byte order mark. */
  readonly body: string;
  /** Where the block begins in the text; 0 when there is none. */
  readonly blockStart: number;
}

const BYTE_ORDER_MARK = "\uFEFF";

/** The opening fence is the very first line; the first line that is exactly `---` closes. Both may end in CR LF. */
export function splitFrontmatter(text: string): SplitDocument {
  const start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const none = { block: undefined, body: text.slice(start), blockStart: 0 };
  const opening = /^---\r?\n/.exec(text.slice(start, start + 5));
  if (opening === null) return none;
  const blockStart = start + opening[0].length;
  for (let lineStart = blockStart; lineStart <= text.length; ) {
    const newline = text.indexOf("\n", lineStart);
    const lineEnd = newline < 0 ? text.length : newline;
    if (isFence(text, lineStart, lineEnd)) {
      return {
        block: text.slice(blockStart, Math.max(blockStart, lineStart - 1)),
        body: newline < 0 ? "" : text.slice(newline + 1),
        blockStart,
      };
    }
    if (newline < 0) return none;
    lineStart = newline + 1;
  }
  return none;
}

function isFence(text: string, start: number, end: number): boolean {
  const length = text[end - 1] === "\r" ? end - 1 - start : end - start;
  return length === 3 && text.startsWith("---", start);
}

export interface Scalar {
  readonly kind: "scalar";
  /** As written, quotes and escapes resolved. */
  readonly text: string;
  /** Without quotes and not a block: only such a scalar can be a null or a boolean. */
  readonly plain: boolean;
}

export type FieldValue =
  | Scalar
  | { readonly kind: "list"; readonly items: readonly (Scalar | { readonly kind: "other" })[] }
  | { readonly kind: "other" };

export interface Frontmatter {
  readonly present: boolean;
  readonly fields: ReadonlyMap<string, FieldValue>;
  /** Why the block could not be read as YAML; the fields are then what could be rescued. */
  readonly fault?: FrontmatterFault;
}

export interface FrontmatterFault {
  /** 1-based, counted in the file. */
  readonly line: number;
  readonly reason: string;
}

/** A block of keys with a meaning for us is short; a longer one costs time that others wait for. */
const MAX_BLOCK_CHARACTERS = 256 * 1024;
const NONE: Frontmatter = { present: false, fields: new Map() };

export function parseFrontmatter(block: string | undefined): Frontmatter {
  if (block === undefined) return NONE;
  // In the YAML of a CR LF file the CR is part of the line break, not of a value.
  const yaml = block.replaceAll("\r\n", "\n").replace(/\r$/, "");
  try {
    if (yaml.length > MAX_BLOCK_CHARACTERS) throw new Error("the block is too long to be read");
    return { present: true, fields: topLevel(yaml) };
  } catch (error) {
    return { present: true, fields: rescue(yaml), fault: faultOf(error) };
  }
}

export function readFrontmatter(text: string): Frontmatter & { readonly body: string } {
  const { block, body } = splitFrontmatter(text);
  return { ...parseFrontmatter(block), body };
}

/** The text of a scalar; undefined for null, nothing and everything that is no scalar. Not trimmed. */
export function textField({ fields }: Frontmatter, name: string): string | undefined {
  const value = fields.get(name);
  if (value?.kind !== "scalar") return undefined;
  return value.plain && /^(?:null|Null|NULL|~|)$/.test(value.text) ? undefined : value.text;
}

/** Only a plain `true` counts: `yes`, `1` and a quoted `"true"` are words. */
export function flagField({ fields }: Frontmatter, name: string): boolean {
  const value = fields.get(name);
  return value?.kind === "scalar" && value.plain && /^(?:true|True|TRUE)$/.test(value.text);
}

/** Walks the events of the parser instead of building values: nothing is expanded, so an alias costs nothing. */
function topLevel(yaml: string): Map<string, FieldValue> {
  const events = yamlEvents(yaml);
  const walk = new EventWalk(events, yaml);
  walk.skip(EVENT_DOCUMENT);
  if (walk.peek() === undefined || walk.peek()?.type === EVENT_POP) return new Map();
  if (walk.peek()?.type !== EVENT_MAPPING) throw new Error("the block is not a map of keys");
  const fields = walk.mapping();
  walk.skip(EVENT_POP);
  if (walk.peek() !== undefined) throw new Error("the block holds more than one document");
  return fields;
}

class EventWalk {
  readonly #events: readonly Event[];
  readonly #source: string;
  readonly #anchors = new Map<string, FieldValue>();
  #at = 0;

  constructor(events: readonly Event[], source: string) {
    this.#events = events;
    this.#source = source;
  }

  peek(): Event | undefined {
    return this.#events[this.#at];
  }

  skip(type: Event["type"]): void {
    if (this.peek()?.type === type) this.#at++;
  }

  mapping(): Map<string, FieldValue> {
    const fields = new Map<string, FieldValue>();
    this.#at++;
    while (this.peek() !== undefined && this.peek()?.type !== EVENT_POP) {
      const key = this.#value();
      const value = this.#value();
      if (key.kind !== "scalar") continue;
      if (fields.has(key.text)) throw new Error(`the key ${JSON.stringify(key.text)} stands there twice`);
      fields.set(key.text, value);
    }
    this.#at++;
    return fields;
  }

  #value(): FieldValue {
    const event = this.#events[this.#at];
    if (event === undefined) return { kind: "other" };
    if (event.type === EVENT_SCALAR) return this.#scalar(event);
    if (event.type === EVENT_ALIAS) {
      this.#at++;
      return this.#anchors.get(this.#source.slice(event.anchorStart, event.anchorEnd)) ?? { kind: "other" };
    }
    if (event.type !== EVENT_SEQUENCE) {
      this.#skipCollection();
      return { kind: "other" };
    }
    return this.#list(event);
  }

  #scalar(event: ScalarEvent): Scalar {
    this.#at++;
    const scalar: Scalar = { kind: "scalar", text: getScalarValue(this.#source, event), plain: event.style === SCALAR_STYLE.PLAIN };
    if (event.anchorStart >= 0) this.#anchors.set(this.#source.slice(event.anchorStart, event.anchorEnd), scalar);
    return scalar;
  }

  #list({ anchorStart, anchorEnd }: SequenceEvent): FieldValue {
    const items: (Scalar | { readonly kind: "other" })[] = [];
    this.#at++;
    while (this.peek() !== undefined && this.peek()?.type !== EVENT_POP) {
      const item = this.#value();
      items.push(item.kind === "scalar" ? item : { kind: "other" });
    }
    this.#at++;
    const list: FieldValue = { kind: "list", items };
    if (anchorStart >= 0) this.#anchors.set(this.#source.slice(anchorStart, anchorEnd), list);
    return list;
  }

  /** Over a mapping with all that is in it. */
  #skipCollection(): void {
    let depth = 0;
    do {
      const type = this.#events[this.#at++]?.type;
      if (type === EVENT_MAPPING || type === EVENT_SEQUENCE) depth++;
      else if (type === EVENT_POP) depth--;
      else if (type === undefined) return;
    } while (depth > 0);
  }
}

/** Keys at the beginning of a line with a value on the same line, and lists of words below a key. The first of two counts. */
function rescue(yaml: string): Map<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  let open: { readonly key: string; readonly items: Scalar[] } | undefined;
  for (const line of yaml.split("\n")) {
    const item = /^\s+-\s+(\S.*)$|^-\s+(\S.*)$/.exec(line);
    if (item !== null && open !== undefined) {
      open.items.push(rescuedScalar(item[1] ?? item[2] ?? ""));
      fields.set(open.key, { kind: "list", items: open.items });
      continue;
    }
    const entry = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/.exec(line);
    if (entry === null) continue;
    const [, key = "", value = ""] = entry;
    open = value.trim() === "" ? { key, items: [] } : undefined;
    if (fields.has(key) || /^[|>&*!{[]/.test(value)) continue;
    fields.set(key, rescuedScalar(value));
  }
  return fields;
}

function rescuedScalar(source: string): Scalar {
  const text = source.replace(/[ \t]+#.*$/, "").trim();
  const quoted = /^"([^"]*)"$|^'([^']*)'$/.exec(text);
  return quoted === null
    ? { kind: "scalar", text, plain: true }
    : { kind: "scalar", text: quoted[1] ?? quoted[2] ?? "", plain: false };
}

/** One line. The parser's message shows the file; what it says of the fault is enough. */
function faultOf(error: unknown): FrontmatterFault {
  const { message, reason, mark } = error as { message?: string; reason?: string; mark?: { line?: number } };
  const text = (reason ?? message ?? "not YAML").split("\n")[0] ?? "not YAML";
  return { line: (mark?.line ?? 0) + 2, reason: text };
}
