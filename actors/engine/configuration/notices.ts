/** The trigger type `configuration`: tells those who asked that an entry came, changed, or went. */
import { Ajv } from "ajv";
import { type Static, Type } from "typebox";
import type { Calls } from "../calls.js";
import { DEFAULT_NAMESPACE } from "../connections.js";
import { optional } from "../frames.js";
import type { EngineState } from "../state.js";
import type { Binding } from "../trigger-store.js";
import type { ConfigurationEvent } from "./store.js";

const TYPE_ID = "configuration";

/** Events whose listeners are still being called. Beyond that the oldest is given up: what it says is out of date anyway. */
const MAX_OPEN_EVENTS = 256;

const Filter = Type.Object({
  configuration_id: optional(Type.String()),
  event_types: optional(
    Type.Array(
      Type.Union([
        Type.Literal("configuration:registered"),
        Type.Literal("configuration:updated"),
        Type.Literal("configuration:deleted"),
      ]),
    ),
  ),
  condition_function_id: optional(Type.String()),
});
type Filter = Static<typeof Filter>;

const isFilter = new Ajv({ strict: false }).compile(Filter);

interface OpenEvent {
  isGivenUp: boolean;
}

export class ConfigurationNotices {
  readonly #state: EngineState;
  readonly #calls: Calls;
  readonly #open = new Set<OpenEvent>();

  constructor(state: EngineState, calls: Calls) {
    this.#state = state;
    this.#calls = calls;
    state.triggers.addBuiltinType({
      id: TYPE_ID,
      namespace: DEFAULT_NAMESPACE,
      description: "Fires when a configuration is registered, updated or deleted.",
      configurationSchema: Filter,
      refuse: (config) => {
        if (isFilter(config)) return undefined;
        const [error] = isFilter.errors ?? [];
        return `config${error?.instancePath ?? ""} ${error?.message ?? "doesn't fit"}`;
      },
    });
  }

  /** Returns at once. The listeners of one event are called one after the other; events don't wait for each other. */
  tell(event: ConfigurationEvent): void {
    const listeners = this.#state.triggers.liveOfBuiltin(TYPE_ID).filter(({ config }) => wants(config as Filter, event));
    if (listeners.length > 0) void this.#tellAll(listeners, event);
  }

  async #tellAll(listeners: readonly Binding[], event: ConfigurationEvent): Promise<void> {
    const open: OpenEvent = { isGivenUp: false };
    this.#open.add(open);
    const [oldest] = this.#open;
    if (this.#open.size > MAX_OPEN_EVENTS && oldest !== undefined) {
      oldest.isGivenUp = true;
      this.#open.delete(oldest);
      this.#state.log.warn("listeners of configuration changes are too slow; an old change is not told to all of them");
    }
    for (const listener of listeners) {
      if (open.isGivenUp) return;
      // It may have been unregistered while an earlier one was called.
      if (this.#state.triggers.live(listener.id)?.binding === listener) await this.#tellOne(listener, event);
    }
    this.#open.delete(open);
  }

  async #tellOne({ config, functionId, namespace, metadata }: Binding, event: ConfigurationEvent): Promise<void> {
    const { condition_function_id: condition } = config as Filter;
    if (condition != null) {
      const outcome = await this.#calls.call(condition, namespace, event);
      if ("error" in outcome || outcome.result === false) return;
    }
    const outcome = await this.#calls.call(functionId, namespace, event, metadata);
    if ("error" in outcome) {
      this.#state.log.warn({ function: functionId, code: outcome.error.code }, "a listener of configuration changes failed");
    }
  }
}

function wants({ configuration_id, event_types }: Filter, { id, event_type }: ConfigurationEvent): boolean {
  return (configuration_id == null || configuration_id === id) && (event_types == null || event_types.includes(event_type));
}
