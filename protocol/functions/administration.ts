import type { FunctionDefinition } from "./definition.js";

export const ADMINISTRATION_FUNCTIONS: readonly FunctionDefinition[] = [];
