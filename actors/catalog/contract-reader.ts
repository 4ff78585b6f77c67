/**
 * Reads one generation of contracts from the engine: one list of ids, then the contracts behind them, 32 a call. What is known and
 * looks unchanged isn't asked for again each time. The engine announces no change of a description or a schema, so a share of the
 * known contracts is read again with every look, the longest unread first.
 */
import type { Logger } from "../../border/log.js";
import { isExcludedFunction } from "../../domain/function-id.js";
import { compareBytes } from "../../domain/text.js";
import type { EngineBus } from "../../protocol/actors/services.js";
import { DirectoryError } from "../../protocol/errors.js";
import { ownContext } from "../runtime.js";
import { breathe } from "./breathe.js";
import { type ContractSource, type FunctionContract, readContract } from "./contract.js";
import {
  type FunctionInfo,
  type InfoAnswer,
  type ListedFunction,
  readInfo,
  readList,
  readWorkers,
  saysTheSame,
} from "./engine-reader.js";

/** The engine answers at most so many ids in one call. */
const INFO_BATCH = 32;
/** Calls in flight: enough to hide the round trips, few enough to leave the connection to others. */
const CALLS_IN_FLIGHT = 8;
const CALL_TIMEOUT_MS = 5_000;
/** One attempt and its repetition, with room to queue. */
const READ_TIMEOUT_MS = 14_000;
/** Of the known contracts, how many are read again with one look: at least so many, or this part of all. */
const RECHECK_LEAST = 128;
const RECHECK_PART = 1 / 16;

export interface ContractReaderOptions {
  readonly bus: EngineBus;
  /** A list without one of these was taken while the engine was forgetting or had not learnt yet: it is no list. */
  readonly ownFunctionIds: readonly string[];
  readonly log: Logger;
}

/** `news`: ids that are new or look changed. `share`: those and a share of the rest. `all`: everything. */
export type Thoroughness = "news" | "share" | "all";

export interface ReadGeneration {
  readonly contracts: readonly FunctionContract[];
  /** False when some contracts could not be read: new ones are missing, known ones may be out of date. */
  readonly complete: boolean;
}

interface Known {
  /** Absent for a function that may not be shown. */
  readonly contract: FunctionContract | undefined;
  /** As it was listed when the contract was read. */
  readonly row: ListedFunction;
  /** To be read with the next look, whatever that looks for. */
  readonly stale: boolean;
}

export class ContractReader {
  readonly #options: ContractReaderOptions;
  readonly #known = new Map<string, Known>();
  #workers: ReadonlyMap<string, string> = new Map();
  /** Id behind which the rolling check goes on. */
  #cursor = "";
  #warned = "";

  constructor(options: ContractReaderOptions) {
    this.#options = options;
  }

  /** Rejects when the engine doesn't answer, when what it says isn't a catalog, or when no contract at all can be had. */
  async read(thoroughness: Thoroughness): Promise<ReadGeneration> {
    const [list, workers] = await Promise.all([this.#ask("engine::functions::list", {}), this.#describeWorkers()]);
    const rows = this.#unique(readList(list));
    this.#requireOwn(rows);
    for (const id of rows.keys()) if (isExcludedFunction(id)) rows.delete(id);
    await breathe();
    const due = this.#due(rows, workers, thoroughness);
    this.#workers = workers;
    const failed = await this.#readContracts(due);
    return this.#generation(rows, failed);
  }

  async #describeWorkers(): Promise<ReadonlyMap<string, string>> {
    try {
      return readWorkers(await this.#ask("engine::workers::list", {}));
    } catch (error) {
      this.#options.log.debug({ err: error }, "the descriptions of the workers could not be read");
      return this.#workers;
    }
  }

  /** One row an id. Two workers may offer the same one; which is taken doesn't depend on the order of the list. */
  #unique(rows: readonly ListedFunction[]): Map<string, ListedFunction> {
    const byId = new Map<string, ListedFunction>();
    const clashes = new Map<string, Set<string>>();
    for (const row of rows) {
      const other = byId.get(row.functionId);
      if (other === undefined || compareOwners(row, other) < 0) byId.set(row.functionId, row);
      if (other === undefined) continue;
      const owners = clashes.get(row.functionId) ?? new Set([other.worker]);
      clashes.set(row.functionId, owners.add(row.worker));
    }
    this.#warnOf(clashes, byId);
    return byId;
  }

  #warnOf(clashes: ReadonlyMap<string, ReadonlySet<string>>, chosen: ReadonlyMap<string, ListedFunction>): void {
    const lines = [...clashes].map(([id, owners]) => {
      const taken = chosen.get(id)?.worker ?? "";
      return `${id} is listed more than once (${[...owners].sort().join(", ")}); taken: ${taken}`;
    });
    const said = lines.join("; ");
    if (said !== "" && said !== this.#warned) this.#options.log.warn({ duplicates: lines }, "the engine lists functions twice");
    this.#warned = said;
  }

  #requireOwn(rows: ReadonlyMap<string, ListedFunction>): void {
    const missing = this.#options.ownFunctionIds.filter((id) => !rows.has(id));
    if (missing.length === 0) return;
    throw new DirectoryError("engine_error", `catalog_fetch_failed: the engine does not list our own ${missing.join(", ")}`, {
      code: OWN_MISSING,
    });
  }

  /** What has to be read, the most urgent first. */
  #due(
    rows: ReadonlyMap<string, ListedFunction>,
    workers: ReadonlyMap<string, string>,
    thoroughness: Thoroughness,
  ): ListedFunction[] {
    const news: ListedFunction[] = [];
    const rest: ListedFunction[] = [];
    for (const row of rows.values()) (this.#isNews(row, workers) ? news : rest).push(row);
    if (thoroughness === "news") return news;
    return [...news, ...(thoroughness === "all" ? rest : this.#nextShare(rest))];
  }

  #isNews(row: ListedFunction, workers: ReadonlyMap<string, string>): boolean {
    const known = this.#known.get(row.functionId);
    if (known === undefined || known.stale || !saysTheSame(known.row, row)) return true;
    const { worker, workerDescription } = known.contract ?? {};
    return worker !== undefined && (workers.get(worker) ?? "") !== workerDescription;
  }

  /** The functions behind the cursor, from the beginning again at the end. */
  #nextShare(rows: readonly ListedFunction[]): ListedFunction[] {
    const size = Math.max(RECHECK_LEAST, Math.ceil(rows.length * RECHECK_PART));
    const behind = rows.findIndex(({ functionId }) => compareBytes(functionId, this.#cursor) > 0);
    const turned = behind < 0 ? rows : [...rows.slice(behind), ...rows.slice(0, behind)];
    const share = turned.slice(0, size);
    this.#cursor = share.at(-1)?.functionId ?? "";
    return share;
  }

  /** Reads contracts into what is known; returns the ids that have to be asked for again. */
  async #readContracts(rows: readonly ListedFunction[]): Promise<ReadonlySet<string>> {
    const failed = new Set<string>();
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < rows.length) {
        const batch = rows.slice(next, next + INFO_BATCH);
        next += INFO_BATCH;
        await this.#readBatch(batch, failed);
        // Node empties a message port before it looks at timers: answers that never stop coming would hold up the heartbeat.
        await breathe();
      }
    };
    await Promise.all(Array.from({ length: CALLS_IN_FLIGHT }, work));
    return failed;
  }

  async #readBatch(batch: readonly ListedFunction[], failed: Set<string>): Promise<void> {
    try {
      const function_ids = batch.map((row) => row.functionId);
      const infos = readInfo(await this.#ask("engine::functions::info", { function_ids }));
      for (const row of batch) {
        const answer = infos.get(row.functionId) ?? "absent";
        this.#learn(row, answer);
        // It may be back already: an id that leaves and returns between two looks of the engine is never announced.
        if (answer === "absent") failed.add(row.functionId);
      }
    } catch (error) {
      this.#options.log.warn({ err: error, functions: batch.length }, "some contracts could not be read, the last good ones stay");
      for (const { functionId } of batch) failed.add(functionId);
    }
  }

  #learn(row: ListedFunction, answer: InfoAnswer): void {
    const before = this.#known.get(row.functionId)?.contract;
    const contract = typeof answer === "string" ? undefined : this.#contract(row, answer);
    const unchanged = before !== undefined && contract !== undefined && JSON.stringify(before) === JSON.stringify(contract);
    // Who compares generations finds by the object whether a contract has changed.
    this.#known.set(row.functionId, { contract: unchanged ? before : contract, row, stale: answer === "absent" });
  }

  #contract({ functionId, worker: listedOwner }: ListedFunction, info: FunctionInfo): FunctionContract {
    const name = info.worker || listedOwner;
    const worker = name === "" ? undefined : { name, description: this.#workers.get(name) ?? "" };
    const { description, requestSchema, responseSchema } = info;
    const source: ContractSource = { functionId, description, requestSchema, responseSchema, worker };
    try {
      return readContract(source);
    } catch (error) {
      // A schema nested without end overflows the stack; the function itself is still a function.
      this.#options.log.warn({ err: error, functionId }, "the schemas of a function could not be read, it is searched without");
      return readContract({ ...source, requestSchema: { type: "object" }, responseSchema: undefined });
    }
  }

  /** The functions of this list. What the list doesn't have is forgotten. */
  #generation(rows: ReadonlyMap<string, ListedFunction>, failed: ReadonlySet<string>): ReadGeneration {
    for (const id of this.#known.keys()) if (!rows.has(id)) this.#known.delete(id);
    for (const id of failed) {
      const known = this.#known.get(id);
      if (known !== undefined) this.#known.set(id, { ...known, stale: true });
    }
    const contracts: FunctionContract[] = [];
    for (const id of rows.keys()) {
      const contract = this.#known.get(id)?.contract;
      if (contract !== undefined) contracts.push(contract);
    }
    if (contracts.length === 0 && failed.size > 0) {
      throw new DirectoryError("engine_error", `catalog_fetch_failed: none of ${rows.size} contracts could be read`);
    }
    return { contracts, complete: failed.size === 0 };
  }

  async #ask(functionId: string, payload: unknown): Promise<unknown> {
    const context = ownContext("catalog", READ_TIMEOUT_MS);
    return this.#options.bus.call({ functionId, payload, timeoutMs: CALL_TIMEOUT_MS, idempotent: true }, context);
  }
}

const OWN_MISSING = "own_functions_missing";

/** True for the fault that mends itself moments after a connection was made. */
export function isOwnMissing(error: unknown): boolean {
  return error instanceof DirectoryError && (error.detail as { code?: unknown } | undefined)?.code === OWN_MISSING;
}

/** The default namespace of the engine goes first: it is where a call without a namespace ends up. */
function compareOwners(left: ListedFunction, right: ListedFunction): number {
  return compareBytes(left.engineNamespace, right.engineNamespace) || compareBytes(left.worker, right.worker);
}
