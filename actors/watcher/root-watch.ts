/**
 * One root under watch. chokidar names paths at which something may have happened; whether anything did is for the caller to look. Its
 * blind spots are covered by a look at a few identities now and then: the root itself, which chokidar forgets once it is removed, and
 * linked files, whose targets can be replaced elsewhere.
 */
import { realpathSync, type Stats, statSync } from "node:fs";
import { lstat, mkdir, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { isContentFile, type WatchedRoot } from "./families.js";

export interface RootWatchOptions {
  readonly root: WatchedRoot;
  /** A path that may have changed, appeared or gone. */
  readonly onPath: (path: string) => void;
  /** A file that was there when the watch began. */
  readonly onFound: (path: string) => void;
  /** The state of the watch has changed; a reason when it doesn't work. */
  readonly onState: (watched: boolean, reason?: string) => void;
  readonly lookEveryMs: number;
  readonly firstRetryMs: number;
  /** Replaces chokidar in tests of its failures. */
  readonly watch?: typeof watch;
}

const LONGEST_RETRY_MS = 300_000;
const LIMITS = new Set(["ENOSPC", "EMFILE", "ENFILE"]);

export class RootWatch {
  readonly #options: RootWatchOptions;
  readonly #files = new Set<string>();
  readonly #links = new Map<string, string | undefined>();
  #watcher: FSWatcher | undefined;
  #identity: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryMs: number;
  #looking = false;
  #stopped = false;

  constructor(options: RootWatchOptions) {
    this.#options = options;
    this.#retryMs = options.firstRetryMs;
  }

  /** Settles when what was there before is known, or when the watch has failed: then it is tried again later. */
  async start(): Promise<void> {
    const { root } = this.#options;
    if (root.create) await mkdir(root.path, { recursive: true }).catch(() => {});
    this.#identity = await identityOf(root.path);
    this.#timer ??= setInterval(() => void this.#look(), this.#options.lookEveryMs);
    if (this.#identity === undefined) return this.#options.onState(false, "there is no such folder");
    await this.#arm();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    await this.#watcher?.close();
  }

  async #arm(): Promise<void> {
    await this.#watcher?.close();
    if (this.#stopped) return;
    const before = new Set(this.#files);
    this.#files.clear();
    this.#links.clear();
    const start = this.#options.watch ?? watch;
    const watcher = start(this.#options.root.path, {
      ignoreInitial: false,
      ignorePermissionErrors: true,
      ignored: isUninteresting,
      atomic: false,
    });
    this.#watcher = watcher;
    await new Promise<void>((resolve) => {
      let ready = false;
      const failed = (error: unknown): void => {
        this.#failed(watcher, error);
        resolve();
      };
      watcher.on("error", failed);
      watcher.on("add", (path) => {
        this.#files.add(path);
        void this.#keepLink(path);
        // Found again after the root was swapped: whether it is new shows in its identity.
        if (ready || before.size > 0) this.#options.onPath(path);
        else this.#options.onFound(path);
      });
      watcher.on("change", (path) => this.#options.onPath(path));
      watcher.on("unlink", (path) => {
        this.#files.delete(path);
        this.#links.delete(path);
        this.#options.onPath(path);
      });
      // chokidar compares modification times and drops an edit that restores them; the system's own event names the file all the same.
      watcher.on("raw", (_event, name, details) => this.#raw(name, details));
      watcher.on("ready", () => {
        ready = true;
        this.#retryMs = this.#options.firstRetryMs;
        this.#options.onState(true);
        for (const path of before) if (!this.#files.has(path)) this.#options.onPath(path);
        resolve();
      });
    });
  }

  #raw(name: unknown, details: unknown): void {
    const watched = (details as { watchedPath?: unknown } | null)?.watchedPath;
    if (typeof watched !== "string") return;
    const path = isContentFile(watched) ? watched : typeof name === "string" ? join(watched, name) : "";
    if (isContentFile(path) && this.#files.has(path)) this.#options.onPath(path);
  }

  #failed(watcher: FSWatcher, error: unknown): void {
    const { code = "", message = String(error) } = error as NodeJS.ErrnoException;
    // A folder that went away while it was read, or a loop of links: nothing that the next event doesn't tell.
    if (["ENOENT", "ELOOP", "ENOTDIR", "EACCES", "EPERM"].includes(code)) return;
    if (this.#watcher !== watcher || this.#stopped) return;
    const reason = LIMITS.has(code)
      ? `${code}: the system's limit of watches or open files is reached (fs.inotify.max_user_watches)`
      : message;
    this.#options.onState(false, reason);
    this.#watcher = undefined;
    void watcher.close();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#arm(), this.#retryMs);
    this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
  }

  async #keepLink(path: string): Promise<void> {
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSymbolicLink()) this.#links.set(path, await identityOf(path));
  }

  async #look(): Promise<void> {
    if (this.#looking || this.#stopped) return;
    this.#looking = true;
    try {
      const identity = await identityOf(this.#options.root.path);
      if (identity !== this.#identity) await this.#rootSwapped(identity);
      for (const [path, before] of this.#links) {
        const now = await identityOf(path);
        if (now === before) continue;
        this.#links.set(path, now);
        this.#options.onPath(path);
      }
    } finally {
      this.#looking = false;
    }
  }

  async #rootSwapped(identity: string | undefined): Promise<void> {
    this.#identity = identity;
    if (identity !== undefined) return this.#arm();
    const files = [...this.#files];
    await this.#watcher?.close();
    this.#watcher = undefined;
    for (const path of files) this.#options.onPath(path);
    this.#options.onState(false, "there is no such folder");
  }
}

/** Of a folder without the times that change with its content; its number alone can be that of one that was removed a moment ago. */
async function identityOf(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  if (stats === undefined) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs, birthtimeNs } = stats;
  return stats.isDirectory() ? `${dev}:${ino}:${birthtimeNs}` : `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Assets beside the markdown may be many, and a link back to where it came from never ends. */
function isUninteresting(path: string, stats?: Stats): boolean {
  if (stats === undefined) return false;
  const meant = stats.isSymbolicLink() ? (targetOf(path) ?? stats) : stats;
  if (meant.isDirectory()) return isLoop(path);
  // A link that leads nowhere may lead somewhere later.
  return !(meant.isFile() || meant.isSymbolicLink()) || !isContentFile(path);
}

/** Undefined where a link leads nowhere, or round in a circle. */
function targetOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function isLoop(path: string): boolean {
  try {
    const real = realpathSync(path);
    const parent = realpathSync(dirname(path));
    return parent === real || parent.startsWith(real + sep);
  } catch {
    return false;
  }
}
