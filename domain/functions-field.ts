/**
 * Rewrites the `functions` list in the frontmatter of a profile and nothing else: every byte outside the field stays, and inside a block
 * list the lines of entries that remain stay too. Places are taken from the parser, never guessed from the look of a line, and the result
 * is parsed again before anybody gets it.
 */
import {
  COLLECTION_STYLE,
  EVENT_ALIAS,
  EVENT_MAPPING,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  type Event,
  getScalarValue,
  SCALAR_STYLE,
} from "js-yaml";
import { splitFrontmatter } from "./frontmatter.js";
import { InvalidContent, listOf, requireFrontmatter } from "./strict-fields.js";
import { trimWhiteSpace } from "./text.js";
import { yamlEvents } from "./yaml-events.js";
import { quotedText } from "./yaml-text.js";

/** The field can't be changed without touching something else. The message is a sentence without a full stop. */
export class RewriteRefused extends Error {
  override readonly name = "RewriteRefused";
}

const KEY = "functions";

/** Offsets in the YAML of the block; whole lines. */
interface Range {
  readonly start: number;
  readonly end: number;
}

interface ItemLine extends Range {
  readonly id: string;
}

interface Field extends Range {
  /** Of a block list with one entry a line; undefined for every other form. */
  readonly items: readonly ItemLine[] | undefined;
}

interface Pair {
  readonly key: string;
  readonly events: readonly Event[];
}

/** The lines of the field as they are; undefined when there is none. */
export function functionsSource(text: string): string | undefined {
  const { yaml } = blockOf(text);
  const field = fieldOf(yaml);
  return field === undefined ? undefined : yaml.slice(field.start, field.end);
}

/** `source`: lines of the field that say the same as `next`, to be used as they are. */
export function rewriteFunctions(text: string, next: readonly string[], source?: string): string {
  const { yaml, start } = blockOf(text);
  const field = fieldOf(yaml);
  const { from, to, lines } = replacement(yaml, field, next, source);
  const rewritten = text.slice(0, start + from) + lines + text.slice(start + to);
  verify(text, rewritten, next);
  return rewritten;
}

function replacement(yaml: string, field: Field | undefined, next: readonly string[], source: string | undefined) {
  if (field === undefined) return { from: yaml.length, to: yaml.length, lines: rendered(next, lineBreakBefore(yaml, yaml.length)) };
  const { start: from, end: to } = field;
  const lineBreak = lineBreakBefore(yaml, yaml.indexOf("\n", from) + 1);
  const lines = source ?? edited(yaml, field, next, lineBreak) ?? rendered(next, lineBreak);
  return { from, to, lines };
}

function rendered(ids: readonly string[], lineBreak: string): string {
  return ids.length === 0 ? "" : [`${KEY}:`, ...ids.map((id) => `  - ${scalarFor(id)}`)].map((line) => line + lineBreak).join("");
}

/** Entries that go lose their line, new ones get one behind the last; undefined when the field has another form. */
function edited(yaml: string, { start, end, items }: Field, next: readonly string[], lineBreak: string): string | undefined {
  if (items === undefined || next.length === 0) return undefined;
  const kept = items.filter(({ id }) => next.includes(id));
  const keptIds = [...new Set(kept.map(({ id }) => id))];
  const [first, last] = [kept[0], items.at(-1)];
  if (first === undefined || last === undefined || keptIds.some((id, index) => id !== next[index])) return undefined;
  const indent = /^ */.exec(yaml.slice(first.start, first.end))?.[0] ?? "";
  const parts: string[] = [];
  let at = start;
  for (const item of items) {
    parts.push(yaml.slice(at, next.includes(item.id) ? item.end : item.start));
    at = item.end;
  }
  parts.push(...next.slice(keptIds.length).map((id) => `${indent}- ${scalarFor(id)}${lineBreak}`), yaml.slice(last.end, end));
  return parts.join("");
}

const BARE = /^[A-Za-z0-9_][A-Za-z0-9_\-./:]*$/;
/** What some reader of YAML takes for something else than a text. */
const NOT_A_TEXT = /^(?:null|true|false|yes|no|on|off|y|n|[0-9][0-9a-fxo_.:+e-]*)$/i;

function scalarFor(id: string): string {
  if (BARE.test(id) && !id.endsWith(":") && !NOT_A_TEXT.test(id)) return id;
  return quotedText(id);
}

/** The block with the line break before its closing fence. */
function blockOf(text: string): { readonly yaml: string; readonly start: number } {
  requireFrontmatter(text);
  const { block = "", blockStart } = splitFrontmatter(text);
  return { yaml: text.slice(blockStart, blockStart + block.length + 1), start: blockStart };
}

function lineBreakBefore(yaml: string, offset: number): string {
  return yaml.slice(0, offset).endsWith("\r\n") ? "\r\n" : "\n";
}

function fieldOf(yaml: string): Field | undefined {
  const events = eventsOf(yaml);
  const root = events.find(({ type }) => type === EVENT_MAPPING);
  if (root?.type !== EVENT_MAPPING || root.style !== COLLECTION_STYLE.BLOCK || !startsLine(yaml, root.start)) {
    throw new RewriteRefused(
      "the frontmatter is not a plain map of keys that begin their lines, so the list can't be rewritten by itself",
    );
  }
  const pair = pairsOf(yaml, events).find(({ key }) => key === KEY);
  const [key, value] = pair?.events ?? [];
  if (pair === undefined || key === undefined || value === undefined) return undefined;
  const start = lineStart(yaml, tokenStart(key));
  if (!/^["']?functions["']?[ \t]*:/.test(yaml.slice(start))) {
    throw new RewriteRefused("the key `functions` is written in a form that can't be rewritten by itself");
  }
  refuseShared(yaml, events, pair);
  const end = lineEnd(yaml, valueEnd(yaml, key, pair.events.slice(1)));
  return { start, end, items: itemLines(yaml, pair.events.slice(1)) };
}

/** A value that is used elsewhere by its anchor would be missed there. */
function refuseShared(yaml: string, events: readonly Event[], pair: Pair): void {
  const anchors = pair.events.flatMap((event) =>
    "anchorStart" in event && event.type !== EVENT_ALIAS ? [nameOf(yaml, event)] : [],
  );
  const isUsed = events.some(
    (event) => event.type === EVENT_ALIAS && !pair.events.includes(event) && anchors.includes(nameOf(yaml, event)),
  );
  if (isUsed)
    throw new RewriteRefused(
      "the list of functions is used elsewhere in the frontmatter by its anchor; take the anchor away first",
    );
}

function nameOf(yaml: string, { anchorStart, anchorEnd }: { readonly anchorStart: number; readonly anchorEnd: number }): string {
  return anchorStart < 0 ? "" : yaml.slice(anchorStart, anchorEnd);
}

function itemLines(yaml: string, [list, ...items]: readonly Event[]): readonly ItemLine[] | undefined {
  if (list?.type !== EVENT_SEQUENCE || list.style !== COLLECTION_STYLE.BLOCK) return undefined;
  const lines: ItemLine[] = [];
  for (const item of items.slice(0, -1)) {
    if (item.type !== EVENT_SCALAR) return undefined;
    const [from, to] = [tokenStart(item), tokenEnd(item)];
    const [start, end] = [lineStart(yaml, from), lineEnd(yaml, to)];
    const isAlone = /^ *-[ \t]+$/.test(yaml.slice(start, from)) && !yaml.slice(start, to).includes("\n");
    if (!isAlone || item.style === SCALAR_STYLE.LITERAL_BLOCK || item.style === SCALAR_STYLE.FOLDED_BLOCK) return undefined;
    lines.push({ id: trimWhiteSpace(getScalarValue(yaml, item)), start, end });
  }
  return lines;
}

/** Behind the last character of the value; behind the key where there is none. */
function valueEnd(yaml: string, key: Event, [value, ...inner]: readonly Event[]): number {
  if (value?.type !== EVENT_SEQUENCE) return Math.max(tokenEnd(key), value === undefined ? 0 : tokenEnd(value));
  const end = Math.max(value.start, ...inner.map(tokenEnd));
  return value.style === COLLECTION_STYLE.FLOW ? closingBracket(yaml, end) : end;
}

/** Between the last entry and the bracket there are only commas, white space and comments. */
function closingBracket(yaml: string, from: number): number {
  for (let at = from; at < yaml.length; at++) {
    if (yaml[at] === "]") return at + 1;
    if (yaml[at] === "#") at = yaml.indexOf("\n", at);
  }
  return yaml.length;
}

function tokenStart(event: Event): number {
  if (event.type === EVENT_ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_SCALAR) return 0;
  const quote = isQuoted(event.style) ? 1 : 0;
  const starts = [event.valueStart - quote, event.anchorStart - 1, event.tagStart].filter((start) => start >= 0);
  return Math.min(...starts);
}

function tokenEnd(event: Event): number {
  if (event.type === EVENT_ALIAS) return event.anchorEnd;
  if (event.type !== EVENT_SCALAR) return 0;
  const end = event.valueEnd < 0 ? 0 : event.valueEnd + (isQuoted(event.style) ? 1 : 0);
  return Math.max(end, event.anchorEnd, event.tagEnd);
}

function isQuoted(style: number): boolean {
  return style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
}

function startsLine(yaml: string, offset: number): boolean {
  return lineStart(yaml, offset) === offset;
}

function lineStart(yaml: string, offset: number): number {
  return yaml.lastIndexOf("\n", offset - 1) + 1;
}

/** Of the line that holds the character before `offset`. */
function lineEnd(yaml: string, offset: number): number {
  const newline = yaml.indexOf("\n", Math.max(0, offset - 1));
  return newline < 0 ? yaml.length : newline + 1;
}

function eventsOf(yaml: string): readonly Event[] {
  try {
    return yamlEvents(yaml);
  } catch {
    throw new InvalidContent("the frontmatter is not valid YAML");
  }
}

/** Keys and values of the topmost map, with all the events of each. */
function pairsOf(yaml: string, events: readonly Event[]): Pair[] {
  const pairs: Pair[] = [];
  let at = events.findIndex(({ type }) => type === EVENT_MAPPING) + 1;
  const node = (): Event[] => {
    const taken: Event[] = [];
    let depth = 0;
    do {
      const event = events[at++];
      if (event === undefined) break;
      taken.push(event);
      if (event.type === EVENT_MAPPING || event.type === EVENT_SEQUENCE) depth++;
      else if (event.type !== EVENT_SCALAR && event.type !== EVENT_ALIAS) depth--;
    } while (depth > 0);
    return taken;
  };
  while (at < events.length && isNode(events[at])) {
    const key = node();
    const name = key[0]?.type === EVENT_SCALAR ? getScalarValue(yaml, key[0]) : "";
    pairs.push({ key: name, events: [...key, ...node()] });
  }
  return pairs;
}

function isNode(event: Event | undefined): boolean {
  return event !== undefined && [EVENT_MAPPING, EVENT_SEQUENCE, EVENT_SCALAR, EVENT_ALIAS].some((type) => type === event.type);
}

function verify(before: string, after: string, next: readonly string[]): void {
  if (!saysOnly(before, after, next)) {
    throw new RewriteRefused("the list of functions can't be rewritten without changing something beside it");
  }
}

function saysOnly(before: string, after: string, next: readonly string[]): boolean {
  try {
    const list = listOf(requireFrontmatter(after).frontmatter, KEY).map(trimWhiteSpace);
    const isMeant = JSON.stringify([...new Set(list)]) === JSON.stringify(next);
    return isMeant && splitFrontmatter(before).body === splitFrontmatter(after).body && meaningOf(before) === meaningOf(after);
  } catch (error) {
    if (error instanceof InvalidContent) return false;
    throw error;
  }
}

/** Of every key but ours, whatever its form. */
function meaningOf(text: string): string {
  const { yaml } = blockOf(text);
  const others = pairsOf(yaml, eventsOf(yaml)).filter(({ key }) => key !== KEY);
  return JSON.stringify(
    others.map(({ events }) =>
      events.map((event) => {
        if (event.type === EVENT_SCALAR) return [event.type, event.style, nameOf(yaml, event), getScalarValue(yaml, event)];
        return "anchorStart" in event ? [event.type, nameOf(yaml, event)] : [event.type];
      }),
    ),
  );
}
