/** Skills of workers that come or are there already, fetched without anybody asking: when a worker is added, and once after the start. */
import type { Logger } from "../../border/log.js";
import { workerNameFault } from "../../domain/worker-name.js";
import type { Peers } from "../../protocol/actors.js";
import type { CallContext } from "../../protocol/call.js";
import type { Configuration } from "../../protocol/configuration.js";
import { DirectoryError } from "../../protocol/errors.js";
import { ownContext } from "../runtime.js";
import type { Downloads } from "./downloads.js";

export interface AutoDownloadOptions {
  readonly peers: Peers;
  readonly downloads: Downloads;
  readonly configuration: () => Readonly<Configuration>;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Settles after so many milliseconds, or at once when the signal is aborted. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** Skills of the engine itself. */
const ENGINE = "iii";
const BEFORE_RECONCILE_MS = 2_000;
const STATUS = { attempts: 6, timeoutMs: 10_000, waitMs: 2_000 } as const;
const PATIENCE_MS = 900_000;

/** Why a worker is downloaded now. */
type Occasion = "added" | "reconcile";

export class AutoDownload {
  readonly #options: AutoDownloadOptions;
  readonly #running = new Set<string>();

  constructor(options: AutoDownloadOptions) {
    this.#options = options;
  }

  /** Never rejects: the engine has nothing to do with a failure. */
  async workerAdded(worker: string | null | undefined): Promise<void> {
    if (typeof worker === "string" && worker !== "") await this.#fetch(worker, "added");
  }

  /** One pass over what is installed. Never rejects. */
  async reconcile(): Promise<void> {
    const { log, signal, sleep } = this.#options;
    await sleep(BEFORE_RECONCILE_MS);
    const counts = { written: 0, looked: 0 };
    const look = async (worker: string): Promise<void> => {
      if (signal.aborted) return;
      counts.looked++;
      if (await this.#fetch(worker, "reconcile")) counts.written++;
    };
    // First of all, whoever can say what else is installed.
    await look(ENGINE);
    for (const worker of (await this.#installed()) ?? []) if (worker !== ENGINE) await look(worker);
    if (signal.aborted) return;
    log.info(counts, "skills of the installed workers were looked at");
  }

  /** True when something was written. */
  async #fetch(worker: string, occasion: Occasion): Promise<boolean> {
    const { downloads, configuration, log } = this.#options;
    if (this.#running.has(worker)) return false;
    this.#running.add(worker);
    try {
      const fault = workerNameFault(worker);
      if (fault !== undefined) throw new DirectoryError("D311", `invalid_input: ${fault}`);
      const context = ownContext("auto-download", PATIENCE_MS);
      if (!(await this.#isWanted(worker, occasion, context))) return false;
      const request = { kind: "registry", worker, spec: { tag: "latest" } } as const;
      await downloads.run(request, configuration(), context, { automatic: true });
      return true;
    } catch (error) {
      log[levelOf(error)]({ worker, reason: (error as Error).message }, "the skills of a worker were not fetched");
      return false;
    } finally {
      this.#running.delete(worker);
    }
  }

  /** What somebody has pinned or taken from a repository on purpose is never touched. */
  async #isWanted(namespace: string, occasion: Occasion, context: CallContext): Promise<boolean> {
    const { isLocal, marker } = await this.#options.peers.fs.downloadState({ namespace }, context);
    if (marker?.pinned === true || marker?.source === "repo") return false;
    return occasion === "added" || (!isLocal && marker === undefined);
  }

  /** Names of the installed workers; undefined when nobody can say. */
  async #installed(): Promise<readonly string[] | undefined> {
    const { log, signal, sleep } = this.#options;
    for (let attempt = 1; attempt <= STATUS.attempts && !signal.aborted; attempt++) {
      try {
        const names = await this.#ask();
        if (names === undefined)
          log.warn("compose::status answered without a list of containers: only the engine's skills were fetched");
        return names;
      } catch (error) {
        // An engine without a daemon has nothing that could be installed.
        if (isUnknownFunction(error)) return undefined;
        if (attempt === STATUS.attempts)
          log.warn({ reason: (error as Error).message }, "the installed workers could not be asked for");
        else await sleep(STATUS.waitMs * attempt);
      }
    }
    return undefined;
  }

  async #ask(): Promise<readonly string[] | undefined> {
    const { peers, env } = this.#options;
    const call = (functionId: string, payload: unknown): Promise<unknown> =>
      peers.bus.call(
        { functionId, payload, timeoutMs: STATUS.timeoutMs, idempotent: true },
        ownContext("installed", STATUS.timeoutMs),
      );
    const { III_COMPOSE_FILE: file, III_COMPOSE_NAMESPACE: namespace } = env;
    const payload = { ...(file?.trim() ? { file } : {}), ...(namespace?.trim() ? { namespace } : {}) };
    try {
      return namesIn(await call("compose::status", payload), "containers", "container");
    } catch (error) {
      if (!isUnknownFunction(error)) throw error;
      return namesIn(await call("worker::list", {}), "workers", "name");
    }
  }
}

/** A worker without skills is no news; without a network, which is common on one person's machine, it is said and no more. */
function levelOf(error: unknown): "debug" | "info" | "warn" {
  if (!(error instanceof DirectoryError)) return "warn";
  if (error.code === "D310" || error.code === "shutting_down") return "debug";
  return error.code === "D320" ? "info" : "warn";
}

function namesIn(answer: unknown, list: string, name: string): string[] | undefined {
  const rows = (answer as Readonly<Record<string, unknown>> | null)?.[list];
  if (!Array.isArray(rows)) return undefined;
  const names = rows.map((row: unknown) => (row as Readonly<Record<string, unknown>> | null)?.[name]);
  return [...new Set(names.filter((each): each is string => typeof each === "string"))];
}

function isUnknownFunction(error: unknown): boolean {
  const detail = error instanceof DirectoryError ? (error.detail as { code?: unknown } | undefined) : undefined;
  return detail?.code === "function_not_found";
}
