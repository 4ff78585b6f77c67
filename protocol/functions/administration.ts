/** For operators: how the actors are, and restarting one. Internal, so that no search shows them. */
import { type Static, Type } from "typebox";
import type { FunctionDefinition } from "./definition.js";

const MethodLatency = Type.Object({
  calls: Type.Integer({ description: "Calls answered since the start." }),
  p50: Type.Number({ description: "Milliseconds, over the last 256 calls." }),
  p95: Type.Number({ description: "Milliseconds, over the last 256 calls." }),
});

const ActorState = Type.Object({
  state: Type.Union([
    Type.Literal("starting"),
    Type.Literal("running"),
    Type.Literal("waiting"),
    Type.Literal("degraded"),
    Type.Literal("stopped"),
  ]),
  restarts: Type.Integer(),
  in_flight: Type.Integer({ description: "Calls waiting or being worked on." }),
  last_error: Type.Optional(Type.String({ description: "Why its thread ended last." })),
  methods: Type.Record(Type.String(), MethodLatency),
  heap_bytes: Type.Optional(Type.Integer({ description: "JavaScript heap of its thread, at the last beat of its pulse." })),
  buffer_bytes: Type.Optional(Type.Integer({ description: "Buffers of its thread; shared memory isn't counted." })),
  report: Type.Optional(Type.Unknown({ description: "What the actor says of itself." })),
});

export const StatusRequest = Type.Object({}, { title: "StatusRequest" });

export const StatusResponse = Type.Object(
  {
    version: Type.String(),
    uptime_ms: Type.Integer(),
    engine: Type.Object({ url: Type.String(), connected: Type.Boolean(), embedded: Type.Boolean() }),
    configuration_generation: Type.Integer(),
    rss_bytes: Type.Integer({ description: "Of the process with all of its threads." }),
    heap_bytes: Type.Integer({ description: "JavaScript heap of the main thread." }),
    event_loop_delay_ms: Type.Object(
      { p50: Type.Number(), p99: Type.Number(), max: Type.Number() },
      { description: "How late the main thread was since the last status." },
    ),
    actors: Type.Record(Type.String(), ActorState),
  },
  { title: "StatusResponse" },
);
export type StatusResponse = Static<typeof StatusResponse>;

export const RestartRequest = Type.Object(
  { actor: Type.String({ minLength: 1, description: "Name of the actor, as in the status." }) },
  { title: "RestartRequest" },
);

export const RestartResponse = Type.Object({ ok: Type.Literal(true), actor: Type.String() }, { title: "RestartResponse" });

export const STATUS_FUNCTION: FunctionDefinition = {
  id: "iii-directory::status",
  description: "State, restarts, last error, calls in flight and latencies of every actor of the directory worker.",
  metadata: { internal: true },
  request: StatusRequest,
  response: StatusResponse,
  route: "supervisor",
};

export const RESTART_FUNCTION: FunctionDefinition = {
  id: "iii-directory::actors::restart",
  description: "Ends the thread of one actor and starts a new one. Calls that can be repeated are repeated.",
  metadata: { internal: true },
  request: RestartRequest,
  response: RestartResponse,
  route: "supervisor",
};

export const CONFIG_CHANGE_FUNCTION: FunctionDefinition = {
  id: "directory::on-config-change",
  description: "Internal: reads the stored configuration again after it was changed, and applies it when that needs no restart.",
  metadata: { internal: true },
  request: Type.Object({}, { title: "OnConfigChangeRequest" }),
  response: Type.Object({ ok: Type.Boolean() }, { title: "OnConfigChangeResponse" }),
  route: "supervisor",
  timeoutMs: 30_000,
};

export const ADMINISTRATION_FUNCTIONS: readonly FunctionDefinition[] = [STATUS_FUNCTION, RESTART_FUNCTION, CONFIG_CHANGE_FUNCTION];
