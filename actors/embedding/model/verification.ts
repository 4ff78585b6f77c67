/**
 * Is what lies on the disk the pinned bundle? By length, which is quick and decides what "complete" means, and by hash before a file is
 * used. A symbolic link is refused wherever it points: what is checked would not have to be what is read later.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { BundleFile, BundleManifest, BundlePart } from "./manifest.js";
import { partsOf } from "./manifest.js";

/** True when every file of every part is a regular file of the right length. */
export async function isComplete(folder: string, manifest: BundleManifest): Promise<boolean> {
  for (const [, part] of partsOf(manifest)) {
    for (const file of part.files) {
      if ((await lengthFault(pathOf(folder, part, file), file)) !== undefined) return false;
    }
  }
  return true;
}

/** The first fault of a part as a readable line, or undefined when every byte is as pinned. */
export async function partFault(folder: string, part: BundlePart): Promise<string | undefined> {
  for (const file of part.files) {
    const fault = await fileFault(pathOf(folder, part, file), file);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The same for one file, by length and hash. */
export async function fileFault(path: string, file: BundleFile): Promise<string | undefined> {
  const fault = await lengthFault(path, file);
  if (fault !== undefined) return fault;
  return (await sha256Of(path)) === file.sha256 ? undefined : `${path} is damaged: its SHA-256 is not the pinned one`;
}

export function pathOf(folder: string, part: BundlePart, file: Pick<BundleFile, "path">): string {
  return join(folder, part.folder, file.path);
}

async function lengthFault(path: string, { bytes }: BundleFile): Promise<string | undefined> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return `${path} is a symbolic link`;
    if (!stats.isFile()) return `${path} is not a regular file`;
    return stats.size === bytes ? undefined : `${path} has ${stats.size} bytes instead of ${bytes}`;
  } catch (error) {
    return `${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}`;
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
