/**
 * What the example workers have in common: each is an ordinary worker of the engine, made with the unmodified SDK, that offers
 * functions with a description and the schemas of request and response. That is all the directory needs to find them.
 */
import { Ajv, type ValidateFunction } from "ajv";
import { type IIIClient, registerWorker } from "iii-sdk";
import type { RegisterFunctionFormat } from "iii-sdk/protocol";
import type { Static, TSchema } from "typebox";

export interface Offer {
  readonly id: string;
  readonly description: string;
  readonly request: TSchema;
  readonly response: TSchema;
  /** Takes what fits the request schema. An error's message goes to the caller as it is. */
  readonly answer: (request: never) => unknown;
}

/** An offer whose answer is checked by the compiler against its own schemas. */
export function offer<Request extends TSchema, Response extends TSchema>(declared: {
  readonly id: string;
  readonly description: string;
  readonly request: Request;
  readonly response: Response;
  readonly answer: (request: Static<Request>) => Static<Response> | Promise<Static<Response>>;
}): Offer {
  return declared;
}

/** Announced to whoever started this process with a channel to it. */
export interface ExampleReady {
  readonly ready: true;
  readonly name: string;
  readonly functions: number;
}

export interface Example {
  readonly name: string;
  readonly description: string;
  readonly offers: readonly Offer[];
}

const ajv = new Ajv({ strict: false });
const DEFAULT_URL = "ws://127.0.0.1:49134";

/** Connects first, so that an example can use the engine in its answers. */
export function connectExample({ name, description }: Pick<Example, "name" | "description">): IIIClient {
  return registerWorker(process.env["III_URL"]?.trim() || DEFAULT_URL, {
    workerName: name,
    workerDescription: description,
    enableMetricsReporting: false,
    otel: { enabled: false },
  });
}

/** Registers every function and serves until SIGTERM, SIGINT or the end of the process that started this one. */
export async function serveExample({ name, description, offers }: Example, worker?: IIIClient): Promise<void> {
  const client = worker ?? connectExample({ name, description });
  for (const { id, description: text, request, response, answer } of offers) {
    const handler = checked(request, answer);
    client.registerFunction(id, handler, {
      description: text,
      request_format: request as RegisterFunctionFormat,
      response_format: response as RegisterFunctionFormat,
    });
  }
  const stop = (): void => void client.shutdown().finally(() => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  process.once("disconnect", stop);
  await registered(client, offers);
  process.send?.({ ready: true, name, functions: offers.length } satisfies ExampleReady);
}

/** A handler that refuses what doesn't fit the schema, in one line that names the field. */
export function checked(schema: TSchema, answer: Offer["answer"]): (payload: unknown) => Promise<unknown> {
  // Compiled with the first call.
  let fits: ValidateFunction | undefined;
  return async (payload) => {
    const request = withoutCaller(payload);
    fits ??= ajv.compile(schema);
    if (!fits(request)) throw new Error(`invalid_request: ${complaint(fits)}`);
    return answer(request as never);
  };
}

/** The engine adds the id of the calling worker to every payload. */
function withoutCaller(payload: unknown): unknown {
  if (payload === null || typeof payload !== "object" || Array.isArray(payload)) return payload ?? {};
  const { _caller_worker_id, ...request } = payload as Record<string, unknown>;
  return request;
}

function complaint({ errors }: ValidateFunction): string {
  const [first] = errors ?? [];
  const field = first?.instancePath.slice(1).replaceAll("/", ".") || "the request";
  const extra = (first?.params as { additionalProperty?: string } | undefined)?.additionalProperty;
  return extra === undefined ? `${field} ${first?.message ?? "doesn't fit"}` : `${field} has an unknown field "${extra}"`;
}

/** The SDK sends registrations without an answer; the engine's list says when they have arrived. */
async function registered(client: IIIClient, offers: readonly Offer[]): Promise<void> {
  const mine = new Set(offers.map(({ id }) => id));
  for (;;) {
    const { functions } = await client
      .trigger<object, { functions: { function_id: string }[] }>({ function_id: "engine::functions::list", payload: {} })
      .catch(() => ({ functions: [] }));
    if (functions.filter(({ function_id }) => mine.has(function_id)).length === mine.size) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
}
