/** Every function of the worker, in the order of registration. */
import { ADMINISTRATION_FUNCTIONS } from "./administration.js";
import { AGENTS_FUNCTIONS } from "./agents.js";
import { CONSOLE_FUNCTIONS } from "./console.js";
import type { FunctionDefinition } from "./definition.js";
import { DOWNLOAD_FUNCTIONS } from "./downloads.js";
import { HOOK_FUNCTIONS } from "./hook.js";
import { PROMPTS_FUNCTIONS } from "./prompts.js";
import { REGISTRY_FUNCTIONS } from "./registry.js";
import { SEARCH_FUNCTIONS } from "./search.js";
import { SKILLS_FUNCTIONS } from "./skills.js";
import { SYSTEM_PROMPTS_FUNCTIONS } from "./system-prompts.js";

export const FUNCTIONS: readonly FunctionDefinition[] = [
  ...SKILLS_FUNCTIONS,
  ...SYSTEM_PROMPTS_FUNCTIONS,
  ...PROMPTS_FUNCTIONS,
  ...AGENTS_FUNCTIONS,
  ...DOWNLOAD_FUNCTIONS,
  ...REGISTRY_FUNCTIONS,
  ...SEARCH_FUNCTIONS,
  ...HOOK_FUNCTIONS,
  ...ADMINISTRATION_FUNCTIONS,
  ...CONSOLE_FUNCTIONS,
];
