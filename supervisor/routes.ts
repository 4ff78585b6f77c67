/**
 * The way of a request: from the engine to the one actor that answers it. What every request has in common happens here: the check
 * against its schema, its deadline, its configuration, and the shape of its error.
 */
import { randomUUID } from "node:crypto";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { Logger } from "../border/log.js";
import { condenseHookRequest } from "../domain/hook-request.js";
import { type ActorName, type Actors, CONTRACTS } from "../protocol/actors.js";
import type { CallContext, MethodContract } from "../protocol/call.js";
import { DirectoryError } from "../protocol/errors.js";
import type { FunctionDefinition } from "../protocol/functions/definition.js";
import { toWireError } from "./wire-errors.js";

export type RouteHandler = (payload: unknown, baggage: Readonly<Record<string, string>>) => Promise<unknown>;

/** Answers of the supervisor itself, by function id. */
export type OwnHandlers = Readonly<Record<string, (request: unknown, context: CallContext) => Promise<unknown>>>;

export interface RouteOptions {
  readonly actors: Actors;
  readonly own: OwnHandlers;
  /** Number of the current configuration. */
  readonly generation: () => number;
  readonly log: Logger;
}

/** Requests that are made small before they cross to a thread, by function id. */
const CONDENSED: Readonly<Record<string, (request: never) => unknown>> = { "directory::pre-generate": condenseHookRequest };

const OWN_TIMEOUT_MS = 5_000;
const ajv = new Ajv({ strict: false, allErrors: false });

export function routeOf(definition: FunctionDefinition, { actors, own, generation, log }: RouteOptions): RouteHandler {
  const timeoutMs = timeoutOf(definition);
  const answer = answererOf(definition, actors, own);
  // Compiled with the first request: forty validators at start would cost more than the rest of the start.
  let validate: ValidateFunction | undefined;
  return async (payload, baggage) => {
    const request = payload ?? {};
    const context = { requestId: randomUUID(), deadline: Date.now() + timeoutMs, baggage, configuration: generation() };
    try {
      validate ??= ajv.compile(definition.accepts ?? definition.request);
      if (!validate(request)) throw new DirectoryError("invalid_request", `${definition.id}: ${describe(validate.errors ?? [])}`);
      return await answer(CONDENSED[definition.id]?.(request as never) ?? request, context);
    } catch (error) {
      log.debug({ function: definition.id, requestId: context.requestId, err: error }, "answered with an error");
      throw toWireError(error);
    }
  };
}

function timeoutOf({ route, timeoutMs }: FunctionDefinition): number {
  if (timeoutMs !== undefined) return timeoutMs;
  if (route === "supervisor") return OWN_TIMEOUT_MS;
  const [actor, method] = route;
  return (CONTRACTS[actor].methods as Readonly<Record<string, MethodContract>>)[method]?.timeoutMs ?? OWN_TIMEOUT_MS;
}

type Answer = (request: unknown, context: CallContext) => Promise<unknown>;

function answererOf({ id, route }: FunctionDefinition, actors: Actors, own: OwnHandlers): Answer {
  const answer = route === "supervisor" ? own[id] : methodOf(actors, route[0], route[1]);
  if (answer === undefined) throw new Error(`${id} has a route to nobody: ${String(route)}`);
  return answer;
}

function methodOf(actors: Actors, actor: ActorName, method: string): Answer | undefined {
  return (actors[actor] as unknown as Readonly<Record<string, Answer>>)[method];
}

/** Names the field and what it should be; never its value. */
function describe(errors: readonly ErrorObject[]): string {
  const [first] = errors;
  if (first === undefined) return "the request doesn't fit its schema";
  const field = first.instancePath.slice(1).replaceAll("/", ".");
  return `${field === "" ? "the request" : field} ${first.message ?? "is not valid"}`;
}
