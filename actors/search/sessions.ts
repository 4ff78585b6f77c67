/**
 * What the search remembers of a session, so that it doesn't send the same candidates and rules again and again. The key comes from the
 * caller's baggage and proves nothing: it is a cache key, and without one everything counts as sent for the first time.
 *
 * Memory only. When it is lost everything is sent again, which is safe.
 */
import { LRUCache } from "lru-cache";
import type { CallContext } from "../../protocol/call.js";
import { FruitlessSearches } from "./fruitless.js";
import type { HintMemory } from "./hint/hook.js";
import type { HintRecord } from "./hint/once-a-turn.js";

export const SESSION_LIMIT = 1_024;

/** Ids that one session remembers; the oldest are forgotten, and would merely be sent again. */
const DELIVERED_LIMIT = 4_096;

const BAGGAGE_KEY = "iii.session.id";

/** Blocks of guidance that are sent in full once a session. */
export type Preamble = "candidates" | "install";

/** Which of the selected functions are sent, and which are only named. */
export interface Delivery {
  readonly fresh: readonly string[];
  readonly repeated: readonly string[];
}

export class Session {
  #fingerprint: string | undefined;
  readonly #delivered = new Set<string>();
  readonly #preambles = new Set<Preamble>();
  readonly fruitless = new FruitlessSearches();
  /** Outlives a change of the catalog: it belongs to a turn. */
  hint: HintRecord | undefined;

  /** Called first in each search: other contracts make what was sent before worthless. */
  meet(fingerprint: string): void {
    if (this.#fingerprint === fingerprint) return;
    this.#fingerprint = fingerprint;
    this.#forget();
    this.fruitless.clear();
  }

  /**
   * Splits a selection and remembers what is sent. A search that would show nothing but repetitions sends everything again: then
   * the caller has most likely lost what it had, as models do when their context is compacted.
   */
  deliver(selected: readonly string[]): Delivery {
    const repeated = selected.filter((id) => this.#delivered.has(id));
    if (repeated.length > 0 && repeated.length === selected.length) {
      this.#preambles.clear();
      return { fresh: selected, repeated: [] };
    }
    const fresh = selected.filter((id) => !this.#delivered.has(id));
    for (const id of fresh) this.#delivered.add(id);
    for (const id of this.#delivered) {
      if (this.#delivered.size <= DELIVERED_LIMIT) break;
      this.#delivered.delete(id);
    }
    return { fresh, repeated };
  }

  /** True when the block hasn't been sent, and from then on it has. */
  isFirst(preamble: Preamble): boolean {
    const first = !this.#preambles.has(preamble);
    this.#preambles.add(preamble);
    return first;
  }

  #forget(): void {
    this.#delivered.clear();
    this.#preambles.clear();
  }
}

/** The sessions used last. */
export class Sessions implements HintMemory {
  readonly #sessions = new LRUCache<string, Session>({ max: SESSION_LIMIT });

  /** A new one when it isn't known, or when the caller names none. */
  of({ baggage }: CallContext): Session {
    const id = baggage?.[BAGGAGE_KEY];
    return id ? this.#get(id) : new Session();
  }

  hintOf(id: string): HintRecord | undefined {
    return this.#sessions.get(id)?.hint;
  }

  rememberHint(id: string, record: HintRecord): void {
    this.#get(id).hint = record;
  }

  #get(id: string): Session {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = new Session();
    this.#sessions.set(id, session);
    return session;
  }
}
