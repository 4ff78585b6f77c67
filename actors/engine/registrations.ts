/**
 * Registrations of functions, trigger types and triggers. From 0.23 on those of a new connection are held until it has said who it is
 * (or a grace period is over), because the namespace they belong to isn't known before; then they take effect in the order they came.
 */
import { type Connection, DEFAULT_NAMESPACE } from "./connections.js";
import { EngineError } from "./errors.js";
import type {
  ErrorBody,
  RegisterFunction,
  RegisterTrigger,
  RegisterTriggerType,
  RegistrationFrame,
  TriggerRegistrationResult,
} from "./frames.js";
import type { EngineState } from "./state.js";
import type { Binding, Delivery } from "./trigger-store.js";

/** Account of what no connection owns: triggers made by `engine::register_trigger`. */
const NOBODY = "";

const POLICY_VIOLATION = 1008;

export class Registrations {
  readonly #state: EngineState;
  /** Ends a connection whose socket is already closing, so that its place is free. */
  readonly #retire: (connection: Connection) => void;
  /** Calls of `engine::register_trigger` that wait for the provider. */
  readonly #waiting = new Map<string, (error: ErrorBody | undefined) => void>();

  constructor(state: EngineState, retire: (connection: Connection) => void) {
    this.#state = state;
    this.#retire = retire;
  }

  receive(connection: Connection, frame: RegistrationFrame, bytes: number): void {
    const { held } = connection;
    if (held === undefined) {
      this.#apply(connection, frame, bytes);
      return;
    }
    if (this.#charge(connection, `held:${held.length}`, bytes)) held.push({ frame, bytes });
  }

  /** From now on registrations of this connection take effect at once. */
  release(connection: Connection): void {
    clearTimeout(connection.grace);
    const held = connection.held ?? [];
    connection.held = undefined;
    for (const [index, { frame, bytes }] of held.entries()) {
      this.#state.ledger.refund(connection.id, `held:${index}`);
      if (!connection.isGone) this.#apply(connection, frame, bytes);
    }
  }

  /** What a provider says to a trigger. */
  triggerResult(provider: Connection, { id, error }: TriggerRegistrationResult): void {
    if (!this.#state.triggers.isProvidedBy(id, provider.id)) return;
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) {
      waiting(error ?? undefined);
      return;
    }
    if (error == null) return;
    const binding = this.#state.triggers.refused(id, provider.id);
    const registrant = this.#state.connections.get(binding?.registrant ?? NOBODY);
    if (binding !== undefined && registrant !== undefined) this.#refuseTrigger(registrant, binding, error);
  }

  /** A trigger that belongs to nobody. Settles when the provider has answered or `waitMs` are over, with the provider's refusal if any. */
  async bindForNobody(binding: Binding, bytes: number, waitMs: number): Promise<ErrorBody | undefined> {
    this.#retireClosingProvider(binding.triggerNamespace, binding.triggerType);
    if (!this.#state.ledger.charge(NOBODY, `trigger:${binding.id}`, bytes)) {
      throw new EngineError("trigger_registration_failed", "too many triggers: unregister some first");
    }
    const { deliveries, type, refusal } = this.#state.triggers.bind(binding);
    const error = await (refusal !== undefined
      ? { code: "trigger_registration_failed", message: refusal }
      : type?.connectionId === undefined
        ? undefined
        : this.#answerOfProvider(binding.id, deliveries, waitMs));
    if (error === undefined) return undefined;
    this.#state.triggers.unbind(binding.id);
    this.#state.ledger.refund(NOBODY, `trigger:${binding.id}`);
    return error;
  }

  /** Says whether there was such a trigger, live or parked. */
  unbind(id: string, source?: Connection): boolean {
    const removed = this.#state.triggers.unbind(id);
    if (removed === undefined) return false;
    this.#state.ledger.refund(removed.binding.registrant ?? NOBODY, `trigger:${id}`);
    this.#deliver(removed.deliveries, source);
    return true;
  }

  disconnected(connection: Connection): void {
    clearTimeout(connection.grace);
    this.#state.functions.removeConnection(connection.id);
    this.#deliver(this.#state.triggers.removeConnection(connection.id));
    this.#state.ledger.close(connection.id);
  }

  #apply(connection: Connection, frame: RegistrationFrame, bytes: number): void {
    switch (frame.type) {
      case "registerfunction":
        this.#registerFunction(connection, frame, bytes);
        break;
      case "unregisterfunction":
        this.#unregisterFunction(connection, frame.id);
        break;
      case "registertriggertype":
        this.#registerType(connection, frame, bytes);
        break;
      case "registertrigger":
        this.#registerTrigger(connection, frame, bytes);
        break;
      case "unregistertrigger":
        this.unbind(frame.id, connection);
        break;
      case "registerservice":
        break;
    }
  }

  #registerFunction(connection: Connection, frame: RegisterFunction, bytes: number): void {
    const { namespace } = connection;
    if (namespace !== DEFAULT_NAMESPACE && frame.id.startsWith("engine::")) {
      this.#rejectFunction(connection, frame.id, "");
      return;
    }
    const owner = this.#state.connections.get(this.#state.functions.ownedByWorker(namespace, frame.id)?.connectionId ?? NOBODY);
    if (owner !== undefined && owner !== connection) {
      if (!owner.isLive) this.#retire(owner);
      else if (this.#state.hasNamespaces) {
        this.#rejectFunction(connection, frame.id, owner.id);
        return;
      } else this.#state.log.warn({ function: frame.id }, "a second worker took over a function that another one serves");
    }
    if (!this.#charge(connection, `function:${frame.id}`, bytes)) return;
    this.#state.functions.set({
      id: frame.id,
      namespace,
      connectionId: connection.id,
      description: frame.description ?? undefined,
      requestSchema: frame.request_format ?? undefined,
      responseSchema: frame.response_format ?? undefined,
      metadata: frame.metadata ?? undefined,
    });
  }

  #rejectFunction(connection: Connection, id: string, ownerId: string): void {
    const { namespace } = connection;
    const code = "FUNCTION_NAMESPACE_CONFLICT";
    connection.send({ type: "registrationrejected", code, namespace, function_id: id, owner_worker_id: ownerId }, connection);
  }

  #unregisterFunction(connection: Connection, id: string): void {
    if (this.#state.functions.delete(connection.namespace, id, connection.id)) {
      this.#state.ledger.refund(connection.id, `function:${id}`);
    }
  }

  #registerType(connection: Connection, frame: RegisterTriggerType, bytes: number): void {
    if (!this.#charge(connection, `type:${frame.id}`, bytes)) return;
    const wanted = this.#state.hasNamespaces ? frame.namespace?.trim() : undefined;
    const deliveries = this.#state.triggers.registerType({
      id: frame.id,
      namespace: wanted || connection.namespace,
      description: frame.description,
      configurationSchema: frame.trigger_request_format ?? undefined,
      requestSchema: frame.call_request_format ?? undefined,
      connectionId: connection.id,
    });
    this.#deliver(deliveries, connection);
  }

  #registerTrigger(connection: Connection, frame: RegisterTrigger, bytes: number): void {
    const binding = bindingOf(frame, connection.id, this.#state.hasNamespaces);
    if (binding === undefined) {
      const error = { code: "INVALID_NAMESPACE", message: "a namespace may be left out, but not blank" };
      const trigger = { id: frame.id, triggerType: frame.trigger_type, functionId: frame.function_id };
      this.#refuseTrigger(connection, trigger, error);
      return;
    }
    this.#retireClosingProvider(binding.triggerNamespace, binding.triggerType);
    if (!this.#charge(connection, `trigger:${frame.id}`, bytes)) return;
    const { deliveries, refusal, superseded } = this.#state.triggers.bind(binding);
    if (superseded !== undefined && superseded.registrant !== connection.id) {
      this.#state.ledger.refund(superseded.registrant ?? NOBODY, `trigger:${frame.id}`);
    }
    if (refusal === undefined) {
      this.#deliver(deliveries, connection);
      return;
    }
    this.#state.ledger.refund(connection.id, `trigger:${frame.id}`);
    this.#refuseTrigger(connection, binding, { code: "trigger_registration_failed", message: refusal });
  }

  #refuseTrigger(connection: Connection, trigger: Pick<Binding, "id" | "triggerType" | "functionId">, error: ErrorBody): void {
    const { id, triggerType, functionId } = trigger;
    const frame = { type: "triggerregistrationresult", id, trigger_type: triggerType, function_id: functionId, error };
    connection.send(frame, connection);
  }

  #answerOfProvider(id: string, deliveries: Delivery[], waitMs: number): Promise<ErrorBody | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), waitMs).unref();
      const settle = (error: ErrorBody | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(error);
      };
      this.#waiting.set(id, settle);
      this.#deliver(deliveries);
    });
  }

  /** A provider whose socket is closing counts as gone, so that what comes now is parked instead of being lost with it. */
  #retireClosingProvider(namespace: string, id: string): void {
    const provider = this.#state.connections.get(this.#state.triggers.resolve(namespace, id)?.connectionId ?? NOBODY);
    if (provider !== undefined && !provider.isLive) this.#retire(provider);
  }

  #deliver(deliveries: readonly Delivery[], source?: Connection): void {
    for (const { to, frame } of deliveries) this.#state.connections.get(to)?.send(frame, source);
  }

  #charge(connection: Connection, key: string, bytes: number): boolean {
    if (this.#state.ledger.charge(connection.id, key, bytes)) return true;
    this.#state.log.warn({ worker: connection.metadata?.name ?? connection.id }, "disconnected a worker that registers too much");
    connection.close(POLICY_VIOLATION, "registrations take too much memory");
    this.#retire(connection);
    return false;
  }
}

/** Undefined when a namespace is there but blank. */
export function bindingOf(
  frame: Omit<RegisterTrigger, "type">,
  registrant: string | undefined,
  hasNamespaces: boolean,
): Binding | undefined {
  const namespace = hasNamespaces ? (frame.namespace ?? DEFAULT_NAMESPACE) : DEFAULT_NAMESPACE;
  const triggerNamespace = hasNamespaces ? (frame.trigger_namespace ?? DEFAULT_NAMESPACE) : DEFAULT_NAMESPACE;
  if (namespace.trim() === "" || triggerNamespace.trim() === "") return undefined;
  return {
    id: frame.id,
    triggerType: frame.trigger_type,
    triggerNamespace,
    functionId: frame.function_id,
    namespace,
    config: frame.config,
    metadata: frame.metadata ?? undefined,
    registrant,
  };
}
