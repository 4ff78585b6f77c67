/**
 * Names of the installed workers, from the compose daemon. While it can't be asked the last answer counts, however old; when there
 * never was one nothing is known, and then nothing is hidden.
 */
import type { EngineBus } from "../../protocol/actors/services.js";
import type { CallContext } from "../../protocol/call.js";

export type InstalledWorkers = ReadonlySet<string> | undefined;

export interface InstalledOptions {
  readonly bus: EngineBus;
  /** Age at which an answer goes, in milliseconds; 0: every call asks. */
  readonly maxAgeMs: () => number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly now?: () => number;
}

const TIMEOUT_MS = 5_000;
/** After a failure nobody asks for so long: a daemon that is down must not hold up every read. */
const FAILURE_KEPT_MS = 3_000;

export class Installed {
  readonly #options: InstalledOptions;
  #known: InstalledWorkers;
  #askedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<InstalledWorkers> | undefined;

  constructor(options: InstalledOptions) {
    this.#options = options;
  }

  /** Asks when the last answer is too old, or always with `fresh`. Callers in the same moment share one question. */
  async names(context: CallContext, fresh = false): Promise<InstalledWorkers> {
    const now = this.#now();
    if (!fresh && now - this.#askedAt < this.#options.maxAgeMs()) return this.#known;
    if (now - this.#failedAt < FAILURE_KEPT_MS) return this.#known;
    this.#asking ??= this.#ask(context).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** The next call asks, whatever the age. */
  forget(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
    this.#failedAt = Number.NEGATIVE_INFINITY;
  }

  async #ask(context: CallContext): Promise<InstalledWorkers> {
    try {
      const deadline = Math.min(context.deadline, Date.now() + TIMEOUT_MS);
      const request = {
        functionId: "compose::status",
        payload: statusPayload(this.#options.env ?? process.env),
        timeoutMs: TIMEOUT_MS,
      };
      const names = containerNames(await this.#options.bus.call({ ...request, idempotent: true }, { ...context, deadline }));
      if (names === undefined) throw new Error("compose::status answered without a list of containers");
      this.#known = names;
      this.#askedAt = this.#now();
    } catch {
      this.#failedAt = this.#now();
    }
    return this.#known;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

export function statusPayload(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const { III_COMPOSE_FILE: file, III_COMPOSE_NAMESPACE: namespace } = env;
  return { ...(file?.trim() ? { file } : {}), ...(namespace?.trim() ? { namespace } : {}) };
}

/** Every declared container counts, whatever its state; undefined when the answer has no list of them. */
export function containerNames(answer: unknown): ReadonlySet<string> | undefined {
  const { containers } = (answer ?? {}) as { containers?: unknown };
  if (!Array.isArray(containers)) return undefined;
  const names = containers.map((entry: unknown) => (entry as { container?: unknown } | null)?.container);
  return new Set(names.filter((name) => typeof name === "string"));
}
