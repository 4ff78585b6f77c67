/** A file that a command sends as it is. */
import { readFileSync } from "node:fs";
import { CommandError } from "./errors.js";

const STANDARD_INPUT = 0;

/** `-` reads standard input. */
export function contentOf(path: string): string {
  try {
    const bytes = readFileSync(path === "-" ? STANDARD_INPUT : path);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") throw new CommandError(`${path} is not UTF-8 text`);
    throw new CommandError(code === "ENOENT" ? `There is no file ${path}` : `${path} can't be read: ${code ?? String(error)}`);
  }
}
