import type { ErrorBody } from "./frames.js";

/** A refusal of the engine itself, as it goes to the caller. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The wire form of whatever a built-in threw. Unexpected errors keep their message: the caller sits on the same machine. */
export function errorBody(error: unknown, fallbackCode: string): ErrorBody {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: fallbackCode, message: error instanceof Error ? error.message : String(error) };
}
