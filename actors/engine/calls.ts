/** Calls: from worker to worker, from worker to built-in, and from the engine itself to whoever listens to a change. */
import { randomUUID } from "node:crypto";
import type { BuiltinFunction } from "./builtin.js";
import { type Connection, DEFAULT_NAMESPACE } from "./connections.js";
import { EngineError, errorBody } from "./errors.js";
import type { ErrorBody, InvocationResult, InvokeFunction } from "./frames.js";
import type { FunctionRecord } from "./function-registry.js";
import type { Outcome } from "./invocation-table.js";
import type { EngineState } from "./state.js";
import { forwardedTrace, type TraceContext, traceContext } from "./trace-context.js";

const QUEUE_FUNCTION = "engine::queue::enqueue";

/** How long a call of the engine itself waits; a worker's calls wait for ever, their callers have timers of their own. */
const OWN_CALL_MS = 30_000;

/** Where a call goes, whoever makes it. */
interface Target {
  readonly functionId: string;
  readonly namespace: string;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly trace: TraceContext;
}

type Settle = (outcome: Outcome) => void;

export class Calls {
  readonly #state: EngineState;

  constructor(state: EngineState) {
    this.#state = state;
  }

  invoke(caller: Connection, frame: InvokeFunction): void {
    const { function_id: functionId, invocation_id: id, action } = frame;
    const trace = traceContext(frame);
    const isAnswered = action?.type !== "void" && typeof id === "string";
    const settle: Settle = (outcome) => {
      if (isAnswered) this.#answer(caller, { id, functionId, trace }, outcome);
    };
    if (this.#state.hasNamespaces && typeof frame.namespace === "string" && frame.namespace.trim() === "") {
      settle(refusal("INVALID_NAMESPACE", "the namespace of a call may be left out, but not blank"));
      return;
    }
    const namespace = this.#state.hasNamespaces ? (frame.namespace ?? DEFAULT_NAMESPACE) : DEFAULT_NAMESPACE;
    const target: Target = { functionId, namespace, data: frame.data, metadata: frame.metadata ?? undefined, trace };
    if (action?.type === "enqueue") {
      this.#enqueue(target, action.queue, settle);
      return;
    }
    this.#dispatch(target, caller, settle, isAnswered ? { id } : undefined);
  }

  /** The answer of a worker. Dropped unless it is the first one, from the worker that was asked. */
  result(executor: Connection, { invocation_id: id, result, error }: InvocationResult): void {
    const outcome = error == null ? { result } : { error: plainError(error) };
    this.#state.invocations.take(id, executor.id)?.settle(outcome);
  }

  /** A call of the engine itself that waits for the answer. Never rejects. */
  call(functionId: string, namespace: string, data: unknown, metadata?: unknown): Promise<Outcome> {
    return new Promise((resolve) => {
      const id = randomUUID();
      const record = this.#state.functions.find(namespace, functionId);
      const timer = setTimeout(() => {
        if (record?.connectionId !== undefined) this.#state.invocations.take(id, record.connectionId);
        resolve(refusal("TIMEOUT", `${functionId} gave no answer within ${OWN_CALL_MS} ms`));
      }, OWN_CALL_MS).unref();
      const settle: Settle = (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
      };
      this.#dispatch({ functionId, namespace, data, metadata, trace: {} }, undefined, settle, { id });
    });
  }

  /** A call of the engine itself whose answer nobody waits for. */
  notify(functionId: string, namespace: string, data: unknown, metadata?: unknown): void {
    this.#dispatch({ functionId, namespace, data, metadata, trace: {} }, undefined, () => {}, undefined);
  }

  /** Everything that a connection called or executed ends with it; those who wait for its answers are told. */
  disconnected(connectionId: string): void {
    for (const { caller, settle } of this.#state.invocations.removeConnection(connectionId)) {
      if (caller !== connectionId) settle(refusal("invocation_stopped", "Invocation stopped"));
    }
  }

  #dispatch(target: Target, source: Connection | undefined, settle: Settle, open: Open | undefined): void {
    const record = this.#state.functions.find(target.namespace, target.functionId);
    if (record === undefined) {
      settle({ error: this.#notFound(target) });
      return;
    }
    if (record.builtin !== undefined) {
      this.#runBuiltin(record.builtin, target.data, source, settle);
      return;
    }
    this.#forward(record, target, source, settle, open);
  }

  #forward(record: FunctionRecord, target: Target, source: Connection | undefined, settle: Settle, open: Open | undefined): void {
    const executor = this.#state.connections.get(record.connectionId ?? "");
    if (executor?.isLive !== true) {
      settle(refusal("invocation_stopped", "Invocation stopped"));
      return;
    }
    const { functionId, data, metadata, trace } = target;
    const id = open?.id ?? randomUUID();
    const refused =
      open === undefined ? undefined : this.#file({ id, functionId, executor: executor.id, caller: source?.id, settle });
    if (refused !== undefined) {
      settle(refused);
      return;
    }
    const frame = {
      type: "invokefunction",
      invocation_id: id,
      function_id: functionId,
      data: source === undefined ? data : withCaller(data, source.id),
      ...forwardedTrace(trace, functionId),
      ...(metadata !== undefined && { metadata }),
    };
    executor.send(frame, source);
  }

  /** Returns why the call can't be opened, if so. */
  #file(invocation: Parameters<EngineState["invocations"]["file"]>[0]): { readonly error: ErrorBody } | undefined {
    const { invocations, limits } = this.#state;
    if (invocation.caller !== undefined && invocations.countCalledBy(invocation.caller) >= limits.openCalls) {
      return refusal("invocation_error", `${limits.openCalls} calls of this connection wait for an answer: wait for some of them`);
    }
    if (invocations.file(invocation)) return undefined;
    return refusal("invocation_error", `invocation id ${invocation.id} belongs to a call that is still open`);
  }

  #runBuiltin(builtin: BuiltinFunction, data: unknown, caller: Connection | undefined, settle: Settle): void {
    try {
      const result = builtin.run(data, caller);
      if (result instanceof Promise) this.#await(builtin, result, caller, settle);
      else settle({ result });
    } catch (error) {
      settle(this.#failure(builtin, error));
    }
  }

  #failure(builtin: BuiltinFunction, error: unknown): Outcome {
    if (!(error instanceof EngineError)) this.#state.log.error({ err: error, function: builtin.id }, "built-in function failed");
    return { error: errorBody(error, "serialization_error") };
  }

  /** A caller with too many of these open is not read meanwhile: each holds its input in memory. */
  #await(builtin: BuiltinFunction, result: Promise<unknown>, caller: Connection | undefined, settle: Settle): void {
    if (caller !== undefined) {
      caller.busyBuiltins += 1;
      if (caller.busyBuiltins > this.#state.limits.busyBuiltins) caller.outbox.pause(BUSY);
    }
    result
      .then(
        (value) => settle({ result: value }),
        (error: unknown) => settle(this.#failure(builtin, error)),
      )
      .finally(() => {
        if (caller === undefined) return;
        caller.busyBuiltins -= 1;
        caller.outbox.resume(BUSY);
      });
  }

  #enqueue({ functionId, data, trace }: Target, queue: string, settle: Settle): void {
    if (this.#state.functions.find(DEFAULT_NAMESPACE, QUEUE_FUNCTION) === undefined) {
      settle(refusal("enqueue_error", `No queue provider is installed. ${functionId} was not queued.`));
      return;
    }
    const messageReceiptId = randomUUID();
    const payload = { queue, function_id: functionId, data, messageReceiptId, ...trace };
    void this.call(QUEUE_FUNCTION, DEFAULT_NAMESPACE, payload).then((outcome) => {
      settle("error" in outcome ? refusal("enqueue_error", outcome.error.message) : { result: { messageReceiptId } });
    });
  }

  #notFound({ functionId, namespace }: Target): ErrorBody {
    if (!this.#state.hasNamespaces) return { code: "function_not_found", message: `Function ${functionId} not found` };
    const others = this.#state.functions.namespacesOf(functionId);
    const hint = others.length === 0 ? "" : ` It is served in: ${others.join(", ")}.`;
    return { code: "function_not_found", message: `Function ${functionId} not found in namespace ${namespace}.${hint}` };
  }

  /** The caller is the one to slow down when it doesn't take the answers to its own calls. */
  #answer(caller: Connection, call: { id: string; functionId: string; trace: TraceContext }, outcome: Outcome): void {
    const head = { type: "invocationresult", invocation_id: call.id, function_id: call.functionId };
    caller.send({ ...head, ...withoutNull(outcome), ...call.trace }, caller);
  }
}

/** A call that somebody waits for. */
interface Open {
  readonly id: string;
}

const BUSY = Symbol("built-ins in progress");

function refusal(code: string, message: string): { readonly error: ErrorBody } {
  return { error: { code, message } };
}

/** An object tells its executor who calls. Anything else arrives as it was sent. */
function withCaller(data: unknown, callerId: string): unknown {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  return { ...data, _caller_worker_id: callerId };
}

function plainError({ code, message, stacktrace }: ErrorBody): ErrorBody {
  return { code, message, ...(typeof stacktrace === "string" && { stacktrace }) };
}

/** A result of null can't be told from none. */
function withoutNull(outcome: Outcome): object {
  return "error" in outcome ? outcome : outcome.result == null ? {} : outcome;
}
