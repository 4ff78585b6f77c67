/** When an evaluation must be over. On the monotonic clock: setting the time of the machine neither shortens nor renews it. */
import { JevFailure } from "./failure.js";

export class Deadline {
  readonly #end: number;

  constructor(leftMs: number) {
    this.#end = performance.now() + leftMs;
  }

  get left(): number {
    return this.#end - performance.now();
  }

  /** Call it before each step: nothing may be sent, and nothing may count, once the time is up. */
  check(): void {
    if (this.left <= 0) throw new JevFailure("deadline");
  }
}
