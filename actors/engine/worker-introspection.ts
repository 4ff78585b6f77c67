/** `engine::workers::list` and `engine::workers::info`: connections that told who they are, and the parts of the engine itself. */
import { Type } from "typebox";
import { type BuiltinFunction, CONFIGURATION_WORKER, defineBuiltin, FUNCTIONS_WORKER } from "./builtin.js";
import { type Connection, DEFAULT_NAMESPACE } from "./connections.js";
import { EngineError } from "./errors.js";
import { optional } from "./frames.js";
import { bindingRow, byText, containing, functionOwner, functionRow, nameOf, typeOwner, typeRow } from "./introspection.js";
import type { EngineState } from "./state.js";

interface WorkerRow {
  readonly name: string | null;
  readonly id: string;
  readonly runtime: string | null;
  readonly status: string;
}

const IN_PROCESS = [CONFIGURATION_WORKER, FUNCTIONS_WORKER];

const TEXT = optional(Type.String());

export function workerIntrospection(state: EngineState): BuiltinFunction[] {
  return [
    defineBuiltin({
      id: "engine::workers::list",
      worker: FUNCTIONS_WORKER,
      description: "Lists the workers that are connected and have reported a process id, and those inside the engine.",
      request: Type.Object({ search: TEXT, runtime: TEXT, status: TEXT }),
      run: ({ search, runtime, status }) => {
        const connected = [...state.connections.all()].filter(({ metadata }) => metadata?.pid !== undefined);
        const rows = [
          ...IN_PROCESS.map((name) => inProcessRow(state, name)),
          ...connected.map((connection) => connectedRow(state, connection)),
        ].filter(
          (row) =>
            containing(search, row.name ?? undefined) &&
            (runtime == null || row.runtime === runtime) &&
            (status == null || row.status === status),
        );
        return {
          workers: rows.sort((left, right) => byText(left.name ?? left.id, right.name ?? right.id) || byText(left.id, right.id)),
        };
      },
    }),
    defineBuiltin({
      id: "engine::workers::info",
      worker: FUNCTIONS_WORKER,
      description: "Describes one worker by its name, with its functions, trigger types and triggers.",
      request: Type.Object({ name: Type.String(), namespace: TEXT }),
      run: ({ name, namespace }) => {
        const wanted = state.hasNamespaces ? (namespace ?? DEFAULT_NAMESPACE) : DEFAULT_NAMESPACE;
        const [connection] = state.connections.named(wanted, name);
        if (connection !== undefined) {
          const { pid } = connection.metadata ?? {};
          const worker = { ...connectedRow(state, connection), ...(pid !== undefined && { pid }), internal: false };
          return { worker, ...belongings(state, name, connection) };
        }
        if (!IN_PROCESS.includes(name)) throw new EngineError("NOT_FOUND", `worker ${name} is not connected`);
        return { worker: { ...inProcessRow(state, name), internal: true }, ...belongings(state, name, undefined) };
      },
    }),
  ];
}

function belongings(state: EngineState, name: string, connection: Connection | undefined): object {
  const functions = [...state.functions.all()].filter((record) =>
    connection === undefined
      ? record.connectionId === undefined && functionOwner(state, record) === name
      : record.connectionId === connection.id,
  );
  const types = [...state.triggers.types()].filter((type) =>
    connection === undefined
      ? type.connectionId === undefined && typeOwner(state, type) === name
      : type.connectionId === connection.id,
  );
  const targets = new Set(functions.map(({ id }) => id));
  return {
    functions: functions.sort((left, right) => byText(left.id, right.id)).map((record) => functionRow(state, record)),
    trigger_types: types.sort((left, right) => byText(left.id, right.id)).map((type) => typeRow(state, type)),
    registered_triggers: [...state.triggers.allLive()]
      .filter(({ functionId }) => targets.has(functionId))
      .sort((left, right) => byText(left.id, right.id))
      .map((binding) => bindingRow(state, binding)),
  };
}

function connectedRow(state: EngineState, connection: Connection): WorkerRow {
  const { metadata } = connection;
  return {
    name: nameOf(connection) ?? null,
    description: metadata?.description ?? null,
    version: metadata?.version ?? null,
    id: connection.id,
    ...(state.hasNamespaces && { namespace: connection.namespace }),
    runtime: metadata?.runtime ?? null,
    os: metadata?.os ?? null,
    status: "connected",
    function_count: state.functions.countOf(connection.id),
    connected_at_ms: connection.connectedAtMs,
    active_invocations: state.invocations.countExecutedBy(connection.id),
    isolation: metadata?.isolation ?? null,
    ip_address: connection.remoteAddress,
  } as WorkerRow;
}

function inProcessRow(state: EngineState, name: string): WorkerRow {
  return {
    name,
    description: null,
    version: state.version,
    id: name,
    ...(state.hasNamespaces && { namespace: DEFAULT_NAMESPACE }),
    runtime: "engine",
    os: null,
    status: "available",
    function_count: [...state.functions.all()].filter(({ builtin }) => builtin?.worker === name).length,
    connected_at_ms: state.startedAtMs,
    active_invocations: 0,
    isolation: "in-process",
    ip_address: null,
  } as WorkerRow;
}
