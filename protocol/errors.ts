/**
 * The one error that crosses a border. Threads share no classes and no stacks worth reading, so what travels is plain data; the
 * stack stays in the log of the side that threw.
 */

/** Faults of the machinery between caller and actor. */
export type RuntimeCode =
  /** The thread that held the call died, and the call may not or must not be sent again. */
  | "actor_restarted"
  /** Restart intensity exceeded: the actor is being probed, calls fail fast. */
  | "actor_degraded"
  | "busy"
  | "deadline_exceeded"
  | "shutting_down"
  | "invalid_request"
  /** The engine refused or failed a call that we made; `detail.code` is the engine's own code. */
  | "engine_error"
  /** Remote judging failed; `detail` is a JudgeFailureDetail. A search falls back, so no caller of the worker sees it. */
  | "judge_failed"
  /** The console asked for an asset that there isn't. */
  | "UNKNOWN_UI_ASSET"
  /** An actor threw something that isn't a DirectoryError. */
  | "internal";

/** A code of the public error catalogue, for example `D110`: the message of such an error starts with its name, `not_found: ...`. */
export type CatalogueCode = `D${number}`;

export type ErrorCode = RuntimeCode | CatalogueCode;

/** A DirectoryError as it looks in a message. */
export interface ErrorMessage {
  readonly code: ErrorCode;
  readonly message: string;
  /** Structured-cloneable. */
  readonly detail?: unknown;
}

export class DirectoryError extends Error implements ErrorMessage {
  override readonly name = "DirectoryError";
  readonly code: ErrorCode;
  readonly detail?: unknown;

  constructor(code: ErrorCode, message: string, detail?: unknown) {
    super(message);
    this.code = code;
    if (detail !== undefined) this.detail = detail;
  }
}
