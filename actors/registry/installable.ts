/**
 * Workers that could serve a need if they were installed, found by the registry's own search. A search waits for it only so long, so
 * what isn't there in time is taken from what was answered before; the request goes on and is there for the next search.
 */

import { parameterNames } from "../../domain/function-contract.js";
import { compareBytes } from "../../domain/text.js";
import { tokenize } from "../../domain/tokenizer.js";
import type { InstallableCandidate, InstallableReply, InstallableRequest } from "../../protocol/actors/registry.js";
import type { RegistryWorker } from "../../protocol/functions/registry.js";
import { publicFunctions } from "./worker-card.js";
import type { WorkerRecord } from "./worker-rows.js";
import type { RegistrySettings, WorkersRegistry } from "./workers-registry.js";

const MOST_VARIANTS = 6;
const MOST_CANDIDATES = 6;
const LATEST = { tag: "latest" } as const;
/** Of the caller's time, kept for carrying the answer. */
const RESERVE_MS = 100;

export interface InstallableOptions {
  readonly registry: WorkersRegistry;
  readonly settings: RegistrySettings;
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly now?: () => number;
}

export async function findInstallable(
  { batches, installedNamespaces }: InstallableRequest,
  options: InstallableOptions,
): Promise<InstallableReply> {
  const installed = new Set(installedNamespaces);
  const clock = new Patience(options.deadline - RESERVE_MS, options.now ?? Date.now);
  return { batches: await Promise.all(batches.map((queries) => candidatesOf(queries, installed, options, clock))) };
}

async function candidatesOf(
  queries: readonly string[],
  installed: ReadonlySet<string>,
  { registry, settings }: InstallableOptions,
  clock: Patience,
): Promise<InstallableCandidate[]> {
  const pages = await Promise.all(
    variantsOf(queries).map((search) => {
      const query = { search, cursor: "" };
      return clock.wait(registry.list(query, settings), () => registry.knownPage(query));
    }),
  );
  const workers = chooseWorkers(
    pages.map((page) => page?.workers ?? []),
    installed,
  );
  const records = await Promise.all(
    workers.map(({ name }) => clock.wait(registry.record(name, LATEST, settings), () => registry.knownRecord(name, LATEST))),
  );
  return workers.flatMap((worker, at) => {
    const record = records[at];
    return record === undefined ? [] : [candidateOf(worker, record)];
  });
}

/** The needs themselves, then their words, a word of each need in turn, as far as there is room. */
export function variantsOf(queries: readonly string[]): string[] {
  const variants = [...new Set(queries)].slice(0, MOST_VARIANTS);
  const words = queries.map((query) => [...new Set(tokenize(query))]);
  for (let place = 0; place < Math.max(0, ...words.map(({ length }) => length)); place++) {
    for (const ofQuery of words) {
      const word = ofQuery[place];
      if (variants.length < MOST_VARIANTS && word !== undefined && !variants.includes(word)) variants.push(word);
    }
  }
  return variants;
}

/** A row of each page in turn, each worker once, none that is installed. */
export function chooseWorkers(pages: readonly (readonly RegistryWorker[])[], installed: ReadonlySet<string>): RegistryWorker[] {
  const chosen = new Map<string, RegistryWorker>();
  for (let place = 0; place < Math.max(0, ...pages.map(({ length }) => length)); place++) {
    for (const page of pages) {
      const worker = page[place];
      if (worker === undefined || installed.has(worker.name) || chosen.has(worker.name)) continue;
      if (chosen.size < MOST_CANDIDATES) chosen.set(worker.name, worker);
    }
  }
  return [...chosen.values()];
}

function candidateOf({ name, version, description }: RegistryWorker, record: WorkerRecord): InstallableCandidate {
  return {
    name,
    version: version ?? "",
    description: description ?? "",
    functions: publicFunctions(record).map((entry) => ({
      functionId: entry.name,
      description: entry.description ?? "",
      parameterNames: parameterNames(entry.requestSchema).sort(compareBytes),
    })),
  };
}

class Patience {
  readonly #end: number;
  readonly #now: () => number;

  constructor(end: number, now: () => number) {
    this.#end = end;
    this.#now = now;
  }

  /** What was asked for, or, when that fails or comes too late, what is known. */
  async wait<Value>(asked: Promise<Value>, known: () => Value | undefined): Promise<Value | undefined> {
    let cancel = (): void => {};
    const late = new Promise<undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), Math.max(0, this.#end - this.#now()));
      cancel = () => clearTimeout(timer);
    });
    const answer = await Promise.race([asked.catch(() => undefined), late]);
    cancel();
    return answer ?? known();
  }
}
