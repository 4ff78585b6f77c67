/** What happens to a capability before anything ranks it. */
import { cutBytes, trimWhiteSpace } from "./text.js";
import { tokenize } from "./tokenizer.js";

/** UTF-8 bytes of a capability that are looked at. */
export const CAPABILITY_BYTES = 2_048;

export function prepareCapability(capability: string): string {
  return cutBytes(trimWhiteSpace(capability), CAPABILITY_BYTES);
}

const SUMMARY_TERMS: ReadonlySet<string> = new Set(["summarize", "summarise", "summary", "summarization"]);
const SUBJECT_TERMS: ReadonlySet<string> = new Set(["provided", "text", "content"]);

/** True for what a model does by itself: summarising text that it was given. Such a capability is no lane. */
export function isIntrinsic(prepared: string): boolean {
  const terms = tokenize(prepared);
  return terms.some((term) => SUMMARY_TERMS.has(term)) && terms.some((term) => SUBJECT_TERMS.has(term));
}
