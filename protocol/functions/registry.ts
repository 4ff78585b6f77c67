import type { FunctionDefinition } from "./definition.js";

export const REGISTRY_FUNCTIONS: readonly FunctionDefinition[] = [];
