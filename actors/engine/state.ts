/** The tables that the parts of the engine share. Each is changed by the part that it is named after. */
import type { Logger } from "../../border/log.js";
import type { ConnectionTable } from "./connections.js";
import type { FunctionRegistry } from "./function-registry.js";
import type { InvocationTable } from "./invocation-table.js";
import type { Ledger } from "./ledger.js";
import type { EngineLimits } from "./limits.js";
import type { TriggerStore } from "./trigger-store.js";

export type Generation = "0.22" | "0.23";

export interface EngineState {
  /** From 0.23 on: namespaces, refusal of a second owner, registrations held until the metadata call. */
  readonly hasNamespaces: boolean;
  readonly version: string;
  readonly startedAtMs: number;
  readonly limits: EngineLimits;
  readonly log: Logger;
  readonly connections: ConnectionTable;
  readonly functions: FunctionRegistry;
  readonly triggers: TriggerStore;
  readonly invocations: InvocationTable;
  readonly ledger: Ledger;
}
