/**
 * Checks that the engine sees us as we see ourselves. The engine announces none of this: a second worker of the same name, a function
 * that was deleted together with its other owner, a binding that was refused while somebody else held it. So we look, after each
 * (re)connect and from time to time, and put right what is ours.
 */
import type { Logger } from "../border/log.js";
import type { EngineBus } from "../protocol/actors/services.js";
import type { CallContext } from "../protocol/call.js";

/** The engine answers at most so many ids in one call. */
const INFO_BATCH = 32;
const CALL_TIMEOUT_MS = 5_000;

export interface Binding {
  readonly triggerType: string;
  readonly functionId: string;
  readonly config: unknown;
}

export interface PresenceOptions {
  readonly bus: EngineBus;
  readonly workerName: string;
  /** Undefined while it isn't known. */
  readonly workerId: () => string | undefined;
  readonly functionIds: () => readonly string[];
  readonly bindings: () => readonly Binding[];
  readonly registerAgain: (functionId: string) => void;
  readonly bindAgain: (binding: Binding) => unknown;
  readonly log: Logger;
}

interface WorkerRow {
  readonly name?: string | null;
  readonly id?: string;
  readonly connected_at_ms?: number;
}

interface FunctionRow {
  readonly function_id?: string;
  readonly worker_name?: string;
  readonly error?: unknown;
}

interface TriggerRow {
  readonly trigger_type?: string;
  readonly function_id?: string;
}

export class Presence {
  readonly #options: PresenceOptions;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /**
   * The worker that has our name and was there first, or that owns one of our functions; undefined when nobody does. Rejects when
   * the engine doesn't answer. `ids` are looked at before we register them: afterwards they are ours or refused.
   */
  async competitor(ids: readonly string[]): Promise<string | undefined> {
    const { workers = [] } = (await this.#ask("engine::workers::list", {})) as { workers?: WorkerRow[] };
    const own = this.#options.workerId();
    const namesakes = workers.filter((row) => row.name === this.#options.workerName && row.id !== own);
    const self = workers.find((row) => row.id === own);
    if (namesakes.some((row) => self === undefined || isOlder(row, self))) {
      return `a worker named ${this.#options.workerName} is connected already`;
    }
    const owned = (await this.#info(ids)).find((row) => row.error === undefined && row.worker_name !== this.#options.workerName);
    return owned === undefined ? undefined : `${owned.function_id} is served by the worker ${owned.worker_name} already`;
  }

  /** Registers and binds again what the engine has lost; returns what that was. */
  async repair(): Promise<string[]> {
    const repaired: string[] = [];
    for (const { function_id, error } of await this.#info(this.#options.functionIds())) {
      if (error === undefined || function_id === undefined) continue;
      this.#options.registerAgain(function_id);
      repaired.push(function_id);
    }
    for (const binding of await this.#lostBindings()) {
      this.#options.bindAgain(binding);
      repaired.push(`${binding.triggerType} → ${binding.functionId}`);
    }
    if (repaired.length > 0) this.#options.log.warn({ repaired }, "the engine had lost some of what we registered");
    return repaired;
  }

  /** Those that the engine doesn't know though somebody offers their type. One whose type nobody offers yet isn't lost: the engine keeps it. */
  async #lostBindings(): Promise<Binding[]> {
    const { registered_triggers: live = [] } = (await this.#ask("engine::registered-triggers::list", {})) as {
      registered_triggers?: TriggerRow[];
    };
    const missing = this.#options
      .bindings()
      .filter(
        ({ triggerType, functionId }) => !live.some((row) => row.trigger_type === triggerType && row.function_id === functionId),
      );
    if (missing.length === 0) return [];
    const { triggers = [] } = (await this.#ask("engine::triggers::list", { include_internal: true })) as {
      triggers?: { id?: string }[];
    };
    return missing.filter(({ triggerType }) => triggers.some(({ id }) => id === triggerType));
  }

  async #info(ids: readonly string[]): Promise<FunctionRow[]> {
    const batches = Array.from({ length: Math.ceil(ids.length / INFO_BATCH) }, (_, batch) =>
      ids.slice(batch * INFO_BATCH, (batch + 1) * INFO_BATCH),
    );
    const answers = await Promise.all(batches.map((function_ids) => this.#ask("engine::functions::info", { function_ids })));
    return answers.flatMap((answer) => (answer as { functions?: FunctionRow[] }).functions ?? []);
  }

  #ask(functionId: string, payload: unknown): Promise<unknown> {
    const context: CallContext = { requestId: "presence", deadline: Date.now() + 2 * CALL_TIMEOUT_MS };
    return this.#options.bus.call({ functionId, payload, timeoutMs: CALL_TIMEOUT_MS, idempotent: true }, context);
  }
}

/** Two that start in the same moment must not both give way: the smaller id stays. */
function isOlder(other: WorkerRow, self: WorkerRow): boolean {
  const [theirs, ours] = [other.connected_at_ms ?? 0, self.connected_at_ms ?? 0];
  return theirs === ours ? (other.id ?? "") < (self.id ?? "") : theirs < ours;
}
