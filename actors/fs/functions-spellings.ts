/**
 * How a profile spelt its list of functions before this worker changed it. A flow list becomes a block list when an id is added, and from
 * the file alone nobody could tell what it was; whoever then takes the id out again gets his own lines back. Kept in memory, for files
 * that nobody else has written since.
 */
import { LRUCache } from "lru-cache";
import { functionsSource } from "../../domain/functions-field.js";
import type { Agent } from "./agent-library.js";
import type { FileFacts } from "./file-cache.js";

const PROFILES = 256;
const SPELLINGS = 32;

interface Kept {
  /** Of the file as we left it. */
  readonly identity: string;
  /** By the list that they say. */
  readonly spellings: ReadonlyMap<string, string>;
}

export class FunctionsSpellings {
  readonly #kept = new LRUCache<string, Kept>({ max: PROFILES });

  /** Lines for this list that the file had before. */
  of({ file }: Agent, functions: readonly string[]): string | undefined {
    return file === undefined ? undefined : this.#current(file.path, file.facts)?.get(JSON.stringify(functions));
  }

  /** After a change: what the profile said before it. */
  keep({ file, profile, text }: Agent, path: string, written: FileFacts): void {
    const spellings = new Map(file === undefined ? [] : this.#current(path, file.facts));
    const source = functionsSource(text);
    if (source !== undefined && spellings.size < SPELLINGS) spellings.set(JSON.stringify(profile.functions), source);
    this.#kept.set(path, { identity: written.identity, spellings });
  }

  #current(path: string, { identity }: FileFacts): ReadonlyMap<string, string> | undefined {
    const kept = this.#kept.get(path);
    return kept?.identity === identity ? kept.spellings : undefined;
  }
}
