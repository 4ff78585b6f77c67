/** `engine::workers::register`: a connection says who it is, and with that its registrations take effect. */
import { Type } from "typebox";
import { type BuiltinFunction, defineBuiltin, FUNCTIONS_WORKER } from "./builtin.js";
import type { Connection } from "./connections.js";
import { EngineError } from "./errors.js";
import { optional } from "./frames.js";
import type { EngineState } from "./state.js";

const MAX_CHARACTERS = 280;

/** Control characters, bidirectional overrides and isolates, and what breaks a line: they would falsify a listing. */
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu;

const TEXT = optional(Type.String());

export interface WorkerRegistration {
  /** Ends a connection that is already closing. */
  readonly retire: (connection: Connection) => void;
  /** Lets the registrations of a connection take effect. */
  readonly release: (connection: Connection) => void;
  readonly updated: (connection: Connection) => void;
}

export function workerRegistration(state: EngineState, { retire, release, updated }: WorkerRegistration): BuiltinFunction {
  return defineBuiltin({
    id: "engine::workers::register",
    worker: FUNCTIONS_WORKER,
    description: "Reports the name and the process of the calling worker. Functions registered before are served from then on.",
    request: Type.Object({
      runtime: TEXT,
      version: TEXT,
      name: TEXT,
      description: TEXT,
      os: TEXT,
      telemetry: optional(Type.Object({ language: TEXT, project_name: TEXT, framework: TEXT })),
      pid: optional(Type.Integer({ minimum: 0, maximum: 0xffffffff })),
      isolation: TEXT,
      namespace: TEXT,
    }),
    run: (input, connection) => {
      if (connection === undefined) throw new EngineError("deserialization_error", "only a connected worker can register itself");
      const namespace = namespaceOf(state, connection, input.namespace ?? undefined);
      const name = printable(input.name);
      if (name !== undefined && state.hasNamespaces && !leaseName(state, connection, namespace, name, retire))
        return { success: false };
      state.connections.describe(connection, namespace, {
        name,
        description: printable(input.description),
        runtime: input.runtime ?? undefined,
        version: input.version ?? undefined,
        os: input.os ?? undefined,
        isolation: input.isolation ?? undefined,
        pid: input.pid ?? undefined,
      });
      release(connection);
      updated(connection);
      return { success: true };
    },
  });
}

/** Fixed by the first metadata call, or by the end of the grace period. */
function namespaceOf(state: EngineState, connection: Connection, wanted: string | undefined): string {
  if (!state.hasNamespaces) return connection.namespace;
  if (wanted?.trim() === "") throw new EngineError("INVALID_NAMESPACE", "the namespace of a worker may be left out, but not blank");
  return connection.held === undefined ? connection.namespace : (wanted ?? connection.namespace);
}

/** A second live worker of a name is told so and disconnected. */
function leaseName(
  state: EngineState,
  connection: Connection,
  namespace: string,
  name: string,
  retire: (connection: Connection) => void,
): boolean {
  for (const owner of [...state.connections.named(namespace, name)]) {
    if (owner === connection) continue;
    if (!owner.isLive) {
      retire(owner);
      continue;
    }
    const code = "WORKER_NAMESPACE_CONFLICT";
    connection.send({ type: "registrationrejected", code, namespace, worker_name: name, owner_worker_id: owner.id });
    connection.close(1008, "the worker name is taken");
    return false;
  }
  return true;
}

function printable(text: string | null | undefined): string | undefined {
  const characters = [...(text ?? "").replace(UNPRINTABLE, "")];
  return characters.slice(0, MAX_CHARACTERS).join("").trim() || undefined;
}
