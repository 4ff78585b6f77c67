/**
 * What files say, without reading them again. Every look takes the file's inode, size and times from the disk first: an entry counts
 * only while all of them are what they were when the file was read, in this very call and never by hearsay.
 */
import { type BigIntStats, constants, stat as statCallback } from "node:fs";
import { open } from "node:fs/promises";
import { DirectoryError } from "../../protocol/errors.js";

const NON_BLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The largest file that is content: 256 KiB, frontmatter included. */
export const MAX_FILE_BYTES = 262_144;

export interface FileFacts {
  readonly bytes: number;
  /** RFC 3339 in UTC, with as many digits as the file system gives. */
  readonly modifiedAt: string;
  /** Changes whenever the file does. */
  readonly identity: string;
}

interface Kept<Parsed> {
  readonly identity: string;
  readonly parsed: Parsed;
}

export class FileCache<Parsed> {
  readonly #parse: (path: string, text: string | Error) => Parsed;
  readonly #read: (path: string) => Promise<string>;
  readonly #kept = new Map<string, Kept<Parsed>>();

  /** `parse` gets the error of a file that can't be read, and makes of it what the family shows for such a file. */
  constructor(parse: (path: string, text: string | Error) => Parsed, read = readText) {
    this.#parse = parse;
    this.#read = read;
  }

  /** Undefined facts when the file is gone. */
  async look(path: string): Promise<{ readonly facts: FileFacts | undefined; readonly parsed: Parsed }> {
    const facts = await factsOf(path);
    const kept = this.#kept.get(path);
    if (facts !== undefined && kept?.identity === facts.identity) return { facts, parsed: kept.parsed };
    const parsed = this.#parse(path, await this.#read(path).catch((error: Error) => error));
    if (facts === undefined) this.#kept.delete(path);
    else this.#kept.set(path, { identity: facts.identity, parsed });
    return { facts, parsed };
  }

  /** Forgets files that no scan finds any more. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#kept.keys()) if (!paths.has(path)) this.#kept.delete(path);
  }
}

/** By callback: a promise for each of ten thousand files would cost more than the call. */
export function factsOf(path: string): Promise<FileFacts | undefined> {
  return new Promise((resolve) => {
    statCallback(path, { bigint: true }, (error, stats) => resolve(error === null ? factsOfStats(stats) : undefined));
  });
}

export function factsOfStats(stats: BigIntStats): FileFacts {
  const { ino, size, mtimeNs, ctimeNs } = stats;
  return { bytes: Number(size), modifiedAt: rfc3339(mtimeNs), identity: `${ino}:${size}:${mtimeNs}:${ctimeNs}` };
}

/** The text of a content file. Rejects with a plain sentence for one that is too large, not UTF-8, gone, or no regular file. */
export async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DirectoryError("invalid_request", `${path} can't be read: it is not UTF-8 text`);
  }
}

async function readBytes(path: string): Promise<Buffer> {
  let file: Awaited<ReturnType<typeof open>> | undefined;
  try {
    // Without waiting for a writer: a pipe of the right name must not hold up a list.
    file = await open(path, NON_BLOCKING);
    const stats = await file.stat();
    if (!stats.isFile()) throw new DirectoryError("invalid_request", `${path} can't be read: it is no regular file`);
    if (stats.size > MAX_FILE_BYTES) throw new OversizedFile(path);
    const bytes = await file.readFile();
    if (bytes.length > MAX_FILE_BYTES) throw new OversizedFile(path);
    return bytes;
  } catch (error) {
    if (error instanceof DirectoryError) throw error;
    throw new DirectoryError(
      "invalid_request",
      `read of ${path} failed: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
    );
  } finally {
    await file?.close();
  }
}

/** A file beyond the cap: whatever its first part says, it is not served. */
export class OversizedFile extends DirectoryError {
  constructor(path: string) {
    super("invalid_request", `${path} is too large: a file has at most ${MAX_FILE_BYTES} bytes`);
  }
}

const NANOSECONDS = 1_000_000_000n;

/** `2026-01-02T03:04:05.123456+00:00`: fractions in groups of three digits, none when they are zero. */
function rfc3339(nanoseconds: bigint): string {
  const fraction = ((nanoseconds % NANOSECONDS) + NANOSECONDS) % NANOSECONDS;
  const seconds = new Date(Number((nanoseconds - fraction) / 1_000_000n)).toISOString().slice(0, 19);
  const digits = fraction
    .toString()
    .padStart(9, "0")
    .replace(/(?:000)+$/, "");
  return `${seconds}${digits === "" ? "" : `.${digits}`}+00:00`;
}
