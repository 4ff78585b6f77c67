import type { FunctionDefinition } from "./definition.js";

export const PROMPTS_FUNCTIONS: readonly FunctionDefinition[] = [];
