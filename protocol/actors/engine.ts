/** The embedded engine: a loopback WebSocket server that speaks the engine's worker protocol. */
import { type ActorContract, type CallContext, TIMEOUTS } from "../call.js";

/** `Surroundings.options.engine`. */
export interface EngineOptions {
  /** Port on 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** Default `0.23`. */
  readonly generation?: "0.22" | "0.23";
  /** Folder of configuration values, one YAML file each; absolute. */
  readonly configurationDirectory: string;
  /** How often the set of functions is compared with the last one before it is announced, in milliseconds; default 5 000. */
  readonly functionsPollMs?: number;
  /** How long the registrations of a connection wait for its metadata call, in milliseconds; default 5 000. */
  readonly registrationGraceMs?: number;
}

export interface EngineActor {
  /** Where it listens, for example `ws://127.0.0.1:49134`. Rejects with one readable line when the port is in use. */
  address(request: Record<string, never>, context: CallContext): Promise<{ readonly url: string }>;
}

export const ENGINE_CONTRACT: ActorContract<EngineActor> = {
  methods: { address: { idempotent: true, timeoutMs: TIMEOUTS.read } },
  mailboxLimit: 64,
  window: 32,
  heapLimitMiB: 512,
  bufferLimitMiB: 512,
};
