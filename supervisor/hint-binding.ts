/** The binding of the pre-generate hook, switched by `inject_hint`: one slot that holds at most one binding. */
import type { Logger } from "../border/log.js";

export const HINT_TRIGGER = "harness::hook::pre-generate";
/** A pre-generate hook that fails would end the turn of an agent; ours must never. */
export const HINT_CONFIG = { priority: 100, timeout_ms: 5_000, on_error: "fail_open" } as const;

export class HintBinding {
  readonly #bind: () => () => void;
  readonly #log: Logger;
  #unbind: (() => void) | undefined;

  constructor(bind: () => () => void, log: Logger) {
    this.#bind = bind;
    this.#log = log;
  }

  get bound(): boolean {
    return this.#unbind !== undefined;
  }

  /** Does nothing when the slot is as wanted. A binding that fails is tried again with the next reload. */
  reconcile(wanted: boolean): void {
    if (wanted === this.bound) return;
    try {
      if (wanted) this.#unbind = this.#bind();
      else this.#unbind?.();
    } catch (error) {
      this.#log.warn({ err: error, trigger: HINT_TRIGGER }, "the hint could not be bound");
      return;
    }
    if (!wanted) this.#unbind = undefined;
    this.#log.info(wanted ? "hint on" : "hint off");
  }
}
