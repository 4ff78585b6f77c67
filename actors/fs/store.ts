/**
 * The only hand that writes below the content roots. A reader sees the old file or the new one, never half of one, and a staged file
 * has a name that no scan takes for content. Every write tells the watcher what it left behind, so that our own writes stay silent.
 */

import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, chown, link, lstat, mkdir, open, readdir, realpath, rename, rmdir, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { OwnWrite } from "../../protocol/actors/watcher.js";
import { DirectoryError } from "../../protocol/errors.js";
import { type FileFacts, factsOf } from "./file-cache.js";
import { MARKER_FILE } from "./markers.js";

export interface StoreOptions {
  /** Told after each write, before it is answered. */
  readonly tell: (writes: readonly OwnWrite[]) => Promise<void>;
}

/** The target is taken: by a file, or by a link that leads nowhere. */
export class TargetTaken extends Error {
  override readonly name = "TargetTaken";
}

export class Store {
  readonly #options: StoreOptions;
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** Creates a file that doesn't exist yet. Of many at once one succeeds, the others reject with TargetTaken. */
  create(path: string, content: string): Promise<FileFacts> {
    return this.#inTurn(path, async () => {
      if (await exists(path)) throw new TargetTaken(path);
      return this.#publish(path, content, async (staged) => {
        try {
          // A link refuses to replace anything, which a rename would do without a word.
          await link(staged, path);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new TargetTaken(path);
          if (!(await exists(path))) return rename(staged, path);
          throw new TargetTaken(path);
        }
        await unlink(staged);
      });
    });
  }

  /** Replaces a file, or makes one. A link stays a link: the file it leads to is replaced. Mode and owner are kept. */
  replace(path: string, content: string): Promise<FileFacts> {
    return this.#inTurn(path, async () => {
      const target = await realpath(path).catch(() => path);
      const before = await stat(target).catch(() => undefined);
      return this.#publish(target, content, async (staged) => {
        if (before !== undefined) {
          await chmod(staged, before.mode & 0o7777);
          await chown(staged, before.uid, before.gid).catch(() => {});
        }
        await rename(staged, target);
      });
    });
  }

  /** Removes the file, or the link and not what it leads to, and then every folder above that is empty, up to the roots. */
  remove(path: string, roots: readonly string[]): Promise<void> {
    return this.#inTurn(path, async () => {
      const real = join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
      await attempt(`remove ${path}`, () => unlink(path));
      await this.#options.tell([{ path: real }]);
      await prune(dirname(path), roots);
    });
  }

  /** One writer of a path at a time, in the order of the calls. */
  #inTurn<Value>(path: string, write: () => Promise<Value>): Promise<Value> {
    const before = this.#queues.get(path) ?? Promise.resolve();
    const turn = before.then(write, write);
    this.#queues.set(path, turn);
    const leave = (): void => {
      if (this.#queues.get(path) === turn) this.#queues.delete(path);
    };
    turn.then(leave, leave);
    return turn;
  }

  /** Waits for writes that are under way. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#queues.values());
  }

  async #publish(path: string, content: string, place: (staged: string) => Promise<void>): Promise<FileFacts> {
    const staged = join(dirname(path), `.${basename(path)}.${process.pid}.${randomUUID().slice(0, 8)}.tmp`);
    return attempt(`write ${path}`, async () => {
      try {
        await stage(staged, content);
        await place(staged);
      } catch (error) {
        await unlink(staged).catch(() => {});
        throw error;
      }
      await syncFolder(dirname(path));
      const facts = await factsOf(path);
      if (facts === undefined) throw new Error("it was gone right after it was written");
      await this.#options.tell([{ path: await realpath(path).catch(() => path), identity: facts.identity }]);
      return facts;
    });
  }
}

/** A folder can be removed between making it and writing into it: by a delete that found it empty. */
async function stage(staged: string, content: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(dirname(staged), { recursive: true });
      const file = await open(staged, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o644);
      try {
        await file.writeFile(content, "utf8");
        await file.sync();
      } finally {
        await file.close();
      }
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempt === 3) throw error;
    }
  }
}

async function prune(folder: string, roots: readonly string[]): Promise<void> {
  const isBelowRoot = roots.some((root) => folder !== root && folder.startsWith(join(root, "/")));
  if (!isBelowRoot || roots.includes(folder)) return;
  try {
    const names = await readdir(folder);
    // A marker that is all that is left belongs to a download that is all gone.
    if (names.length === 1 && names[0] === MARKER_FILE) await unlink(join(folder, MARKER_FILE));
    await rmdir(folder);
  } catch {
    return;
  }
  await prune(dirname(folder), roots);
}

/** So that the new name survives a power cut too; some file systems can't. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    return;
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function attempt<Value>(what: string, write: () => Promise<Value>): Promise<Value> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof TargetTaken || error instanceof DirectoryError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DirectoryError("internal", `could not ${what}: ${code ?? message}`);
  }
}

/** Whether a folder entry exists under any spelling that the disk takes for the same. */
export async function takenSpelling(path: string): Promise<boolean> {
  const names = await readdir(dirname(path)).catch(() => [] as string[]);
  const wanted = basename(path).toLowerCase();
  if (!names.some((name) => name.toLowerCase() === wanted)) return false;
  return access(path).then(
    () => true,
    () => exists(path),
  );
}
