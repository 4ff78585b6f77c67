/** The trigger type of this worker: whoever binds a function to it is called at an interval for as long as the binding lives. */
import type { CallFunction } from "./alarm-clock.js";

interface Binding {
  readonly id: string;
  readonly function_id: string;
  readonly config: unknown;
}

const SHORTEST_SECONDS = 1;
const LONGEST_SECONDS = 24 * 3_600;

export class IntervalTrigger {
  readonly #call: CallFunction;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(call: CallFunction) {
    this.#call = call;
  }

  /** The engine tells of a binding again after each reconnect. */
  async registerTrigger({ id, function_id, config }: Binding): Promise<void> {
    const seconds = Number((config as { every_seconds?: unknown } | undefined)?.every_seconds);
    if (!(seconds >= SHORTEST_SECONDS && seconds <= LONGEST_SECONDS)) {
      throw new Error(`invalid_request: every_seconds must be a number from ${SHORTEST_SECONDS} to ${LONGEST_SECONDS}`);
    }
    clearInterval(this.#timers.get(id));
    const ring = (): void => {
      this.#call(function_id, {}).catch((error: unknown) => console.error(`schedule: ${function_id}: ${(error as Error).message}`));
    };
    this.#timers.set(id, setInterval(ring, seconds * 1000));
  }

  async unregisterTrigger({ id }: Pick<Binding, "id">): Promise<void> {
    clearInterval(this.#timers.get(id));
    this.#timers.delete(id);
  }
}
