/**
 * The entries in memory, in step with their files. Whatever changes an entry (a call, an edit of a file) goes through one queue, so the
 * folder is never compared with a memory that is half a step ahead of it.
 */
import { isDeepStrictEqual } from "node:util";
import type { Logger } from "../../../border/log.js";
import { EngineError } from "../errors.js";
import { isEntryId, type StoredEntry } from "./entry.js";
import { type Environment, expand } from "./expansion.js";
import { type ConfigurationFolder, type FolderContent, MAX_ENTRY_BYTES } from "./folder.js";
import { type Check, compileSchema } from "./schema-check.js";

const MAX_ENTRIES = 10_000;

export interface Entry extends StoredEntry {
  /** Null for an entry read from a file, until its owner registers it. */
  readonly schema: unknown;
}

interface Kept {
  readonly entry: Entry;
  readonly check: Check | undefined;
  /** Name of its file, without extension. */
  readonly file: string;
}

export type ConfigurationEventType = "configuration:registered" | "configuration:updated" | "configuration:deleted";

/** Values are expanded as far as possible, and not validated: a listener reads the entry again. */
export interface ConfigurationEvent {
  readonly type: "configuration";
  readonly event_type: ConfigurationEventType;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  readonly old_value: unknown;
  readonly new_value: unknown;
  readonly metadata?: unknown;
}

export interface Registration {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  readonly initialValue?: unknown;
  readonly metadata?: unknown;
}

export interface StoreSetting {
  /** Undefined: entries live as long as the engine. */
  readonly folder: ConfigurationFolder | undefined;
  readonly environment: Environment;
  readonly log: Logger;
  readonly changed: (event: ConfigurationEvent) => void;
}

export class ConfigurationStore {
  readonly #kept = new Map<string, Kept>();
  readonly #folder: ConfigurationFolder | undefined;
  readonly #environment: Environment;
  readonly #log: Logger;
  readonly #changed: (event: ConfigurationEvent) => void;
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ folder, environment, log, changed }: StoreSetting) {
    this.#folder = folder;
    this.#environment = environment;
    this.#log = log;
    this.#changed = changed;
  }

  /** Reads the folder and begins to watch it. */
  async open(): Promise<void> {
    if (this.#folder === undefined) return;
    await this.#folder.create();
    const { entries, files } = await this.#folder.read();
    for (const [id, stored] of entries) this.#keep({ ...stored, schema: null }, undefined, files.get(id) ?? id);
    await this.#folder.watch(() => void this.reconcile());
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#folder?.close();
  }

  register({ id, name, description, schema, initialValue, metadata }: Registration): Promise<Entry> {
    return this.#inTurn(async () => {
      refuseId(id);
      const check = compiled(schema);
      const before = this.#kept.get(id);
      if (before === undefined && this.#kept.size >= MAX_ENTRIES)
        throw new EngineError("ADAPTER_ERROR", `there are ${MAX_ENTRIES} entries`);
      if (initialValue != null) this.#validate(initialValue, check);
      const value = initialValue ?? before?.entry.value ?? null;
      const entry: Entry = { id, name, description, schema, value, ...(metadata != null && { metadata }) };
      await this.#write(entry, before?.entry);
      this.#keep(entry, check, id);
      this.#announce(
        before === undefined ? "configuration:registered" : "configuration:updated",
        entry,
        before?.entry.value,
        value,
      );
      return entry;
    });
  }

  set(id: string, value: unknown): Promise<{ readonly old_value: unknown; readonly new_value: unknown }> {
    return this.#inTurn(async () => {
      refuseId(id);
      const before = this.#kept.get(id);
      if (before === undefined) throw new EngineError("NOT_REGISTERED", `configuration ${id} is not registered`);
      const { check } = before;
      if (check === undefined) {
        throw new EngineError(
          "SCHEMA_UNAVAILABLE",
          `configuration ${id} was read from its file, and its owner hasn't registered it yet`,
        );
      }
      this.#validate(value, check);
      const entry = { ...before.entry, value };
      await this.#write(entry, before.entry);
      this.#keep(entry, check, id);
      this.#announce("configuration:updated", entry, before.entry.value, value);
      return { old_value: before.entry.value, new_value: value };
    });
  }

  get(id: string, raw: boolean): unknown {
    const { entry, check } = this.#find(id);
    if (raw) return entry.value;
    const { value, missing } = expand(entry.value, this.#environment);
    if (missing.length > 0)
      throw new EngineError("EXPAND_FAILED", `configuration ${id} needs variables that are not set: ${missing.join(", ")}`);
    const fault = check?.(value);
    if (fault !== undefined) throw new EngineError("SCHEMA_INVALID", `configuration ${id} doesn't fit its schema: ${fault}`);
    return value;
  }

  entry(id: string): Entry {
    return this.#find(id).entry;
  }

  /** Sorted by id. */
  entries(): Entry[] {
    return [...this.#kept.values()].map(({ entry }) => entry).sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  /** Takes over what was changed in the folder. Our own writes are no change. */
  reconcile(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        const content = await this.#folder?.read();
        if (content !== undefined) this.#takeOver(content);
      } catch (err) {
        this.#log.warn({ err }, "the configuration folder can't be read; what was read before stays");
      }
    });
  }

  #takeOver({ entries, broken, files }: FolderContent): void {
    for (const [id, stored] of entries) this.#takeOverEntry(stored, files.get(id) ?? id);
    for (const [id, { entry, file }] of this.#kept) {
      // A file that can't be read just now isn't gone.
      if (entries.has(id) || broken.has(file)) continue;
      this.#kept.delete(id);
      this.#announce("configuration:deleted", entry, entry.value, null);
    }
  }

  #takeOverEntry(stored: StoredEntry, file: string): void {
    const before = this.#kept.get(stored.id);
    if (before === undefined) {
      const entry = { ...stored, schema: null };
      this.#keep(entry, undefined, file);
      this.#announce("configuration:registered", entry, null, entry.value);
      return;
    }
    const { schema, ...known } = before.entry;
    if (isDeepStrictEqual(known, stored)) return;
    const hasNewValue = !isDeepStrictEqual(known.value, stored.value);
    const fault = hasNewValue ? this.#fault(stored.value, before.check) : undefined;
    if (fault !== undefined) {
      this.#log.warn({ id: stored.id }, `an edit of a configuration file is ignored: ${fault}`);
      return;
    }
    const entry = { ...stored, schema };
    this.#keep(entry, before.check, file);
    if (hasNewValue || known.name !== stored.name || known.description !== stored.description) {
      this.#announce("configuration:updated", entry, known.value, stored.value);
    }
  }

  #fault(value: unknown, check: Check | undefined): string | undefined {
    const { value: expanded, missing } = expand(value, this.#environment);
    return missing.length > 0 ? `variables are not set: ${missing.join(", ")}` : check?.(expanded);
  }

  /** A value with variables that aren't set can't be judged; reading it will fail. */
  #validate(value: unknown, check: Check): void {
    const { value: expanded, missing } = expand(value, this.#environment);
    const fault = missing.length > 0 ? undefined : check(expanded);
    if (fault !== undefined) throw new EngineError("SCHEMA_INVALID", fault);
  }

  #find(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw new EngineError("NOT_FOUND", `configuration ${id} is not registered`);
    return kept;
  }

  #keep(entry: Entry, check: Check | undefined, file: string): void {
    this.#kept.set(entry.id, { entry, check, file });
  }

  async #write(entry: Entry, before: Entry | undefined): Promise<void> {
    const { schema: _, ...stored } = entry;
    if (Buffer.byteLength(JSON.stringify(entry)) > MAX_ENTRY_BYTES) {
      throw new EngineError("ADAPTER_ERROR", `configuration ${entry.id} is larger than ${MAX_ENTRY_BYTES} bytes`);
    }
    if (before !== undefined && isDeepStrictEqual(stored, storedPart(before))) return;
    try {
      await this.#folder?.write(stored);
    } catch (error) {
      throw new EngineError("ADAPTER_ERROR", `configuration ${entry.id} can't be written: ${(error as Error).message}`);
    }
  }

  #announce(event_type: ConfigurationEventType, entry: Entry, oldValue: unknown, newValue: unknown): void {
    const { id, name, description, schema, metadata } = entry;
    this.#changed({
      type: "configuration",
      event_type,
      id,
      name,
      description,
      schema,
      old_value: expand(oldValue ?? null, this.#environment).value,
      new_value: expand(newValue ?? null, this.#environment).value,
      ...(metadata !== undefined && { metadata }),
    });
  }

  #inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(step);
    this.#queue = result.catch(() => {});
    return result;
  }
}

function refuseId(id: string): void {
  if (!isEntryId(id)) throw new EngineError("INVALID_ID", "an id is made of 1 to 64 of a-z, 0-9, _ and -");
}

function compiled(schema: unknown): Check {
  try {
    return compileSchema(schema);
  } catch (error) {
    throw new EngineError("SCHEMA_INVALID", `the schema itself is no good: ${(error as Error).message}`);
  }
}

function storedPart({ schema: _, ...stored }: Entry): StoredEntry {
  return stored;
}
