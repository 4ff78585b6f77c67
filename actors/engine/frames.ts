/**
 * The frames of the worker protocol. What a worker sends is checked against these schemas before anything looks at it; a frame that
 * doesn't fit is dropped without an answer, as the real engine does. An optional key may be absent or null. Unknown keys are ignored.
 */
import { Ajv, type ValidateFunction } from "ajv";
import { type Static, type TSchema, Type } from "typebox";

export function optional<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

const TEXT = Type.String();
const UUID = Type.String({ pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" });

/** Any JSON. The key must be there, null is a value. */
const ANY = Type.Unknown();

export const ErrorBody = Type.Object({ code: TEXT, message: TEXT, stacktrace: optional(TEXT) });
export type ErrorBody = Static<typeof ErrorBody>;

const Action = Type.Union([
  Type.Object({ type: Type.Literal("void") }),
  Type.Object({ type: Type.Literal("enqueue"), queue: TEXT }),
]);

export const RegisterFunction = Type.Object({
  type: Type.Literal("registerfunction"),
  id: TEXT,
  description: optional(TEXT),
  request_format: Type.Optional(ANY),
  response_format: Type.Optional(ANY),
  metadata: Type.Optional(ANY),
});
export type RegisterFunction = Static<typeof RegisterFunction>;

export const RegisterTriggerType = Type.Object({
  type: Type.Literal("registertriggertype"),
  id: TEXT,
  description: TEXT,
  trigger_request_format: Type.Optional(ANY),
  call_request_format: Type.Optional(ANY),
  namespace: optional(TEXT),
});
export type RegisterTriggerType = Static<typeof RegisterTriggerType>;

export const RegisterTrigger = Type.Object({
  type: Type.Literal("registertrigger"),
  id: TEXT,
  trigger_type: TEXT,
  function_id: TEXT,
  config: ANY,
  metadata: Type.Optional(ANY),
  namespace: optional(TEXT),
  trigger_namespace: optional(TEXT),
});
export type RegisterTrigger = Static<typeof RegisterTrigger>;

export const InvokeFunction = Type.Object({
  type: Type.Literal("invokefunction"),
  function_id: TEXT,
  data: ANY,
  invocation_id: optional(UUID),
  traceparent: optional(TEXT),
  baggage: optional(TEXT),
  action: optional(Action),
  metadata: Type.Optional(ANY),
  namespace: optional(TEXT),
});
export type InvokeFunction = Static<typeof InvokeFunction>;

export const InvocationResult = Type.Object({
  type: Type.Literal("invocationresult"),
  invocation_id: UUID,
  function_id: TEXT,
  result: Type.Optional(ANY),
  error: optional(ErrorBody),
});
export type InvocationResult = Static<typeof InvocationResult>;

export const TriggerRegistrationResult = Type.Object({
  type: Type.Literal("triggerregistrationresult"),
  id: TEXT,
  trigger_type: TEXT,
  function_id: TEXT,
  error: optional(ErrorBody),
});
export type TriggerRegistrationResult = Static<typeof TriggerRegistrationResult>;

const Reattach = Type.Object({ type: Type.Literal("reattach"), previous_worker_id: TEXT, reattach_token: optional(TEXT) });
const UnregisterFunction = Type.Object({ type: Type.Literal("unregisterfunction"), id: TEXT });
const UnregisterTrigger = Type.Object({ type: Type.Literal("unregistertrigger"), id: TEXT, trigger_type: optional(TEXT) });
const RegisterService = Type.Object({ type: Type.Literal("registerservice"), id: TEXT });
const Ping = Type.Object({ type: Type.Literal("ping") });
const Pong = Type.Object({ type: Type.Literal("pong") });

const SCHEMAS = [
  RegisterFunction,
  UnregisterFunction,
  RegisterTriggerType,
  RegisterTrigger,
  UnregisterTrigger,
  TriggerRegistrationResult,
  InvokeFunction,
  InvocationResult,
  Reattach,
  RegisterService,
  Ping,
  Pong,
] as const;

/** Everything that a worker may say. */
export type WorkerFrame = Static<(typeof SCHEMAS)[number]>;

/** Registrations: what the newer generation holds back until a connection has said who it is. */
export type RegistrationFrame = Extract<
  WorkerFrame,
  {
    type:
      | "registerfunction"
      | "unregisterfunction"
      | "registerservice"
      | "registertriggertype"
      | "registertrigger"
      | "unregistertrigger";
  }
>;

const ajv = new Ajv({ strict: false });
const VALIDATORS: ReadonlyMap<string, ValidateFunction> = new Map(
  SCHEMAS.map((schema) => [schema.properties.type.const, ajv.compile(schema)]),
);

/** Binary messages that begin like this are telemetry, on whatever path they come. */
const TELEMETRY = ["OTLP", "MTRC", "LOGS"];

/** Levels of nesting in a frame. Reading JSON works at any depth, writing it doesn't; the real engine's parser has this limit too. */
const MAX_DEPTH = 128;

/** The frame in a message; undefined when it is blank, telemetry, no JSON, nested too deeply, of an unknown type, or incomplete. */
export function decodeFrame(message: Buffer, isBinary: boolean): WorkerFrame | undefined {
  if (isBinary && TELEMETRY.includes(message.toString("latin1", 0, 4))) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(message.toString("utf8"));
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || isDeeperThan(MAX_DEPTH, value)) return undefined;
  const { type } = value as { type?: unknown };
  const isValid = typeof type === "string" ? VALIDATORS.get(type) : undefined;
  return isValid?.(value) ? (value as WorkerFrame) : undefined;
}

function isDeeperThan(limit: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(limit - 1, member));
}
