/**
 * The one connection to the engine, by the unmodified SDK. What the SDK leaves to its user is here: that an answer can get lost, that
 * a reconnect is silent, that a caller's session travels as baggage, and that an error has a code.
 *
 * Where the SDK has no public way (the wire code of an error, the moment of a reconnect, the namespace of a subscriber), its instance
 * is asked for a member that versions 0.22 have, and everything works without it, only less precisely.
 */
import { context as otelContext, propagation } from "@opentelemetry/api";
import { type IIIClient, registerWorker, TriggerAction } from "iii-sdk";
import type { EngineBus, EngineCall } from "../protocol/actors/services.js";
import type { CallContext } from "../protocol/call.js";
import { DirectoryError } from "../protocol/errors.js";
import type { FunctionDefinition } from "../protocol/functions/definition.js";
import { codeOfMessage } from "./wire-errors.js";

/** A second question is asked after this long without an answer, when asking twice is harmless; the first may still be answered. */
const HEDGE_AFTER_MS = 1_500;
const DEFAULT_TIMEOUT_MS = 5_000;
const STATE_POLL_MS = 250;

export interface ConnectionOptions {
  readonly url: string;
  readonly workerName: string;
  readonly workerDescription: string;
}

export interface Publication {
  readonly functionId: string;
  readonly payload: unknown;
  readonly metadata?: unknown;
  readonly namespace?: string | undefined;
}

/** One subscription that a provider of a trigger type is told of. */
export interface Subscription {
  readonly id: string;
  readonly functionId: string;
  readonly config: unknown;
  readonly metadata?: unknown;
  readonly namespace?: string | undefined;
}

export interface TriggerTypeHandlers {
  readonly add: (subscription: Subscription) => void;
  readonly remove: (id: string) => void;
}

type Handler = (payload: unknown, baggage: Readonly<Record<string, string>>) => Promise<unknown>;

/** Members that SDK 0.22 has and doesn't declare. */
interface Undeclared {
  workerId?: string;
  connectionState?: string;
  sendMessage?: (type: string, message: Record<string, unknown>, skipIfClosed?: boolean) => void;
  ws?: { terminate(): void };
  onRegisterTrigger?: (message: Record<string, unknown>) => Promise<void>;
}

export class EngineConnection implements EngineBus {
  readonly url: string;
  readonly #client: IIIClient;
  readonly #undeclared: Undeclared;
  readonly #namespaces = new Map<string, string>();
  readonly #functions = new Map<string, () => void>();
  readonly #reconnected: (() => void)[] = [];
  readonly #watch: NodeJS.Timeout;
  #identity: string | undefined;

  constructor({ url, workerName, workerDescription }: ConnectionOptions) {
    this.url = url;
    this.#client = registerWorker(url, {
      workerName,
      workerDescription,
      enableMetricsReporting: false,
      reconnectionConfig: { initialDelayMs: 200, maxDelayMs: 5_000 },
      // On for the baggage; without fetch instrumentation, which would send session ids to third parties.
      otel: { enabled: true, metricsEnabled: false, fetchInstrumentationEnabled: false, serviceName: "iii-directory" },
    });
    this.#undeclared = this.#client as unknown as Undeclared;
    this.#sendErrorCodes();
    this.#keepNamespaces();
    this.#watch = setInterval(() => this.#watchState(), STATE_POLL_MS).unref();
  }

  /** The id that the engine gave this connection; undefined before that, or with an SDK that doesn't tell. */
  get workerId(): string | undefined {
    return this.#undeclared.workerId;
  }

  get connected(): boolean {
    return (this.#undeclared.connectionState ?? "connected") === "connected";
  }

  /** What the connection was known by at the last look; a new one means that it was lost and made again. */
  get identity(): string | undefined {
    return this.#identity;
  }

  /** Called after each return of the connection, not for the first one. */
  onReconnect(listener: () => void): void {
    this.#reconnected.push(listener);
  }

  async call(request: EngineCall, context: CallContext): Promise<unknown> {
    const left = context.deadline - Date.now();
    if (left <= 0) throw new DirectoryError("deadline_exceeded", `${request.functionId} was not asked: no time is left`);
    const timeoutMs = Math.min(left, request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const ask = (): Promise<unknown> => withBaggage(context, () => this.#trigger(request, timeoutMs));
    return request.idempotent === true && timeoutMs > HEDGE_AFTER_MS ? hedged(ask) : ask();
  }

  /** Fire and forget; what becomes of it is never told. */
  publish({ functionId, payload, metadata, namespace }: Publication): void {
    if (namespace !== undefined && this.#undeclared.sendMessage !== undefined) {
      const message = { function_id: functionId, data: payload, action: TriggerAction.Void(), metadata, namespace };
      this.#undeclared.sendMessage.call(this.#client, "invokefunction", message);
      return;
    }
    const request = { function_id: functionId, payload: payload as object, action: TriggerAction.Void() };
    void this.#client.trigger(metadata === undefined ? request : { ...request, metadata: metadata as never }).catch(() => {});
  }

  /** Registers a function, or registers it again when the engine has lost it. */
  register({ id, description, metadata, request, response }: FunctionDefinition, handler: Handler): void {
    this.#functions.get(id)?.();
    const options = {
      description,
      request_format: request,
      response_format: response,
      ...(metadata === undefined ? {} : { metadata }),
    };
    const registered = this.#client.registerFunction(
      id,
      (payload: unknown) => handler(withoutCaller(payload), activeBaggage()),
      options as object,
    );
    this.#functions.set(id, () => registered.unregister());
  }

  /** The binding may be parked by the engine, and its failure is only seen by looking; returns the way to take it back. */
  bind(triggerType: string, functionId: string, config: unknown): () => void {
    const { unregister } = this.#client.registerTrigger({ type: triggerType, function_id: functionId, config });
    return unregister;
  }

  provide(triggerType: { readonly id: string; readonly description: string }, { add, remove }: TriggerTypeHandlers): void {
    const formats = { trigger_request_format: EMPTY_OBJECT, call_request_format: EMPTY_OBJECT };
    this.#client.registerTriggerType({ ...triggerType, ...formats } as { id: string; description: string }, {
      registerTrigger: async ({ id, function_id, config, metadata }) =>
        add({ id, functionId: function_id, config, metadata, namespace: this.#namespaces.get(id) }),
      unregisterTrigger: async ({ id }) => {
        this.#namespaces.delete(id);
        remove(id);
      },
    });
  }

  /** Gives up a socket that says nothing any more; the SDK connects again. Its own patience is a minute. */
  dropSocket(): void {
    this.#undeclared.ws?.terminate();
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    await this.#client.shutdown();
  }

  async #trigger({ functionId, payload }: EngineCall, timeoutMs: number): Promise<unknown> {
    try {
      return await this.#client.trigger({ function_id: functionId, payload: (payload ?? {}) as object, timeoutMs });
    } catch (error) {
      const code = (error as { code?: string }).code ?? "UNKNOWN";
      const text = error instanceof Error ? error.message : String(error);
      throw new DirectoryError("engine_error", `${functionId}: ${text}`, { code });
    }
  }

  #sendErrorCodes(): void {
    const send = this.#undeclared.sendMessage;
    if (send === undefined) return;
    this.#undeclared.sendMessage = (type, message, skipIfClosed) => {
      const error = type === "invocationresult" ? (message["error"] as { code: string; message: string } | undefined) : undefined;
      const code = error?.code === "invocation_failed" ? codeOfMessage(error.message) : undefined;
      send.call(this.#client, type, code === undefined ? message : { ...message, error: { ...error, code } }, skipIfClosed);
    };
  }

  /** A subscriber may live in a namespace of its own; its doorbell must be rung there. */
  #keepNamespaces(): void {
    const receive = this.#undeclared.onRegisterTrigger;
    if (receive === undefined) return;
    this.#undeclared.onRegisterTrigger = (message) => {
      if (typeof message["namespace"] === "string") this.#namespaces.set(String(message["id"]), message["namespace"]);
      return receive.call(this.#client, message);
    };
  }

  /** A short break can begin and end between two looks: the engine's id for the connection tells it. */
  #watchState(): void {
    const identity = this.connected ? (this.workerId ?? "connected") : undefined;
    if (identity === undefined || identity === this.#identity) return;
    const first = this.#identity === undefined;
    this.#identity = identity;
    if (!first) for (const listener of this.#reconnected) listener();
  }
}

const EMPTY_OBJECT = { type: "object", properties: {} } as const;

/** Asks again when no answer comes for a while; the first answer counts, and the last error. */
async function hedged(ask: () => Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const first = ask();
  const second = new Promise((resolve, reject) => {
    timer = setTimeout(() => ask().then(resolve, reject), HEDGE_AFTER_MS);
  });
  try {
    return await Promise.race([first, Promise.any([first, second]).catch(() => first)]);
  } finally {
    clearTimeout(timer);
  }
}

/** The engine adds the caller's id to every object; no schema of ours knows it. */
function withoutCaller(payload: unknown): unknown {
  if (payload === null || typeof payload !== "object" || Array.isArray(payload)) return payload;
  const { _caller_worker_id: _, ...rest } = payload as Record<string, unknown>;
  return rest;
}

function activeBaggage(): Record<string, string> {
  const entries = propagation.getBaggage(otelContext.active())?.getAllEntries() ?? [];
  return Object.fromEntries(entries.map(([key, { value }]) => [key, value]));
}

function withBaggage<Value>({ baggage }: CallContext, run: () => Value): Value {
  if (baggage === undefined) return run();
  const entries = Object.fromEntries(Object.entries(baggage).map(([key, value]) => [key, { value }]));
  return otelContext.with(propagation.setBaggage(otelContext.active(), propagation.createBaggage(entries)), run);
}
