import type { FunctionDefinition } from "./definition.js";

export const HOOK_FUNCTIONS: readonly FunctionDefinition[] = [];
