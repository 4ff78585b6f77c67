/**
 * How a public or internal function is declared: once, here. The supervisor registers it with the engine, validates what comes in
 * and sends it to the actor; the same declaration gives the published schema and the TypeScript type.
 */
import type { Static, TSchema } from "typebox";
import type { ActorRoute } from "../actors.js";

export interface FunctionDefinition<Request extends TSchema = TSchema, Response extends TSchema = TSchema> {
  readonly id: string;
  readonly description: string;
  /** Published as it is; `internal: true` keeps a function out of every search. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Published as `request_format`. */
  readonly request: Request;
  /** What is really checked, where that is laxer than what is published because the actor has readable errors of its own. */
  readonly accepts?: TSchema;
  /** Published as `response_format`. */
  readonly response: Response;
  /** Who answers. `supervisor`: a handler of the supervisor itself (status, reload). */
  readonly route: ActorRoute | "supervisor";
  /** A flag of the configuration without which the function isn't registered at all. */
  readonly enabledBy?: "auto_download";
  /** Milliseconds a caller waits, where the contract of the method isn't the right limit. */
  readonly timeoutMs?: number;
}

export type RequestOf<Definition extends FunctionDefinition> = Static<Definition["request"]>;
export type ResponseOf<Definition extends FunctionDefinition> = Static<Definition["response"]>;
