/**
 * Which function is served by whom. The key is namespace and id. What a worker registers hides a built-in of the same id for as long
 * as the worker is there.
 */
import type { BuiltinFunction } from "./builtin.js";
import { DEFAULT_NAMESPACE } from "./connections.js";

export interface FunctionRecord {
  readonly id: string;
  readonly namespace: string;
  readonly description?: string | undefined;
  readonly requestSchema?: unknown;
  readonly responseSchema?: unknown;
  readonly metadata?: unknown;
  /** The connection that executes it; undefined for a built-in. */
  readonly connectionId?: string;
  readonly builtin?: BuiltinFunction;
}

export interface WorkerFunction extends FunctionRecord {
  readonly connectionId: string;
}

export class FunctionRegistry {
  readonly #builtins = new Map<string, FunctionRecord>();
  readonly #byNamespace = new Map<string, Map<string, WorkerFunction>>();
  readonly #byConnection = new Map<string, Set<WorkerFunction>>();
  #revision = 0;

  /** Changes whenever the set of ids may have changed. */
  get revision(): number {
    return this.#revision;
  }

  addBuiltin(builtin: BuiltinFunction): void {
    this.#builtins.set(builtin.id, {
      id: builtin.id,
      namespace: DEFAULT_NAMESPACE,
      description: builtin.description,
      requestSchema: builtin.request,
      builtin,
    });
    this.#revision += 1;
  }

  find(namespace: string, id: string): FunctionRecord | undefined {
    return this.ownedByWorker(namespace, id) ?? (namespace === DEFAULT_NAMESPACE ? this.#builtins.get(id) : undefined);
  }

  /** The registration of a worker, if there is one; built-ins belong to nobody. */
  ownedByWorker(namespace: string, id: string): WorkerFunction | undefined {
    return this.#byNamespace.get(namespace)?.get(id);
  }

  /** Files a function, in place of whoever had the id. */
  set(record: WorkerFunction): void {
    const { namespace, id, connectionId } = record;
    const earlier = this.ownedByWorker(namespace, id);
    if (earlier !== undefined) this.#byConnection.get(earlier.connectionId)?.delete(earlier);
    const functions = this.#byNamespace.get(namespace) ?? new Map<string, WorkerFunction>();
    functions.set(id, record);
    this.#byNamespace.set(namespace, functions);
    const own = this.#byConnection.get(connectionId) ?? new Set<WorkerFunction>();
    own.add(record);
    this.#byConnection.set(connectionId, own);
    this.#revision += 1;
  }

  /** Only the owner can take a function away; says whether it did. */
  delete(namespace: string, id: string, connectionId: string): boolean {
    const record = this.ownedByWorker(namespace, id);
    if (record?.connectionId !== connectionId) return false;
    this.#byConnection.get(connectionId)?.delete(record);
    this.#forget(record);
    return true;
  }

  removeConnection(connectionId: string): void {
    for (const record of this.#byConnection.get(connectionId) ?? []) this.#forget(record);
    this.#byConnection.delete(connectionId);
  }

  countOf(connectionId: string): number {
    return this.#byConnection.get(connectionId)?.size ?? 0;
  }

  of(connectionId: string): Iterable<FunctionRecord> {
    return this.#byConnection.get(connectionId) ?? [];
  }

  /** Every namespace in which the id is served, sorted. */
  namespacesOf(id: string): string[] {
    const found = [...this.#byNamespace].filter(([, functions]) => functions.has(id)).map(([namespace]) => namespace);
    if (this.#builtins.has(id) && !found.includes(DEFAULT_NAMESPACE)) found.push(DEFAULT_NAMESPACE);
    return found.sort();
  }

  *all(): Iterable<FunctionRecord> {
    for (const builtin of this.#builtins.values()) if (this.find(DEFAULT_NAMESPACE, builtin.id) === builtin) yield builtin;
    for (const functions of this.#byNamespace.values()) yield* functions.values();
  }

  #forget({ namespace, id }: FunctionRecord): void {
    const functions = this.#byNamespace.get(namespace);
    functions?.delete(id);
    if (functions?.size === 0) this.#byNamespace.delete(namespace);
    this.#revision += 1;
  }
}
