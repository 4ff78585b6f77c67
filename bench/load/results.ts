/** What the load bench finds, as it is kept in `bench/results/load.json`. */
import type { LexicalResult } from "./lexical.js";

export interface LoadResults {
  readonly lexical: readonly LexicalResult[];
}
