/**
 * Calls that wait for the answer of a worker. A call is filed here before its frame goes out, so an answer can never come too early
 * (the real engine can lose one). Only the worker that was asked may answer.
 */
import type { ErrorBody } from "./frames.js";

export type Outcome = { readonly error: ErrorBody } | { readonly result: unknown };

export interface Invocation {
  readonly id: string;
  readonly functionId: string;
  readonly executor: string;
  /** Undefined for a call of the engine itself. */
  readonly caller?: string | undefined;
  /** Told once: the answer, or that there will be none. Not told when the caller itself leaves. */
  readonly settle: (outcome: Outcome) => void;
}

export class InvocationTable {
  readonly #byId = new Map<string, Invocation>();
  readonly #byExecutor = new Map<string, Set<Invocation>>();
  readonly #byCaller = new Map<string, Set<Invocation>>();

  get size(): number {
    return this.#byId.size;
  }

  countExecutedBy(connectionId: string): number {
    return this.#byExecutor.get(connectionId)?.size ?? 0;
  }

  countCalledBy(connectionId: string): number {
    return this.#byCaller.get(connectionId)?.size ?? 0;
  }

  /** False when the id is taken by another open call: answers could go to the wrong caller. */
  file(invocation: Invocation): boolean {
    if (this.#byId.has(invocation.id)) return false;
    this.#byId.set(invocation.id, invocation);
    add(this.#byExecutor, invocation.executor, invocation);
    if (invocation.caller !== undefined) add(this.#byCaller, invocation.caller, invocation);
    return true;
  }

  /** Takes the call out. Undefined when it is unknown, already answered, or another worker was asked. */
  take(id: string, executor: string): Invocation | undefined {
    const invocation = this.#byId.get(id);
    if (invocation?.executor !== executor) return undefined;
    this.#forget(invocation);
    return invocation;
  }

  /** Takes out everything that this connection calls or executes. */
  removeConnection(connectionId: string): Invocation[] {
    const invocations = new Set([...(this.#byExecutor.get(connectionId) ?? []), ...(this.#byCaller.get(connectionId) ?? [])]);
    for (const invocation of invocations) this.#forget(invocation);
    return [...invocations];
  }

  #forget(invocation: Invocation): void {
    this.#byId.delete(invocation.id);
    remove(this.#byExecutor, invocation.executor, invocation);
    if (invocation.caller !== undefined) remove(this.#byCaller, invocation.caller, invocation);
  }
}

function add(index: Map<string, Set<Invocation>>, at: string, invocation: Invocation): void {
  const invocations = index.get(at) ?? new Set<Invocation>();
  invocations.add(invocation);
  index.set(at, invocations);
}

function remove(index: Map<string, Set<Invocation>>, at: string, invocation: Invocation): void {
  const invocations = index.get(at);
  invocations?.delete(invocation);
  if (invocations?.size === 0) index.delete(at);
}
