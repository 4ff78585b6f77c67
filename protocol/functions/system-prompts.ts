import type { FunctionDefinition } from "./definition.js";

export const SYSTEM_PROMPTS_FUNCTIONS: readonly FunctionDefinition[] = [];
