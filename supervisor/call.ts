/**
 * One call on its way to an actor: it settles exactly once, at the latest at its deadline, whatever becomes of the threads that it is
 * sent to. comlink's own promise is never handed to a caller, because it may stay pending for ever.
 */
import type { CallContext } from "../protocol/call.js";
import { DirectoryError } from "../protocol/errors.js";

export interface CallTarget {
  readonly actor: string;
  readonly method: string;
  readonly idempotent: boolean;
}

export class Call {
  readonly target: CallTarget;
  readonly request: unknown;
  readonly context: CallContext;
  readonly answer: Promise<unknown>;
  /** When it was sent to the thread last; epoch milliseconds. */
  sentAt = 0;
  /** Deaths of its actor that this call was in flight for. One makes it a suspect, two make it poison. */
  deaths = 0;
  settled = false;
  readonly #deadline: NodeJS.Timeout;
  readonly #onSettled: (call: Call) => void;
  #resolve!: (value: unknown) => void;
  #reject!: (error: DirectoryError) => void;

  constructor(target: CallTarget, request: unknown, context: CallContext, onSettled: (call: Call) => void) {
    this.target = target;
    this.request = request;
    this.context = context;
    this.#onSettled = onSettled;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const left = context.deadline - Date.now();
    this.#deadline = setTimeout(() => this.fail("deadline_exceeded", "gave no answer in time"), Math.max(0, left));
  }

  succeed(value: unknown): void {
    if (this.#settle()) this.#resolve(value);
  }

  /** Settles with an error of this side; the message names actor and method. */
  fail(code: DirectoryError["code"], what: string, detail?: unknown): void {
    this.failWith(new DirectoryError(code, `${this.target.actor}.${this.target.method} ${what}`, detail));
  }

  /** Settles with an error that came from the actor. */
  failWith(error: DirectoryError): void {
    if (this.#settle()) this.#reject(error);
  }

  #settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    clearTimeout(this.#deadline);
    this.#onSettled(this);
    return true;
  }
}
