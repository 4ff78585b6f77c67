/**
 * Trigger types, the triggers bound to them, and the triggers that wait for their type.
 *
 *     bind ──type known──> live ──provider refuses or leaves──> parked
 *       └────unknown─────> parked ──type registered───────────> live
 *
 * The store knows connections by id only. What providers must be told comes back as deliveries, in order.
 */
import { DEFAULT_NAMESPACE } from "./connections.js";

export interface TriggerType {
  readonly id: string;
  readonly namespace: string;
  readonly description: string;
  readonly configurationSchema?: unknown;
  readonly requestSchema?: unknown;
  /** Undefined for a type of the engine itself. */
  readonly connectionId?: string | undefined;
  /** A type of the engine checks a configuration at once: what is wrong with it, or undefined. */
  readonly refuse?: ((config: unknown) => string | undefined) | undefined;
}

export interface Binding {
  readonly id: string;
  readonly triggerType: string;
  /** Where the type is looked for first; then in the default namespace. */
  readonly triggerNamespace: string;
  readonly functionId: string;
  readonly namespace: string;
  readonly config: unknown;
  readonly metadata?: unknown;
  /** The connection it leaves with; undefined for one made by `engine::register_trigger`. */
  readonly registrant?: string | undefined;
}

/** A frame for a provider. */
export interface Delivery {
  readonly to: string;
  readonly frame: object;
}

/** What became of a trigger: with a provider, parked (no type), or refused. */
export interface Bound {
  readonly deliveries: Delivery[];
  readonly type: TriggerType | undefined;
  readonly superseded: Binding | undefined;
  readonly refusal?: string;
}

interface Entry {
  readonly binding: Binding;
  /** Undefined while parked. */
  type?: TriggerType | undefined;
}

export class TriggerStore {
  readonly #builtinTypes = new Map<string, TriggerType>();
  readonly #types = new Map<string, TriggerType>();
  readonly #entries = new Map<string, Entry>();
  readonly #byRegistrant = new Map<string | undefined, Set<Entry>>();
  readonly #byTypeId = new Map<string, Set<Entry>>();

  addBuiltinType(type: TriggerType): void {
    this.#builtinTypes.set(type.id, type);
  }

  /** The provider of a type as seen from a namespace. */
  resolve(namespace: string, id: string): TriggerType | undefined {
    return this.type(namespace, id) ?? this.type(DEFAULT_NAMESPACE, id);
  }

  type(namespace: string, id: string): TriggerType | undefined {
    return this.#types.get(key(namespace, id)) ?? (namespace === DEFAULT_NAMESPACE ? this.#builtinTypes.get(id) : undefined);
  }

  *types(): Iterable<TriggerType> {
    for (const type of this.#builtinTypes.values()) if (this.type(DEFAULT_NAMESPACE, type.id) === type) yield type;
    yield* this.#types.values();
  }

  /**
   * Files a provider. It is told of every live trigger of the type, then of every parked one, then of those that had made do with the
   * default namespace; in the last case the provider there is told first that it lost them.
   */
  registerType(type: TriggerType): Delivery[] {
    this.#types.set(key(type.namespace, type.id), type);
    const live: Delivery[] = [];
    const parked: Delivery[] = [];
    const moved: Delivery[] = [];
    for (const entry of this.#byTypeId.get(type.id) ?? []) {
      const { binding } = entry;
      if (this.resolve(binding.triggerNamespace, type.id) !== type) continue;
      const before = entry.type;
      entry.type = type;
      if (before === undefined) parked.push(...announce(type, binding));
      else if (before.namespace === type.namespace) live.push(...announce(type, binding));
      else moved.push(...withdraw(before, binding), ...announce(type, binding));
    }
    return [...live, ...parked, ...moved];
  }

  /** Binds or parks. An earlier trigger of the same id is superseded, whoever made it. */
  bind(binding: Binding): Bound {
    const type = this.resolve(binding.triggerNamespace, binding.triggerType);
    const refusal = type?.refuse?.(binding.config);
    if (refusal !== undefined) return { deliveries: [], type, refusal, superseded: undefined };
    const before = this.#entries.get(binding.id);
    const deliveries: Delivery[] = [];
    if (before !== undefined) {
      this.#delete(before);
      if (before.type !== undefined && before.type !== type) deliveries.push(...withdraw(before.type, before.binding));
    }
    this.#insert({ binding, type });
    if (type !== undefined) deliveries.push(...announce(type, binding));
    return { deliveries, type, superseded: before?.binding };
  }

  /** Removes a trigger, live or parked. Undefined when there is none. */
  unbind(id: string): { readonly binding: Binding; readonly deliveries: Delivery[] } | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#delete(entry);
    return { binding: entry.binding, deliveries: entry.type === undefined ? [] : withdraw(entry.type, entry.binding) };
  }

  /** The provider refused: the trigger waits for the type to be registered again. Ignored from anybody who isn't the provider. */
  refused(id: string, connectionId: string): Binding | undefined {
    const entry = this.#entries.get(id);
    if (entry?.type?.connectionId !== connectionId) return undefined;
    entry.type = undefined;
    return entry.binding;
  }

  /** True when the live trigger is with this provider. */
  isProvidedBy(id: string, connectionId: string): boolean {
    return this.#entries.get(id)?.type?.connectionId === connectionId;
  }

  /** Its triggers go, with a word to their providers; its types go, and what was bound to them is parked or moves to the default. */
  removeConnection(connectionId: string): Delivery[] {
    const deliveries: Delivery[] = [];
    for (const entry of this.#byRegistrant.get(connectionId) ?? []) {
      this.#delete(entry);
      if (entry.type !== undefined && entry.type.connectionId !== connectionId)
        deliveries.push(...withdraw(entry.type, entry.binding));
    }
    for (const type of this.typesOf(connectionId)) {
      this.#types.delete(key(type.namespace, type.id));
      for (const entry of this.#byTypeId.get(type.id) ?? []) {
        if (entry.type !== type) continue;
        entry.type = this.resolve(entry.binding.triggerNamespace, type.id);
        if (entry.type?.refuse?.(entry.binding.config) !== undefined) entry.type = undefined;
        if (entry.type !== undefined) deliveries.push(...announce(entry.type, entry.binding));
      }
    }
    return deliveries;
  }

  typesOf(connectionId: string): TriggerType[] {
    return [...this.#types.values()].filter((type) => type.connectionId === connectionId);
  }

  live(id: string): { readonly binding: Binding; readonly type: TriggerType } | undefined {
    const entry = this.#entries.get(id);
    return entry?.type === undefined ? undefined : { binding: entry.binding, type: entry.type };
  }

  /** Every live trigger; parked ones don't exist for callers. */
  *allLive(): Iterable<Binding> {
    for (const { binding, type } of this.#entries.values()) if (type !== undefined) yield binding;
  }

  *liveOf(type: TriggerType): Iterable<Binding> {
    for (const entry of this.#byTypeId.get(type.id) ?? []) if (entry.type === type) yield entry.binding;
  }

  /** Live triggers of a type of the engine itself; none while a worker provides that type. */
  liveOfBuiltin(id: string): Binding[] {
    const type = this.#builtinTypes.get(id);
    return type === undefined ? [] : [...this.liveOf(type)];
  }

  #insert(entry: Entry): void {
    this.#entries.set(entry.binding.id, entry);
    addTo(this.#byRegistrant, entry.binding.registrant, entry);
    addTo(this.#byTypeId, entry.binding.triggerType, entry);
  }

  #delete(entry: Entry): void {
    this.#entries.delete(entry.binding.id);
    removeFrom(this.#byRegistrant, entry.binding.registrant, entry);
    removeFrom(this.#byTypeId, entry.binding.triggerType, entry);
  }
}

function key(namespace: string, id: string): string {
  return JSON.stringify([namespace, id]);
}

function announce(type: TriggerType, binding: Binding): Delivery[] {
  if (type.connectionId === undefined) return [];
  const { id, triggerType, functionId, config, metadata, namespace, triggerNamespace } = binding;
  const frame = {
    type: "registertrigger",
    id,
    trigger_type: triggerType,
    function_id: functionId,
    config,
    ...(metadata !== undefined && { metadata }),
    ...(namespace !== DEFAULT_NAMESPACE && { namespace }),
    ...(triggerNamespace !== DEFAULT_NAMESPACE && { trigger_namespace: triggerNamespace }),
  };
  return [{ to: type.connectionId, frame }];
}

function withdraw(type: TriggerType, { id, triggerType }: Binding): Delivery[] {
  if (type.connectionId === undefined) return [];
  return [{ to: type.connectionId, frame: { type: "unregistertrigger", id, trigger_type: triggerType } }];
}

function addTo<Key, Value>(index: Map<Key, Set<Value>>, at: Key, value: Value): void {
  const values = index.get(at) ?? new Set<Value>();
  values.add(value);
  index.set(at, values);
}

function removeFrom<Key, Value>(index: Map<Key, Set<Value>>, at: Key, value: Value): void {
  const values = index.get(at);
  values?.delete(value);
  if (values?.size === 0) index.delete(at);
}
