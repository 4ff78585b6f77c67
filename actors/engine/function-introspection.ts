/** `engine::functions::list` and `engine::functions::info`. */
import { Type } from "typebox";
import { type BuiltinFunction, defineBuiltin, FUNCTIONS_WORKER } from "./builtin.js";
import { DEFAULT_NAMESPACE } from "./connections.js";
import { EngineError } from "./errors.js";
import { optional } from "./frames.js";
import type { FunctionRecord } from "./function-registry.js";
import { byText, containing, functionDetail, functionOwner, functionRow, isHidden } from "./introspection.js";
import type { EngineState } from "./state.js";

const MAX_IDS = 32;

export function functionIntrospection(state: EngineState): BuiltinFunction[] {
  return [
    defineBuiltin({
      id: "engine::functions::list",
      worker: FUNCTIONS_WORKER,
      description: "Lists the functions that can be called now, without their schemas.",
      request: Type.Object({
        search: optional(Type.String()),
        prefix: optional(Type.String()),
        worker: optional(Type.String()),
        workers: optional(Type.Array(Type.String())),
        include_internal: optional(Type.Boolean()),
      }),
      run: ({ search, prefix, worker, workers, include_internal }) => {
        const owners = [...(worker == null ? [] : [worker]), ...(workers ?? [])];
        const found = [...state.functions.all()].filter(
          (record) =>
            (include_internal === true || !isHidden(record)) &&
            record.id.startsWith(prefix ?? "") &&
            (owners.length === 0 || owners.includes(functionOwner(state, record))) &&
            containing(search, record.id, record.description),
        );
        return { functions: sorted(found, search ?? "").map((record) => functionRow(state, record)) };
      },
    }),
    defineBuiltin({
      id: "engine::functions::info",
      worker: FUNCTIONS_WORKER,
      description: `Describes one function, or up to ${MAX_IDS}, with schemas and triggers.`,
      request: Type.Object({
        function_id: optional(Type.String()),
        function_ids: optional(Type.Array(Type.String())),
        namespace: optional(Type.String()),
      }),
      run: ({ function_id, function_ids, namespace }) => {
        const wanted = state.hasNamespaces ? (namespace ?? undefined) : DEFAULT_NAMESPACE;
        if ((function_id == null) === (function_ids == null)) {
          throw new EngineError("INVALID_ARGUMENTS", "give either function_id or function_ids");
        }
        if (function_id != null) return functionDetail(state, resolve(state, function_id, wanted));
        return { functions: batch(state, function_ids ?? [], wanted) };
      },
    }),
  ];
}

/** By id; with a search, those named like it come first, then those containing it, then those that only speak of it. */
function sorted(records: FunctionRecord[], search: string): FunctionRecord[] {
  const needle = search.toLowerCase();
  const rank = (id: string): number => {
    const text = id.toLowerCase();
    if (needle === "" || text.startsWith(needle) || text.split("::").includes(needle)) return 0;
    return text.includes(needle) ? 1 : 2;
  };
  return records
    .map((record) => ({ record, rank: rank(record.id) }))
    .sort((left, right) => left.rank - right.rank || byText(left.record.id, right.record.id))
    .map(({ record }) => record);
}

function batch(state: EngineState, functionIds: readonly string[], namespace: string | undefined): object[] {
  const ids = [...new Set(functionIds)];
  if (ids.length === 0) throw new EngineError("INVALID_ARGUMENTS", "function_ids is empty");
  if (ids.length > MAX_IDS)
    throw new EngineError("INVALID_ARGUMENTS", `function_ids has ${ids.length} ids, the limit is ${MAX_IDS}`);
  return ids.map((id) => {
    const record = candidates(state, id, namespace);
    return record.length === 1 && record[0] !== undefined
      ? functionDetail(state, record[0])
      : { function_id: id, error: "not_found" };
  });
}

function resolve(state: EngineState, id: string, namespace: string | undefined): FunctionRecord {
  const [record, ...others] = candidates(state, id, namespace);
  if (record === undefined) throw new EngineError("NOT_FOUND", `function ${id} is not registered`);
  if (others.length === 0) return record;
  const names = [record, ...others].map((candidate) => candidate.namespace).join(", ");
  throw new EngineError("NOT_FOUND", `function ${id} is in several namespaces, name one of: ${names}`);
}

/** Without a namespace the default one wins; else every namespace that has the id is possible. */
function candidates(state: EngineState, id: string, namespace: string | undefined): FunctionRecord[] {
  const inDefault = state.functions.find(namespace ?? DEFAULT_NAMESPACE, id);
  const namespaces = inDefault === undefined && namespace === undefined ? state.functions.namespacesOf(id) : [];
  return [inDefault, ...namespaces.map((name) => state.functions.find(name, id))].filter((record) => record !== undefined);
}
