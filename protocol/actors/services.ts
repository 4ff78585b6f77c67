/** What the supervisor does for actors: it alone owns the connection to the engine. */
import type { CallContext } from "../call.js";
import type { Doorbell } from "../doorbells.js";

export interface EngineCall {
  readonly functionId: string;
  readonly payload: unknown;
  /** Milliseconds for one attempt; the deadline of the context holds as well. */
  readonly timeoutMs?: number;
  /** Asked once more when an answer doesn't come: the engine can lose one. Only for calls that change nothing. */
  readonly idempotent?: boolean;
}

export interface EngineBus {
  /** The answer of the function; rejects with `engine_error`, `detail: { code }` being the engine's own code. */
  call(request: EngineCall, context: CallContext): Promise<unknown>;
}

export interface DoorbellService {
  /** Tells the subscribers of a family. Returns at once; a subscriber that fails is logged. */
  ring(request: Doorbell, context: CallContext): Promise<void>;
}

export interface SupervisorServices {
  readonly bus: EngineBus;
  readonly doorbells: DoorbellService;
}

/** Names and methods of the services, for the facade that the supervisor offers. */
export const SERVICE_METHODS: {
  readonly [Name in keyof SupervisorServices]: readonly (keyof SupervisorServices[Name] & string)[];
} = {
  bus: ["call"],
  doorbells: ["ring"],
};
