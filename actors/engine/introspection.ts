/** What is common to the functions that describe the engine: names of owners, searching, and the shape of rows. */
import type { Connection } from "./connections.js";
import type { FunctionRecord } from "./function-registry.js";
import type { EngineState } from "./state.js";
import type { Binding, TriggerType } from "./trigger-store.js";

/** Workers that provide well-known types without being asked; a type they are missing for is still listed under them. */
const TYPE_OWNERS: Readonly<Record<string, string>> = {
  configuration: "configuration",
  log: "iii-observability",
  trace: "iii-observability",
  http: "iii-http",
  cron: "iii-cron",
  state: "iii-state",
  stream: "iii-stream",
  subscribe: "iii-pubsub",
  "durable:subscriber": "queue",
};

const SUMMARY_CHARACTERS = 80;

export const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** The first segment of an id: its owner, as long as nothing better is known. */
export function firstSegment(id: string): string {
  return id.split("::", 1)[0] ?? id;
}

export function isEngineOwn(id: string): boolean {
  return id.startsWith("engine::") && !id.startsWith("engine::queue::");
}

export function isHidden({ id, metadata }: FunctionRecord): boolean {
  return isEngineOwn(id) || (metadata as { internal?: unknown } | null | undefined)?.internal === true;
}

/** Case-insensitive; a blank needle finds everything. */
export function containing(needle: string | null | undefined, ...texts: (string | undefined)[]): boolean {
  const wanted = needle?.toLowerCase() ?? "";
  return wanted === "" || texts.some((text) => text?.toLowerCase().includes(wanted));
}

export function functionOwner(state: EngineState, record: FunctionRecord): string {
  return record.builtin?.worker ?? nameOf(state.connections.get(record.connectionId ?? "")) ?? firstSegment(record.id);
}

export function typeOwner(state: EngineState, type: TriggerType): string {
  return nameOf(state.connections.get(type.connectionId ?? "")) ?? TYPE_OWNERS[type.id] ?? firstSegment(type.id);
}

export function functionRow(state: EngineState, record: FunctionRecord): object {
  const { id, namespace, description, metadata } = record;
  return {
    function_id: id,
    ...(state.hasNamespaces && { namespace }),
    worker_name: functionOwner(state, record),
    ...(description !== undefined && { description }),
    ...(metadata !== undefined && { metadata }),
  };
}

export function typeRow(state: EngineState, type: TriggerType): object {
  const { id, namespace, description } = type;
  return { id, ...(state.hasNamespaces && { namespace }), worker_name: typeOwner(state, type), description };
}

export function bindingOwner(state: EngineState, { namespace, functionId }: Binding): string {
  const record = state.functions.find(namespace, functionId);
  return record === undefined ? firstSegment(functionId) : functionOwner(state, record);
}

export function bindingRow(state: EngineState, binding: Binding): object {
  const { id, triggerType, functionId, config } = binding;
  const summary = JSON.stringify(config);
  return {
    id,
    trigger_type: triggerType,
    function_id: functionId,
    worker_name: bindingOwner(state, binding),
    config,
    config_summary: summary.length > SUMMARY_CHARACTERS ? `${summary.slice(0, SUMMARY_CHARACTERS)}…` : summary,
  };
}

export function functionDetail(state: EngineState, record: FunctionRecord): object {
  const { requestSchema, responseSchema } = record;
  return {
    ...functionRow(state, record),
    ...(requestSchema !== undefined && { request_schema: requestSchema }),
    ...(responseSchema !== undefined && { response_schema: responseSchema }),
    registered_triggers: [...state.triggers.allLive()]
      .filter(({ functionId, namespace }) => functionId === record.id && namespace === record.namespace)
      .map(({ id, triggerType, config }) => ({ id, trigger_type: triggerType, config })),
  };
}

export function typeDetail(state: EngineState, type: TriggerType): object {
  const { configurationSchema, requestSchema } = type;
  return {
    ...typeRow(state, type),
    ...(configurationSchema !== undefined && { configuration_schema: configurationSchema }),
    ...(requestSchema !== undefined && { request_schema: requestSchema }),
    instance_count: [...state.triggers.liveOf(type)].length,
  };
}

export function nameOf(connection: Connection | undefined): string | undefined {
  return connection?.metadata?.name;
}
