/** `directory::engine::functions::info`: the contract of one function as the engine tells it, in one shape for every generation of it. */
import { namespaceOf } from "../../domain/function-id.js";
import { trimWhiteSpace } from "../../domain/text.js";
import type { EngineBus } from "../../protocol/actors/services.js";
import type { CallContext } from "../../protocol/call.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { FunctionInfoRequest, FunctionInfoResponse } from "../../protocol/functions/registry.js";

const TIMEOUT_MS = 10_000;

type Fields = Readonly<Record<string, unknown>>;

export async function functionInfo(
  bus: EngineBus,
  { function_id: given }: FunctionInfoRequest,
  context: CallContext,
): Promise<FunctionInfoResponse> {
  const id = trimWhiteSpace(given);
  if (id === "") throw new DirectoryError("invalid_request", "function_id must be non-empty");
  const request = { functionId: "engine::functions::info", payload: { function_id: id }, timeoutMs: TIMEOUT_MS, idempotent: true };
  let answer: unknown;
  try {
    answer = await bus.call(request, context);
  } catch (error) {
    throw new DirectoryError("engine_error", `the engine has no contract of ${id}: ${(error as Error).message}`);
  }
  return infoOf(id, single(id, answer));
}

/** A batch of one, or the entry itself. */
function single(id: string, answer: unknown): Fields {
  const fields = fieldsOf(answer);
  const { functions } = fields;
  const entry = Array.isArray(functions) ? fieldsOf(functions[0]) : fields;
  if (Object.keys(entry).length === 0 || entry["error"] === "not_found") {
    throw new DirectoryError(
      "engine_error",
      `the engine has no function ${id}. Next: call directory::search_functions with the need.`,
    );
  }
  return entry;
}

function infoOf(id: string, entry: Fields): FunctionInfoResponse {
  const { worker_name: worker, description, metadata, registered_triggers: triggers } = entry;
  return {
    function_id: id,
    worker_name: typeof worker === "string" ? worker : (namespaceOf(id) ?? null),
    description: typeof description === "string" ? description : null,
    request_schema: entry["request_format"] ?? entry["request_schema"] ?? null,
    response_schema: entry["response_format"] ?? entry["response_schema"] ?? null,
    metadata: metadata ?? null,
    registered_triggers: (Array.isArray(triggers) ? triggers : []).flatMap((trigger: unknown) => {
      const { id: triggerId, trigger_type, config } = fieldsOf(trigger);
      return typeof triggerId === "string" && typeof trigger_type === "string"
        ? [{ id: triggerId, trigger_type, config: config ?? {} }]
        : [];
    }),
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
