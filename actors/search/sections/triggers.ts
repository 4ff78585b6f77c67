/** The triggers section: bindings that are registered with the engine already. */
import { cutText } from "../../../domain/text.js";
import type { EngineBus } from "../../../protocol/actors/services.js";
import type { TriggerMatch } from "../../../protocol/functions/search.js";
import { ownContext } from "../../runtime.js";
import type { SearchCall } from "../search-call.js";
import { rankSideSection, SIDE_DOCUMENT_BYTES } from "./pool.js";

const LIST_FUNCTION_ID = "engine::registered-triggers::list";
const LIST_TIMEOUT_MS = 5_000;

/** How long a list of the engine serves other searches. Short: who has just registered a trigger expects to see it. */
const LIST_AGE_MS = 1_000;

export async function findTriggers(call: SearchCall, source: TriggerSource): Promise<TriggerMatch[]> {
  if (call.lanes.texts.length === 0) return [];
  const rows = await source.rows();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const documents = rows.map((row) => ({ id: row.id, text: triggerDocument(row), opaqueId: true }));
  const judged = rows.map((row) => ({ id: row.id, description: judgedTriggerDocument(row) }));
  const ids = await rankSideSection(call, { corpus: "triggers", documents, judged });
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Rows of the engine's list, shared by the searches of one moment. */
export class TriggerSource {
  readonly #bus: EngineBus;
  readonly #internalIds: ReadonlySet<string>;
  readonly #now: () => number;
  #list: { readonly since: number; readonly rows: Promise<readonly TriggerMatch[]> } | undefined;

  /** `internalIds`: our own plumbing is nothing to be reused. */
  constructor(bus: EngineBus, internalIds: readonly string[], now: () => number = Date.now) {
    this.#bus = bus;
    this.#internalIds = new Set(internalIds);
    this.#now = now;
  }

  /** Rejects when the engine doesn't answer; the next search asks again. */
  rows(): Promise<readonly TriggerMatch[]> {
    const now = this.#now();
    if (this.#list !== undefined && now - this.#list.since < LIST_AGE_MS) return this.#list.rows;
    const list = { since: now, rows: this.#read() };
    this.#list = list;
    list.rows.catch(() => {
      if (this.#list === list) this.#list = undefined;
    });
    return list.rows;
  }

  async #read(): Promise<readonly TriggerMatch[]> {
    const call = { functionId: LIST_FUNCTION_ID, payload: {}, timeoutMs: LIST_TIMEOUT_MS, idempotent: true };
    return triggerRows(await this.#bus.call(call, ownContext("triggers", LIST_TIMEOUT_MS)), this.#internalIds);
  }
}

/** The rows that can be reused: whole ones that aren't part of the console's or the engine's own machinery. */
export function triggerRows(answer: unknown, internalIds: ReadonlySet<string>): TriggerMatch[] {
  const list = (answer as { registered_triggers?: unknown } | null)?.registered_triggers ?? answer;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    const { id, trigger_type, function_id, worker_name, config } = (entry ?? {}) as Record<string, unknown>;
    if (!isName(id) || !isName(trigger_type) || !isName(function_id)) return [];
    if (trigger_type.startsWith("console:") || function_id.startsWith("iii::") || internalIds.has(function_id)) return [];
    return [{ id, trigger_type, function_id, ...(isName(worker_name) ? { worker_name } : {}), config: config ?? {} }];
  });
}

export function triggerDocument({ trigger_type, function_id, config }: TriggerMatch): string {
  const text = `${trigger_type} trigger runs ${function_id} with config ${JSON.stringify(config)}`;
  return cutText(text, SIDE_DOCUMENT_BYTES);
}

/** Values of a configuration can be anybody's secrets: only the names of its keys leave the machine. */
export function judgedTriggerDocument({ trigger_type, function_id, config }: TriggerMatch): string {
  const keys = typeof config === "object" && config !== null ? Object.keys(config).sort() : [];
  const text = `${trigger_type} trigger runs ${function_id} with config ${JSON.stringify(keys)}`;
  return cutText(text, SIDE_DOCUMENT_BYTES);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
