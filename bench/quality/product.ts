/** The product's own search over a catalogue, in this process: catalog, search and, for hybrid, the embedding with its model processes. */
import { buildEmbedding } from "../../actors/embedding/build.js";
import { catalogOf, type Registered } from "../../test/harness/catalogue.js";
import { newContext } from "../../test/harness/context.js";
import { type Searching, searchOver } from "../../test/harness/searching.js";
import { settingFor } from "../../test/harness/setting.js";
import { temporaryFolder } from "../../test/harness/temporary.js";

export type QualityMode = "lexical" | "hybrid";

export interface Product extends Searching {
  /** Lanes of these capabilities that have rows. */
  keptLanes(capabilities: readonly string[]): Promise<number>;
  readonly close: () => Promise<void>;
}

/** For loading the model and embedding the catalogue. */
const PATIENCE_MS = 600_000;
const LOOK_MS = 50;

/** Settles when everything that is to have a vector has one. Rejects when the model can't be loaded. */
export async function productOver(
  functions: readonly Registered[],
  mode: QualityMode,
  { processes, cacheDirectory = temporaryFolder() }: { readonly processes?: number; readonly cacheDirectory?: string } = {},
): Promise<Product> {
  if (mode === "lexical") return measurable(searchOver(await catalogOf(functions)), async () => {});
  const { setting, drain } = settingFor("embedding");
  const embedding = await buildEmbedding(setting, processes === undefined ? {} : { processes });
  // Says at once when there is no model, where the catalog would only go on trying.
  await embedding.embedQueries({ texts: ["is there a model"] }, newContext(PATIENCE_MS));
  const built = await catalogOf(functions, {
    embedding,
    cacheDirectory,
    untilEmbedded: { everyMs: LOOK_MS, patienceMs: PATIENCE_MS },
  });
  const searching = searchOver(built, {
    configuration: { function_search_mode: "hybrid" },
    embedQueries: (request, context) => embedding.embedQueries(request, context),
  });
  return measurable(searching, async () => {
    await built.stop();
    await drain();
  });
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
