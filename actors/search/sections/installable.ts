/** The installable section: workers of the registry that would meet a need if they were installed. */
import { searchableText, slimDescription } from "../../../domain/function-contract.js";
import { isExcludedFunction } from "../../../domain/function-id.js";
import { compareBytes } from "../../../domain/text.js";
import type { InstallableCandidate } from "../../../protocol/actors/registry.js";
import { TIMEOUTS } from "../../../protocol/call.js";
import type { InstallableWorker } from "../../../protocol/functions/search.js";
import { judgeFailure } from "../judging.js";
import type { Batch } from "../lanes.js";
import type { FunctionRanking } from "../ranking.js";
import { laneTexts, type SearchCall, within } from "../search-call.js";
import { groupByOwner, selectRows } from "../selection.js";
import type { Installed, InstalledFunctions } from "./installed.js";
import { judgePool, type RankedIds, rankPool } from "./pool.js";

/** Per batch: functions in all, and workers that they belong to. */
const LIMITS = { budget: 6, owners: 2 };

/** A function that could be had, with the worker that brings it. */
export interface PoolFunction {
  readonly functionId: string;
  readonly description: string;
  readonly parameterNames: readonly string[];
  readonly worker: InstallableCandidate;
}

/** The registry is asked at once, and its answer is waited for no longer than decided: it never holds up the ranking beside it. */
export async function findInstallable(
  call: SearchCall,
  ranking: Promise<FunctionRanking | undefined>,
  installed: InstalledFunctions,
): Promise<InstallableWorker[]> {
  const { peers, configuration, context, lanes } = call;
  if (!configuration.registry_search || lanes.batches.length === 0) return [];
  const patience = within(context, TIMEOUTS.registrySearch);
  const { namespaces } = await installed.recent(patience);
  const batches = lanes.batches.map((batch) => laneTexts(lanes, batch));
  const reply = await peers.registry.installable({ batches, installedNamespaces: [...namespaces] }, patience);
  const current = await installed.asOf((await ranking)?.fingerprint ?? "", context);
  const found = await Promise.all(
    lanes.batches.map((batch, at) => selectInstallable(call, batch, poolFunctions(reply.batches[at] ?? [], current))),
  );
  return mergeBatches(found);
}

/** In the order of the candidates; of two workers with one function id the first has it. */
export function poolFunctions(
  candidates: readonly InstallableCandidate[],
  { namespaces, functionIds }: Pick<Installed, "namespaces" | "functionIds">,
): PoolFunction[] {
  const pool = new Map<string, PoolFunction>();
  for (const worker of candidates.filter(({ name }) => !namespaces.has(name))) {
    for (const entry of worker.functions) {
      const { functionId } = entry;
      if (isExcludedFunction(functionId) || functionIds.has(functionId) || pool.has(functionId)) continue;
      pool.set(functionId, { ...entry, worker });
    }
  }
  return [...pool.values()];
}

async function selectInstallable(call: SearchCall, batch: Batch, pool: readonly PoolFunction[]): Promise<InstallableWorker[]> {
  if (pool.length === 0) return [];
  const byId = new Map(pool.map((entry) => [entry.functionId, entry]));
  return groupInstallable(await rankInstallable(call, batch, pool), byId);
}

/** A judge that fails costs this pool its judgement, not the section. */
async function rankInstallable(call: SearchCall, batch: Batch, pool: readonly PoolFunction[]): Promise<RankedIds> {
  const documents = pool.map(({ functionId, description, parameterNames }) => ({
    id: functionId,
    text: searchableText(functionId, description, [...parameterNames].sort(compareBytes)),
  }));
  const judged = pool.map(({ functionId, description, parameterNames }) => ({
    id: functionId,
    description: slimDescription(description),
    parameterNames,
  }));
  const all = { corpus: "functions" as const, documents, judged };
  if (call.configuration.function_search_mode === "jev") {
    try {
      return await judgePool(call, all, batch);
    } catch (error) {
      call.log.warn(
        { ...judgeFailure(error), requested_mode: "jev" },
        "remote judging of installable functions failed: ranked locally",
      );
    }
  }
  return rankPool(call, all, batch);
}

export function groupInstallable(lanes: RankedIds, pool: ReadonlyMap<string, PoolFunction>): InstallableWorker[] {
  const candidates = lanes.map((ids) =>
    ids.flatMap((id) => {
      const entry = pool.get(id);
      return entry === undefined ? [] : [{ id, owner: entry.worker.name, entry }];
    }),
  );
  return groupByOwner(selectRows(candidates, LIMITS)).flatMap(([name, rows]) => {
    const [first] = rows;
    if (first === undefined) return [];
    const { version, description } = first.entry.worker;
    const functions = rows.map(({ id, entry }) => ({ function_id: id, description: slimDescription(entry.description) }));
    return [{ name, version, description, functions, install: { function: "compose::add", payload: { worker: name } } }];
  });
}

/** A worker that several batches found keeps its first entry and gains what they add. */
export function mergeBatches(batches: readonly (readonly InstallableWorker[])[]): InstallableWorker[] {
  const merged = new Map<string, InstallableWorker>();
  for (const worker of batches.flat()) {
    const known = merged.get(worker.name);
    const ids = new Set(known?.functions.map(({ function_id }) => function_id));
    const added = worker.functions.filter(({ function_id }) => !ids.has(function_id));
    merged.set(worker.name, known === undefined ? worker : { ...known, functions: [...known.functions, ...added] });
  }
  return [...merged.values()];
}
