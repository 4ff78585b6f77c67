import type { FunctionDefinition } from "./definition.js";

export const DOWNLOAD_FUNCTIONS: readonly FunctionDefinition[] = [];
