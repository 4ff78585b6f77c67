/** `engine::triggers::*` (types) and `engine::registered-triggers::*` (what is bound to them). */
import { Type } from "typebox";
import { type BuiltinFunction, defineBuiltin, FUNCTIONS_WORKER } from "./builtin.js";
import { DEFAULT_NAMESPACE } from "./connections.js";
import { EngineError } from "./errors.js";
import { optional } from "./frames.js";
import { bindingOwner, bindingRow, byText, containing, functionDetail, typeDetail, typeOwner, typeRow } from "./introspection.js";
import type { EngineState } from "./state.js";
import type { TriggerType } from "./trigger-store.js";

const TEXT = optional(Type.String());
const FLAG = optional(Type.Boolean());

export function triggerIntrospection(state: EngineState): BuiltinFunction[] {
  return [typeList(state), typeInfo(state), bindingList(state), bindingInfo(state)];
}

function typeList(state: EngineState): BuiltinFunction {
  return defineBuiltin({
    id: "engine::triggers::list",
    worker: FUNCTIONS_WORKER,
    description: "Lists the trigger types that can be bound now.",
    request: Type.Object({ search: TEXT, prefix: TEXT, worker: TEXT, include_internal: FLAG }),
    run: ({ search, prefix, worker, include_internal }) => {
      const found = [...state.triggers.types()].filter(
        (type) =>
          (include_internal === true || !type.id.startsWith("engine::")) &&
          type.id.startsWith(prefix ?? "") &&
          (worker == null || typeOwner(state, type) === worker) &&
          containing(search, type.id, type.description),
      );
      return { triggers: found.sort((left, right) => byText(left.id, right.id)).map((type) => typeRow(state, type)) };
    },
  });
}

function typeInfo(state: EngineState): BuiltinFunction {
  return defineBuiltin({
    id: "engine::triggers::info",
    worker: FUNCTIONS_WORKER,
    description: "Describes one trigger type, with its schemas.",
    request: Type.Object({ id: Type.String(), namespace: TEXT }),
    run: ({ id, namespace }) => {
      const [type, ...others] = typeCandidates(state, id, namespace ?? undefined);
      if (type === undefined) throw new EngineError("NOT_FOUND", `trigger type ${id} is not registered`);
      if (others.length === 0) return typeDetail(state, type);
      const names = [type, ...others].map((candidate) => candidate.namespace).join(", ");
      throw new EngineError("NOT_FOUND", `trigger type ${id} is in several namespaces, name one of: ${names}`);
    },
  });
}

function bindingList(state: EngineState): BuiltinFunction {
  return defineBuiltin({
    id: "engine::registered-triggers::list",
    worker: FUNCTIONS_WORKER,
    description: "Lists the live triggers: which function is bound to which type, with which configuration.",
    request: Type.Object({ search: TEXT, trigger_type: TEXT, function_id: TEXT, worker: TEXT, include_internal: FLAG }),
    run: ({ search, trigger_type, function_id, worker, include_internal }) => {
      const found = [...state.triggers.allLive()].filter(
        (binding) =>
          (include_internal === true || !binding.functionId.startsWith("engine::")) &&
          (trigger_type == null || binding.triggerType === trigger_type) &&
          (function_id == null || binding.functionId === function_id) &&
          (worker == null || bindingOwner(state, binding) === worker) &&
          containing(search, binding.id, binding.triggerType, binding.functionId),
      );
      const rows = found.sort((left, right) => byText(left.id, right.id));
      return { registered_triggers: rows.map((binding) => bindingRow(state, binding)) };
    },
  });
}

function bindingInfo(state: EngineState): BuiltinFunction {
  return defineBuiltin({
    id: "engine::registered-triggers::info",
    worker: FUNCTIONS_WORKER,
    description: "Describes one live trigger, with its type and its function.",
    request: Type.Object({ id: Type.String() }),
    run: ({ id }) => {
      const live = state.triggers.live(id);
      if (live === undefined) throw new EngineError("NOT_FOUND", `trigger ${id} is not registered`);
      const { binding, type } = live;
      const target = state.functions.find(binding.namespace, binding.functionId);
      return {
        id,
        trigger_type: binding.triggerType,
        function_id: binding.functionId,
        worker_name: bindingOwner(state, binding),
        config: binding.config,
        ...(binding.metadata !== undefined && { metadata: binding.metadata }),
        trigger: typeDetail(state, type),
        function: target === undefined ? null : functionDetail(state, target),
      };
    },
  });
}

function typeCandidates(state: EngineState, id: string, namespace: string | undefined): TriggerType[] {
  const wanted = state.hasNamespaces ? namespace : DEFAULT_NAMESPACE;
  const exact = state.triggers.type(wanted ?? DEFAULT_NAMESPACE, id);
  if (exact !== undefined) return [exact];
  return wanted === undefined ? [...state.triggers.types()].filter((type) => type.id === id) : [];
}
