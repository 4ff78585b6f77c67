/**
 * Who subscribed to which family of content, and ringing them. Subscriptions live here and not in an actor: they must outlive every
 * restart of the watcher. The engine tells them again after a reconnect, under the same ids.
 */
import type { Logger } from "../border/log.js";
import type { DoorbellService } from "../protocol/actors/services.js";
import { type ContentFamily, DOORBELL_TYPES, type Doorbell } from "../protocol/doorbells.js";
import type { EngineConnection, Subscription } from "./engine-connection.js";

const DESCRIPTIONS: { readonly [Family in ContentFamily]: string } = {
  skills: "Rings when a skill is created, changed, removed or downloaded, by this worker or by somebody else.",
  "system-prompts": "Rings when a system prompt is created, changed or removed, by this worker or by somebody else.",
  prompts: "Rings when a command prompt changes on disk or comes with a download.",
  agents: "Rings when an agent profile is created, changed or removed, by this worker or by somebody else.",
};

type Publisher = Pick<EngineConnection, "publish" | "provide">;

export class Doorbells implements DoorbellService {
  readonly #log: Logger;
  readonly #subscriptions = new Map<ContentFamily, Map<string, Subscription>>();
  #engine: Publisher | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Offers the trigger types to the engine. Before any function: whoever can write must find its subscribers. */
  offerTo(engine: Publisher): void {
    this.#engine = engine;
    for (const [family, type] of Object.entries(DOORBELL_TYPES) as [ContentFamily, string][]) {
      const subscriptions = new Map<string, Subscription>();
      this.#subscriptions.set(family, subscriptions);
      engine.provide(
        { id: type, description: DESCRIPTIONS[family] },
        {
          add: (subscription) => {
            subscriptions.set(subscription.id, subscription);
            this.#log.info({ type, id: subscription.id, function: subscription.functionId }, "subscribed");
          },
          remove: (id) => {
            if (subscriptions.delete(id)) this.#log.info({ type, id }, "unsubscribed");
          },
        },
      );
    }
  }

  async ring({ family, payload }: Doorbell): Promise<void> {
    for (const { id, functionId, metadata, namespace } of [...(this.#subscriptions.get(family)?.values() ?? [])]) {
      try {
        this.#engine?.publish({ functionId, payload, metadata, namespace });
      } catch (error) {
        this.#log.warn({ family, id, function: functionId, err: error }, "a subscriber could not be told");
      }
    }
  }

  /** Number of subscribers of each family, for the status. */
  get counts(): Record<string, number> {
    return Object.fromEntries([...this.#subscriptions].map(([family, { size }]) => [family, size]));
  }
}
