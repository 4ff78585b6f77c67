/** What the worker has told the engine: its functions and its bindings, and how to tell it again when the engine has lost some. */
import type { Logger } from "../border/log.js";
import type { FunctionDefinition } from "../protocol/functions/definition.js";
import type { EngineConnection } from "./engine-connection.js";
import { type Binding, Presence } from "./presence.js";
import type { RouteHandler } from "./routes.js";

export interface RegistrationOptions {
  readonly engine: EngineConnection;
  readonly workerName: string;
  readonly handlerOf: (definition: FunctionDefinition) => RouteHandler;
  readonly log: Logger;
}

export class Registration {
  readonly presence: Presence;
  readonly #options: RegistrationOptions;
  readonly #definitions = new Map<string, FunctionDefinition>();
  readonly #bindings = new Map<Binding, () => void>();

  constructor(options: RegistrationOptions) {
    const { engine, workerName, log } = options;
    this.#options = options;
    this.presence = new Presence({
      bus: engine,
      workerName,
      workerId: () => engine.workerId,
      functionIds: () => [...this.#definitions.keys()],
      bindings: () => [...this.#bindings.keys()],
      registerAgain: (id) => this.#register(id),
      bindAgain: (binding) => this.bind(binding),
      log,
    });
  }

  /** Ids that are registered. */
  get ids(): string[] {
    return [...this.#definitions.keys()];
  }

  add(definition: FunctionDefinition): void {
    this.#definitions.set(definition.id, definition);
    this.#register(definition.id);
  }

  /** Binds, or binds again; returns the way to take it back for good. */
  bind(binding: Binding): () => void {
    this.#bindings.get(binding)?.();
    this.#bindings.set(binding, this.#options.engine.bind(binding.triggerType, binding.functionId, binding.config));
    return () => {
      this.#bindings.get(binding)?.();
      this.#bindings.delete(binding);
    };
  }

  #register(id: string): void {
    const definition = this.#definitions.get(id);
    if (definition !== undefined) this.#options.engine.register(definition, this.#options.handlerOf(definition));
  }
}
