/** Ports on the command line. */
import { UsageError } from "./errors.js";

export const DEFAULT_PORT = "49134";

export function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port takes a number from 0 to 65535, not "${text}"`);
}
