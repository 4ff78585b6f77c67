/** How an error looks to callers on the engine: the code stands at the head of the message, and in the wire's `code` where possible. */
import { DirectoryError } from "../protocol/errors.js";

const CATALOGUE = /^D\d+$/;
const HEAD = /^(?:(D\d+) |([a-z_]+): )/;

/** Raised by route handlers. It has no stack, because the SDK would send it, with the paths of this machine. */
export function toWireError(thrown: unknown): Error {
  const error = new Error(wireMessage(thrown));
  // The SDK sends `stack` as it is, and leaves the key out when there is none.
  Object.defineProperty(error, "stack", { value: undefined });
  return error;
}

export function wireMessage(thrown: unknown): string {
  if (!(thrown instanceof DirectoryError)) return `internal: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  return CATALOGUE.test(thrown.code) ? `${thrown.code} ${thrown.message}` : `${thrown.code}: ${thrown.message}`;
}

/** The code in front of a message of ours, for the wire; undefined when it has none. */
export function codeOfMessage(message: string): string | undefined {
  const [, catalogue, runtime] = HEAD.exec(message) ?? [];
  return catalogue ?? runtime;
}
