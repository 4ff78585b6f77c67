/** What a function inside the engine is, and how its input is checked. */
import { Ajv, type ValidateFunction } from "ajv";
import type { Static, TObject } from "typebox";
import type { Connection } from "./connections.js";
import { EngineError } from "./errors.js";

export interface BuiltinFunction {
  readonly id: string;
  /** The in-process worker it is listed under. */
  readonly worker: string;
  readonly description: string;
  readonly request: object;
  /** Checks the input and runs. `caller` is undefined when the engine itself calls, for example to announce a change. */
  readonly run: (data: unknown, caller: Connection | undefined) => unknown;
}

const ajv = new Ajv({ strict: false });

/** Input of a wrong type is refused before the body sees it. Unknown keys are ignored. */
export function defineBuiltin<Request extends TObject>(definition: {
  readonly id: string;
  readonly worker: string;
  readonly description: string;
  readonly request: Request;
  readonly run: (input: Static<Request>, caller: Connection | undefined) => unknown;
}): BuiltinFunction {
  // Compiled with the first call: an engine that starts has better things to do.
  let isValid: ValidateFunction | undefined;
  return {
    ...definition,
    run: (data, caller) => {
      isValid ??= ajv.compile(definition.request);
      if (!isValid(data)) {
        const [error] = isValid.errors ?? [];
        throw new EngineError(
          "deserialization_error",
          `input${error?.instancePath ?? ""} ${error?.message ?? "is of the wrong type"}`,
        );
      }
      return definition.run(data as Static<Request>, caller);
    },
  };
}

/** Built-ins that keep to the engine's own worker. */
export const FUNCTIONS_WORKER = "iii-engine-functions";
export const CONFIGURATION_WORKER = "configuration";
