/** The trigger types with which the engine tells that workers or functions came or went. */
import { FUNCTIONS_WORKER } from "./builtin.js";
import type { Calls } from "./calls.js";
import { type Connection, DEFAULT_NAMESPACE } from "./connections.js";
import { byText, functionRow } from "./introspection.js";
import type { EngineState } from "./state.js";

const FUNCTIONS_AVAILABLE = "engine::functions-available";
const WORKERS_AVAILABLE = "engine::workers-available";

export type WorkerEvent = "worker_connected" | "worker_metadata_updated" | "worker_disconnected";

export class Announcements {
  readonly #state: EngineState;
  readonly #calls: Calls;
  readonly #poll: NodeJS.Timeout;
  #revision: number;
  #ids: string;

  constructor(state: EngineState, calls: Calls, pollMs: number) {
    this.#state = state;
    this.#calls = calls;
    const types = [
      {
        id: FUNCTIONS_AVAILABLE,
        description: `Fires when functions came or went, seen every ${pollMs} ms. Served by ${FUNCTIONS_WORKER}.`,
      },
      { id: WORKERS_AVAILABLE, description: "Fires when a worker connects, reports its metadata, or disconnects." },
    ];
    for (const type of types) state.triggers.addBuiltinType({ ...type, namespace: DEFAULT_NAMESPACE });
    this.#revision = state.functions.revision;
    this.#ids = this.#allIds();
    this.#poll = setInterval(() => this.checkFunctions(), pollMs).unref();
  }

  /** Only the set of ids counts: a new description is no news. */
  checkFunctions(): void {
    const { revision } = this.#state.functions;
    if (revision === this.#revision) return;
    this.#revision = revision;
    const ids = this.#allIds();
    if (ids === this.#ids) return;
    this.#ids = ids;
    const bindings = this.#state.triggers.liveOfBuiltin(FUNCTIONS_AVAILABLE);
    if (bindings.length === 0) return;
    const records = [...this.#state.functions.all()].sort((left, right) => byText(left.id, right.id));
    const functions = records.map((record) => functionRow(this.#state, record));
    for (const { functionId, namespace, metadata } of bindings) {
      this.#calls.notify(functionId, namespace, { event: "functions_changed", functions }, metadata);
    }
  }

  worker(event: WorkerEvent, { id }: Connection): void {
    for (const { functionId, namespace, metadata } of this.#state.triggers.liveOfBuiltin(WORKERS_AVAILABLE)) {
      this.#calls.notify(functionId, namespace, { event, worker_id: id }, metadata);
    }
  }

  close(): void {
    clearInterval(this.#poll);
  }

  #allIds(): string {
    return JSON.stringify([...this.#state.functions.all()].map(({ namespace, id }) => `${namespace} ${id}`).sort());
  }
}
