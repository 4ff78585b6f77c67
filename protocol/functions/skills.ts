import type { FunctionDefinition } from "./definition.js";

export const SKILLS_FUNCTIONS: readonly FunctionDefinition[] = [];
