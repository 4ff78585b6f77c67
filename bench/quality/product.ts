/** The product's own search over a catalogue, in this process: catalog, search and, for hybrid, the embedding with its model processes. */
import { poolSize } from "../../actors/embedding/parallelism.js";
import { catalogOf, type Registered } from "../../test/harness/catalogue.js";
import { hybridProduct } from "../../test/harness/hybrid.js";
import { type Searching, searchOver } from "../../test/harness/searching.js";

export type QualityMode = "lexical" | "hybrid";

export interface Product extends Searching {
  /** Lanes of these capabilities that have rows. */
  keptLanes(capabilities: readonly string[]): Promise<number>;
  readonly close: () => Promise<void>;
}

/** Settles when everything that is to have a vector has one. Rejects when the model can't be loaded. */
export async function productOver(functions: readonly Registered[], mode: QualityMode): Promise<Product> {
  if (mode === "lexical") return measurable(searchOver(await catalogOf(functions)), async () => {});
  const product = await hybridProduct(poolSize());
  return measurable(await product.over(functions), product.close);
}

function measurable(searching: Searching, close: () => Promise<void>): Product {
  return {
    ...searching,
    close,
    async keptLanes(capabilities) {
      let kept = 0;
      for (const capability of capabilities) {
        const { workers } = await searching.search([capability]);
        if (workers.length > 0) kept++;
      }
      return kept;
    },
  };
}
