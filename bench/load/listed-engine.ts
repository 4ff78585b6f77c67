/** An engine that is nothing but a list of functions which come and go: answers what the catalog asks, in the supervisor's process. */
import type { EngineBus, EngineCall } from "../../protocol/actors/services.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { Registered } from "../../test/harness/catalogue.js";

interface Row {
  readonly function_id: string;
  readonly worker_name: string;
  readonly description: string;
}

export class ListedEngine implements EngineBus {
  readonly #functions = new Map<string, Registered>();
  /** Kept: to make them anew for each list would be counted as the supervisor's work. */
  readonly #rows = new Map<string, Row>();

  constructor(functions: readonly Registered[]) {
    for (const each of functions) this.add(each);
  }

  add(registered: Registered): void {
    const { id, description = "" } = registered;
    this.#functions.set(id, registered);
    this.#rows.set(id, { function_id: id, worker_name: id.split("::")[0] ?? id, description });
  }

  remove(id: string): void {
    this.#functions.delete(id);
    this.#rows.delete(id);
  }

  async call({ functionId, payload }: EngineCall): Promise<unknown> {
    if (functionId === "engine::functions::list") return { functions: [...this.#rows.values()] };
    if (functionId === "engine::workers::list") return { workers: [] };
    if (functionId === "engine::registered-triggers::list") return { registered_triggers: [] };
    if (functionId === "engine::functions::info") {
      const { function_ids: ids } = payload as { readonly function_ids: readonly string[] };
      return { functions: ids.map((id) => this.#info(id)) };
    }
    throw new DirectoryError("engine_error", `Function ${functionId} not found`, { code: "function_not_found" });
  }

  #info(id: string): unknown {
    const row = this.#rows.get(id);
    if (row === undefined) return { function_id: id, error: "not_found" };
    return { ...row, request_schema: this.#functions.get(id)?.parameters ?? {}, registered_triggers: [] };
  }
}
