/**
 * Finds the markdown files below a folder. Links are followed, because people share skills by linking them; a link back to where
 * the walk came from is left out, so a loop of links ends.
 */
import type { Dirent, Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { compareBytes } from "../../domain/text.js";

export interface FoundFile {
  /** Below the root, with `/`. */
  readonly relativePath: string;
  readonly path: string;
}

export interface Walk {
  /** Depth first, in byte order of the names. */
  readonly files: readonly FoundFile[];
  readonly faults: readonly { readonly path: string; readonly reason: string }[];
  /** Names of the folders directly below the root. */
  readonly folders: readonly string[];
}

const EXTENSION = ".md";
/** Folders read at the same time; each costs a file descriptor. */
const CONCURRENCY = 16;

interface Folder {
  readonly path: string;
  readonly relativePath: string;
  /** Real paths of the folder and of all it was reached through: to meet one of them again is a loop. */
  readonly chain: readonly string[];
}

/** A folder that doesn't exist or can't be read is empty. */
export async function walkMarkdown(root: string): Promise<Walk> {
  const walk = new MarkdownWalk();
  await walk.run(root);
  walk.files.sort((left, right) => compareBytes(depthFirst(left.relativePath), depthFirst(right.relativePath)));
  return walk;
}

/** A slash sorts before everything that a name can hold, so that a folder's files stand where the folder's name stands. */
function depthFirst(relativePath: string): string {
  return relativePath.replaceAll("/", "\u0000");
}

class MarkdownWalk implements Walk {
  readonly files: FoundFile[] = [];
  readonly faults: { path: string; reason: string }[] = [];
  readonly folders: string[] = [];

  async run(root: string): Promise<void> {
    const real = await realpath(root).catch(() => undefined);
    let level: Folder[] = real === undefined ? [] : [{ path: root, relativePath: "", chain: [real] }];
    while (level.length > 0) {
      const next: Folder[] = [];
      const queue = [...level];
      const read = async (): Promise<void> => {
        for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) next.push(...(await this.#read(folder)));
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, read));
      level = next;
    }
    this.folders.sort(compareBytes);
  }

  async #read({ path, relativePath, chain }: Folder): Promise<Folder[]> {
    let entries: Dirent[];
    try {
      entries = await readdir(path, { withFileTypes: true });
    } catch (error) {
      if (relativePath !== "")
        this.faults.push({ path, reason: `the folder can't be read: ${(error as NodeJS.ErrnoException).code ?? "error"}` });
      return [];
    }
    const found: Folder[] = [];
    for (const entry of entries) {
      const child = {
        path: join(path, entry.name),
        relativePath: relativePath === "" ? entry.name : `${relativePath}/${entry.name}`,
      };
      const kind = await kindOf(entry, child.path);
      if (kind === "folder") {
        const real = entry.isSymbolicLink() ? await realpath(child.path) : join(chain.at(-1) ?? path, entry.name);
        if (chain.includes(real)) continue;
        found.push({ ...child, chain: [...chain, real] });
        if (relativePath === "") this.folders.push(entry.name);
      } else if (kind === "file" && entry.name.endsWith(EXTENSION)) this.files.push(child);
    }
    return found;
  }
}

/** What stands behind a name, links followed; undefined for what is neither, such as a dangling link or a pipe. */
async function kindOf(entry: Dirent, path: string): Promise<"file" | "folder" | undefined> {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  if (!entry.isSymbolicLink()) return undefined;
  try {
    const target: Stats = await stat(path);
    return target.isFile() ? "file" : target.isDirectory() ? "folder" : undefined;
  } catch {
    return undefined;
  }
}
