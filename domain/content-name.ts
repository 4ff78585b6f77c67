/** Names of prompts and ids of agent profiles: one grammar, narrow enough that no path can be expressed in it. */
import { DirectoryError } from "../protocol/errors.js";

const NAME = /^[a-z0-9_-]+$/;
const MAX_NAME_BYTES = 64;

/** What is wrong with a name, in words that follow "it"; undefined when nothing is. */
export function nameFault(name: string): string | undefined {
  if (name === "") return "must be non-empty";
  const bytes = Buffer.byteLength(name);
  if (bytes > MAX_NAME_BYTES) return `is too long: ${bytes} bytes, where ${MAX_NAME_BYTES} are allowed`;
  if (!NAME.test(name)) return "may hold only lowercase letters a to z, digits, _ and -";
  return undefined;
}

/** Before any look at the disk. `what` is the noun, such as `prompt name`. */
export function checkName(what: string, name: string): void {
  const fault = nameFault(name);
  if (fault !== undefined) throw new DirectoryError("invalid_request", `invalid ${what} ${JSON.stringify(name)}: it ${fault}.`);
}
