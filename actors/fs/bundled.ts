/** What the worker brings with it: texts that are served until a file of the same name is, and that are never written by themselves. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type PromptText, readPrompt } from "../../domain/prompt-text.js";

export const BUNDLED_SYSTEM_PROMPTS = ["iii-minimal", "iii-runtime"] as const;
export const BUNDLED_PROFILES = ["iii", "iii-minimal"] as const;

export interface BundledPrompt extends PromptText {
  readonly name: string;
  /** The whole file. */
  readonly text: string;
}

/** In byte order of the names. */
export function bundledSystemPrompts(packageRoot: string): readonly BundledPrompt[] {
  return BUNDLED_SYSTEM_PROMPTS.map((name) => {
    const text = readFileSync(join(packageRoot, "skills", "system-prompts", `${name}.md`), "utf8");
    const prompt = readPrompt(text);
    return { ...prompt, name, body: prompt.body.replace(/^\n+/, ""), text };
  });
}
