/** Where entries outlive the engine: one YAML file each. Other programs may edit them; the folder is watched. */
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import writeFileAtomic from "write-file-atomic";
import type { Logger } from "../../../border/log.js";
import { entryFromYaml, entryToYaml, type StoredEntry } from "./entry.js";

const EXTENSION = ".yaml";

/** Bytes of a file, and of a value. */
export const MAX_ENTRY_BYTES = 1024 * 1024;

/** Editors write in several steps; milliseconds of quiet before the folder is read again. */
const QUIET_MS = 500;

/** Values may hold credentials. A file that exists keeps the mode it has. */
const NEW_FILE_MODE = 0o600;

export interface FolderContent {
  readonly entries: ReadonlyMap<string, StoredEntry>;
  /** Names, without extension, of files that are there but can't be read as an entry, such as one that is being written. */
  readonly broken: ReadonlySet<string>;
  /** The file of each entry, without extension. It is the id unless a person named the file. */
  readonly files: ReadonlyMap<string, string>;
}

export class ConfigurationFolder {
  readonly #directory: string;
  readonly #log: Logger;
  /** What was already complained about, by file: the same fault is logged once. */
  readonly #complaints = new Map<string, string>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(directory: string, log: Logger) {
    this.#directory = directory;
    this.#log = log;
  }

  /** Creates the folder when it is missing. */
  async create(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
  }

  /** Throws when the folder is missing or can't be read: that doesn't mean that its entries are gone. */
  async read(): Promise<FolderContent> {
    const names = (await readdir(this.#directory))
      .filter((file) => file.endsWith(EXTENSION) && !file.startsWith("."))
      .map((file) => file.slice(0, -EXTENSION.length))
      .sort();
    const entries = new Map<string, StoredEntry>();
    const files = new Map<string, string>();
    const broken = new Set<string>();
    for (const name of names) {
      const entry = await this.#readEntry(name);
      if (entry === undefined) {
        broken.add(name);
      } else if (entries.has(entry.id) && name !== entry.id) {
        this.#complain(name, `a second file of ${entry.id} is ignored`);
      } else {
        entries.set(entry.id, entry);
        files.set(entry.id, name);
      }
    }
    return { entries, broken, files };
  }

  /** All or nothing: a reader sees the old file or the new one. */
  async write(entry: StoredEntry): Promise<void> {
    const path = join(this.#directory, entry.id + EXTENSION);
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    await this.create();
    await writeFileAtomic(path, entryToYaml(entry), isThere ? {} : { mode: NEW_FILE_MODE });
  }

  /** Calls back when files changed and then stayed as they are for a while; for our own writes too. Resolves when it is watching. */
  watch(changed: () => void): Promise<void> {
    const watcher = watch(this.#directory, { depth: 0, ignoreInitial: true });
    this.#watcher = watcher;
    watcher.on("all", (_event, path) => {
      if (!path.endsWith(EXTENSION)) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(changed, QUIET_MS).unref();
    });
    watcher.on("error", (err) =>
      this.#log.warn({ err }, "the configuration folder can't be watched; edits are seen after a restart"),
    );
    return new Promise((resolve) => watcher.once("ready", () => resolve()));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#watcher?.close();
  }

  async #readEntry(name: string): Promise<StoredEntry | undefined> {
    const path = join(this.#directory, name + EXTENSION);
    try {
      const { size } = await stat(path);
      if (size > MAX_ENTRY_BYTES) throw new Error(`it is larger than ${MAX_ENTRY_BYTES} bytes`);
      const entry = entryFromYaml(await readFile(path, "utf8"));
      this.#complaints.delete(name);
      return entry;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      this.#complain(name, firstLine(error));
      return undefined;
    }
  }

  #complain(name: string, what: string): void {
    if (this.#complaints.get(name) === what) return;
    this.#complaints.set(name, what);
    this.#log.warn({ file: name + EXTENSION }, `configuration file skipped: ${what}`);
  }
}

/** Parsers quote the text around an error on further lines; a credential may be in it. */
function firstLine(error: unknown): string {
  const { reason, message } = error as { reason?: unknown; message?: unknown };
  return String(reason ?? message ?? error).split("\n", 1)[0] ?? "";
}
