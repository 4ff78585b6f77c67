/**
 * What of a conversation belongs to the present task: everything since the last words of the user. Messages are opaque to us: whatever
 * has another shape than the harness's own says nothing, and nothing here throws.
 */
import { HINT_TAG } from "../protocol/hint-tag.js";

/** Each once, in the order of their first appearance. */
export interface TaskWindow {
  /** Functions that gave a result since the user spoke last. */
  readonly resultIds: readonly string[];
  /** Blocks of text of all roles, the user's words included: only those that could name a function. */
  readonly texts: readonly string[];
}

/** On the hot path of every generation, over thousands of messages: one pass, and nothing is built that isn't in the answer. */
export function taskWindow(messages: readonly unknown[]): TaskWindow {
  const user = lastUserMessage(messages);
  const resultIds = new Set<string>();
  const texts = new Set<string>();
  for (let index = Math.max(user, 0); index < messages.length; index++) {
    const message = messages[index];
    if (index > user) addResultId(message, resultIds);
    for (const text of textsOf(message)) if (text.includes("::")) texts.add(text);
  }
  return { resultIds: [...resultIds], texts: [...texts] };
}

/** -1 when there is none. Our own hint, kept by a harness, is not the user speaking. */
function lastUserMessage(messages: readonly unknown[]): number {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (field(message, "role") === "user" && !isHint(message)) return index;
  }
  return -1;
}

function isHint(message: unknown): boolean {
  const [first] = textsOf(message);
  return first?.startsWith(`<${HINT_TAG} `) === true;
}

function addResultId(message: unknown, ids: Set<string>): void {
  if (field(message, "role") !== "function_result") return;
  const id = field(message, "function_id");
  if (typeof id === "string") ids.add(id);
}

function* textsOf(message: unknown): Generator<string> {
  const content = field(message, "content");
  if (!Array.isArray(content)) return;
  for (const block of content) {
    const text = field(block, "type") === "text" ? field(block, "text") : undefined;
    if (typeof text === "string") yield text;
  }
}

function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
}
