import type { FunctionDefinition } from "./definition.js";

export const AGENTS_FUNCTIONS: readonly FunctionDefinition[] = [];
