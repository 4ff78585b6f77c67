/** Which ids of a profile the engine doesn't know at the moment: a warning, and never a reason not to answer. */
import pLimit from "p-limit";
import type { EngineBus } from "../../protocol/actors/services.js";
import type { CallContext } from "../../protocol/call.js";

/** The engine answers at most so many ids in one call. */
const BATCH = 32;
const CALLS_IN_FLIGHT = 4;
const TIMEOUT_MS = 5_000;

/** In the order asked; empty when the engine could not be asked for all of them. */
export async function unknownFunctions(ids: readonly string[], bus: EngineBus, context: CallContext): Promise<string[]> {
  const limit = pLimit(CALLS_IN_FLIGHT);
  const deadline = Math.min(context.deadline, Date.now() + TIMEOUT_MS);
  const ask = async (batch: readonly string[]): Promise<ReadonlySet<string>> => {
    const request = { functionId: "engine::functions::info", payload: { function_ids: batch }, timeoutMs: TIMEOUT_MS };
    return knownIn(await bus.call({ ...request, idempotent: true }, { ...context, deadline }));
  };
  try {
    const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
      ids.slice(index * BATCH, (index + 1) * BATCH),
    );
    const known = await Promise.all(batches.map((batch) => limit(() => ask(batch))));
    return ids.filter((id) => !known.some((found) => found.has(id)));
  } catch {
    return [];
  }
}

/** Ids that have a contract in the answer; an id with an error has none. */
export function knownIn(answer: unknown): ReadonlySet<string> {
  const { functions } = (answer ?? {}) as { functions?: unknown };
  const rows = Array.isArray(functions) ? (functions as (Record<string, unknown> | null)[]) : [];
  const known = rows.flatMap((row) => {
    const id = row?.["function_id"];
    return typeof id === "string" && !("error" in (row ?? {})) ? [id] : [];
  });
  return new Set(known);
}
