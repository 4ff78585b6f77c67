/** What goes to a model process and comes back. Tokens are made outside: a process holds nothing but the network. */
import type { Encoded } from "../model/tokens.js";

export interface ModelTask {
  readonly modelFile: string;
  readonly rows: readonly Pick<Encoded, "ids" | "segments">[];
}

/** A process reports faults as data, so whatever is rejected is the death of a process. */
export type ModelReply = Float32Array | ModelFault;

export interface ModelFault {
  readonly fault: string;
  /** The network could not be loaded, so no other batch will fare better. */
  readonly loading: boolean;
}
