/** What the worker brings with it: texts that are served until a file of the same name is, and that are never written by themselves. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readAgentProfile } from "../../domain/agent-profile.js";
import { type PromptText, readPrompt } from "../../domain/prompt-text.js";
import type { Agent } from "./agent-library.js";

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

/** In byte order of the ids. */
export function bundledAgents(packageRoot: string): readonly Agent[] {
  return BUNDLED_PROFILES.map((id) => {
    const text = readFileSync(join(packageRoot, "skills", "agents", `${id}.md`), "utf8");
    return { id, profile: readAgentProfile(text), text };
  });
}
