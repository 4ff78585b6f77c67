/** `engine::register_trigger` and `engine::unregister_trigger`: triggers that belong to no connection. */
import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import { type BuiltinFunction, defineBuiltin, FUNCTIONS_WORKER } from "./builtin.js";
import { EngineError } from "./errors.js";
import { optional } from "./frames.js";
import { bindingOf, type Registrations } from "./registrations.js";
import type { EngineState } from "./state.js";

const TEXT = optional(Type.String());

/** A provider that is silent for `providerAnswerMs` counts as content. */
export function triggerFunctions(state: EngineState, registrations: Registrations, providerAnswerMs: number): BuiltinFunction[] {
  return [
    defineBuiltin({
      id: "engine::register_trigger",
      worker: FUNCTIONS_WORKER,
      description: "Binds a function to a trigger type. The trigger stays when the caller leaves.",
      request: Type.Object({
        trigger_type: Type.String(),
        function_id: Type.String(),
        config: Type.Optional(Type.Unknown()),
        metadata: Type.Optional(Type.Unknown()),
        namespace: TEXT,
        trigger_namespace: TEXT,
      }),
      run: async ({ config, ...input }) => {
        const id = randomUUID();
        const binding = bindingOf({ id, config: config ?? null, ...input }, undefined, state.hasNamespaces);
        if (binding === undefined) throw new EngineError("INVALID_NAMESPACE", "a namespace may be left out, but not blank");
        const bytes = Buffer.byteLength(JSON.stringify(binding));
        const error = await registrations.bindForNobody(binding, bytes, providerAnswerMs);
        if (error !== undefined) throw new EngineError("trigger_registration_failed", `${error.code}: ${error.message}`);
        return { id };
      },
    }),
    defineBuiltin({
      id: "engine::unregister_trigger",
      worker: FUNCTIONS_WORKER,
      description: "Removes a trigger by its id, whoever made it.",
      request: Type.Object({ id: Type.String(), trigger_type: TEXT }),
      run: ({ id }, caller) => ({ removed: registrations.unbind(id, caller) }),
    }),
  ];
}
