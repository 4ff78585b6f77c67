/** The product in hybrid mode with the packaged model, in this process: one model process for all catalogues of a test file. */
import { buildEmbedding } from "../../actors/embedding/build.js";
import type { EmbeddingActor } from "../../protocol/actors/embedding.js";
import { type CatalogSetting, catalogOf, type Registered } from "./catalogue.js";
import { newContext } from "./context.js";
import { type Searching, type SearchSetting, searchOver } from "./searching.js";
import { settingFor } from "./setting.js";
import { temporaryFolder } from "./temporary.js";

export interface HybridProduct {
  readonly embedding: EmbeddingActor;
  /** A search over these functions, all of which have vectors. */
  over(functions: readonly Registered[], setting?: SearchSetting): Promise<Searching>;
  readonly close: () => Promise<void>;
}

const LOADING_MS = 120_000;
const UNTIL_EMBEDDED = { everyMs: 20, patienceMs: 240_000 } as const;

export async function hybridProduct(processes = 1): Promise<HybridProduct> {
  const { setting, drain } = settingFor("embedding");
  const embedding = await buildEmbedding(setting, { processes });
  // Says at once when there is no model, where the catalog would only go on trying.
  await embedding.embedQueries({ texts: ["is there a model"] }, newContext(LOADING_MS));
  const cacheDirectory = temporaryFolder();
  const stops: (() => Promise<void>)[] = [];
  return {
    embedding,
    async over(functions, { configuration, ...rest } = {}) {
      const options: CatalogSetting = { embedding, cacheDirectory, untilEmbedded: UNTIL_EMBEDDED };
      const built = await catalogOf(functions, options);
      stops.push(built.stop);
      return searchOver(built, {
        embedQueries: (request, context) => embedding.embedQueries(request, context),
        ...rest,
        configuration: { function_search_mode: "hybrid", ...configuration },
      });
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await drain();
    },
  };
}
