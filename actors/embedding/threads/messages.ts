/** What goes to a model thread and comes back. Tokens are made outside: a thread holds nothing but the network. */
import type { Encoded } from "../model/tokens.js";

export interface ModelTask {
  readonly modelFile: string;
  readonly rows: readonly Pick<Encoded, "ids" | "segments">[];
}

/** A thread reports faults as data, so whatever piscina rejects is the death of a thread. */
export type ModelReply = Float32Array | ModelFault;

export interface ModelFault {
  readonly fault: string;
  /** The network could not be loaded, so no other batch will fare better. */
  readonly loading: boolean;
}
