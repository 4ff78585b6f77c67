/**
 * Answers of the registry, kept for a while. Only good ones; requests for the same thing share one. What was asked before a reload is never
 * kept after it: it may be another registry's answer.
 */
import { LRUCache } from "lru-cache";

const KEPT = 500;

interface Kept {
  readonly value: unknown;
  readonly at: number;
}

export class AnswerCache {
  readonly #kept = new LRUCache<string, Kept>({ max: KEPT });
  readonly #asking = new Map<string, Promise<unknown>>();
  readonly #now: () => number;
  #generation = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** `maxAgeMs` is looked at now, whatever it was when the answer came. */
  async get<Value>(key: readonly unknown[], maxAgeMs: number, ask: () => Promise<Value>): Promise<Value> {
    const name = JSON.stringify(key);
    const known = this.#kept.get(name);
    if (known !== undefined && this.#now() - known.at < maxAgeMs) return known.value as Value;
    const asking = this.#asking.get(name) ?? this.#ask(name, ask);
    return asking as Promise<Value>;
  }

  /** However old. */
  peek<Value>(key: readonly unknown[]): Value | undefined {
    return this.#kept.get(JSON.stringify(key))?.value as Value | undefined;
  }

  clear(): void {
    this.#generation++;
    this.#kept.clear();
    this.#asking.clear();
  }

  #ask(name: string, ask: () => Promise<unknown>): Promise<unknown> {
    const generation = this.#generation;
    const asking = ask()
      .then((value) => {
        if (generation === this.#generation) this.#kept.set(name, { value, at: this.#now() });
        return value;
      })
      .finally(() => {
        if (this.#asking.get(name) === asking) this.#asking.delete(name);
      });
    this.#asking.set(name, asking);
    return asking;
  }
}
