/** `engine::log::*`: accepted from workers that log through the engine, and dropped. What they log may be confidential. */
import { Type } from "typebox";
import { type BuiltinFunction, defineBuiltin, FUNCTIONS_WORKER } from "./builtin.js";

const LEVELS = ["trace", "debug", "info", "warn", "error"];

export function logFunctions(): BuiltinFunction[] {
  return LEVELS.map((level) =>
    defineBuiltin({
      id: `engine::log::${level}`,
      worker: FUNCTIONS_WORKER,
      description: `Takes a log line of level ${level}. This engine keeps none.`,
      request: Type.Object({}),
      run: () => null,
    }),
  );
}
