/** Files beyond the cap keep their row in a list, because the block at their head can still be read. */
import { open } from "node:fs/promises";
import type { DirectoryError } from "../../protocol/errors.js";
import { MAX_FILE_BYTES, OversizedFile, readText } from "./file-cache.js";

/** Rejection of `readTextOrHead` for a file beyond the cap. */
export class OversizedHead extends Error {
  /** What a read of the whole says. */
  readonly refusal: DirectoryError;
  /** The file's beginning. */
  readonly head: string;

  constructor(refusal: DirectoryError, head: string) {
    super(refusal.message);
    this.refusal = refusal;
    this.head = head;
  }
}

export async function readTextOrHead(path: string): Promise<string> {
  try {
    return await readText(path);
  } catch (error) {
    if (!(error instanceof OversizedFile)) throw error;
    throw new OversizedHead(error, await readHead(path));
  }
}

async function readHead(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_FILE_BYTES), 0, MAX_FILE_BYTES, 0);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
