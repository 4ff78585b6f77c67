/** A search actor in this thread, over a catalog of this thread; what else it asks is given by the test, or answers with nothing. */
import { ConfigurationHistory } from "../../actors/configuration-history.js";
import { buildSearch } from "../../actors/search/build.js";
import { createLogger, type Logger } from "../../border/log.js";
import { DEFAULT_CONFIGURATION } from "../../domain/configuration.js";
import type { EmbeddingActor } from "../../protocol/actors/embedding.js";
import type { FsActor } from "../../protocol/actors/fs.js";
import type { JevActor } from "../../protocol/actors/jev.js";
import type { RegistryActor } from "../../protocol/actors/registry.js";
import type { SearchActor } from "../../protocol/actors/search.js";
import type { EngineCall } from "../../protocol/actors/services.js";
import type { Peers } from "../../protocol/actors.js";
import type { Configuration } from "../../protocol/configuration.js";
import { DirectoryError } from "../../protocol/errors.js";
import { INTERNAL_FUNCTION_IDS } from "../../protocol/functions/own.js";
import type { SearchFunctionsResponse } from "../../protocol/functions/search.js";
import type { BuiltCatalog } from "./catalogue.js";
import { newContext } from "./context.js";
import { ROOT } from "./shared.js";

export interface SearchSetting {
  readonly configuration?: Partial<Configuration>;
  /** In place of `configuration`: for tests that change it, or share it with another actor. */
  readonly history?: ConfigurationHistory;
  readonly searchRows?: FsActor["searchRows"];
  readonly installable?: RegistryActor["installable"];
  readonly judge?: JevActor["judge"];
  readonly log?: Logger;
  readonly embedQueries?: EmbeddingActor["embedQueries"];
  readonly rerank?: EmbeddingActor["rerank"];
  /** The answer of `engine::registered-triggers::list`; may throw. */
  readonly triggers?: () => unknown | Promise<unknown>;
}

export interface Searching extends BuiltCatalog {
  readonly actor: SearchActor;
  /** Searches in the session, or in none. */
  search(capabilities: readonly string[], session?: string): Promise<SearchFunctionsResponse>;
}

export function searchOver(built: BuiltCatalog, setting: SearchSetting = {}): Searching {
  const values = { ...DEFAULT_CONFIGURATION, function_search_mode: "lexical" as const, ...setting.configuration };
  const peers = {
    catalog: built.catalog,
    fs: { searchRows: setting.searchRows ?? (async () => ({ rows: [] })) },
    registry: { installable: setting.installable ?? (async ({ batches }) => ({ batches: batches.map(() => []) })) },
    jev: { judge: setting.judge ?? unavailable },
    embedding: { embedQueries: setting.embedQueries ?? unavailable, rerank: setting.rerank ?? unavailable },
    bus: { call: (request: EngineCall) => answer(request, built, setting) },
  } as unknown as Peers;
  const actor = buildSearch(
    {
      peers,
      configuration: setting.history ?? new ConfigurationHistory({ generation: 1, values }),
      surroundings: {
        packageRoot: ROOT,
        projectBase: ROOT,
        homeDirectory: ROOT,
        cacheDirectory: ROOT,
        version: "0.0.0",
        logLevel: "silent",
        options: {},
      },
      log: setting.log ?? createLogger("search", "silent"),
      onDrain: () => {},
    },
    { internalFunctionIds: INTERNAL_FUNCTION_IDS },
  );
  const search = (capabilities: readonly string[], session?: string): Promise<SearchFunctionsResponse> =>
    actor.searchFunctions(
      { capabilities: [...capabilities] },
      { ...newContext(), ...(session === undefined ? {} : { baggage: { "iii.session.id": session } }) },
    );
  return { ...built, actor, search };
}

async function answer(request: EngineCall, { engine }: BuiltCatalog, { triggers }: SearchSetting): Promise<unknown> {
  if (request.functionId === "engine::registered-triggers::list") return triggers?.() ?? { registered_triggers: [] };
  return engine.call(request);
}

async function unavailable(): Promise<never> {
  throw new DirectoryError("invalid_request", "not available");
}

/** Ids of an answer in the order of its rows. */
export function idsOf({ workers }: SearchFunctionsResponse): string[] {
  return workers.flatMap(({ functions }) => functions.map(({ function_id }) => function_id));
}

export function namespacesOf({ workers }: SearchFunctionsResponse): string[] {
  return workers.map(({ namespace }) => namespace);
}
