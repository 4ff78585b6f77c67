/**
 * What of a conversation belongs to the present task: everything since the last words of the user. Messages are opaque to us: whatever
 * has another shape than the harness's own says nothing, and nothing here throws.
 */
import { HINT_TAG } from "../protocol/functions/hook.js";

/** Functions that gave a result since the user spoke last. */
export interface TaskWindow {
  readonly resultIds: readonly string[];
  /** Texts of all roles, the user's words included, one a message: only those that could name a function. */
  readonly texts: readonly string[];
}

export function taskWindow(messages: readonly unknown[]): TaskWindow {
  const user = lastUserMessage(messages);
  const results = messages.slice(user + 1);
  const spoken = user < 0 ? messages : messages.slice(user);
  return {
    resultIds: results.flatMap((message) => resultId(message) ?? []),
    texts: spoken.flatMap((message) => textOf(message) ?? []).filter((text) => text.includes("::")),
  };
}

/** -1 when there is none. Our own hint, kept by a harness, is not the user speaking. */
function lastUserMessage(messages: readonly unknown[]): number {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (field(message, "role") === "user" && !isHint(textOf(message) ?? "")) return index;
  }
  return -1;
}

function isHint(text: string): boolean {
  return text.startsWith(`<${HINT_TAG} `);
}

function resultId(message: unknown): string | undefined {
  if (field(message, "role") !== "function_result") return undefined;
  const id = field(message, "function_id");
  return typeof id === "string" ? id : undefined;
}

function textOf(message: unknown): string | undefined {
  const content = field(message, "content");
  if (!Array.isArray(content)) return undefined;
  const texts = content
    .filter((block) => field(block, "type") === "text")
    .map((block) => field(block, "text"))
    .filter((text) => typeof text === "string");
  const joined = texts.join("\n");
  return joined === "" ? undefined : joined;
}

function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
}
