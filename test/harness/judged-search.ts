/** The search and the judge of the product in this thread, before the judge of the tests. */
import { ConfigurationHistory } from "../../actors/configuration-history.js";
import { buildJev } from "../../actors/jev/build.js";
import type { ActorSetting } from "../../actors/runtime.js";
import { type Evaluated, evaluateSearch } from "../../bench/jev-evaluation/entry.js";
import { createLogger, type Logger } from "../../border/log.js";
import { DEFAULT_CONFIGURATION, readConfiguration } from "../../domain/configuration.js";
import type { RankReply } from "../../protocol/actors/catalog.js";
import type { JevActor } from "../../protocol/actors/jev.js";
import type { Peers } from "../../protocol/actors.js";
import type { Configuration } from "../../protocol/configuration.js";
import type { SearchFunctionsResponse } from "../../protocol/functions/search.js";
import { type BuiltCatalog, catalogOf, type Registered, registered } from "./catalogue.js";
import { newContext } from "./context.js";
import { JevServer } from "./jev-server.js";
import { idsOf, type SearchSetting, searchOver } from "./searching.js";
import { settingFor } from "./setting.js";

export const BOOT_KEY = "boot-key";

export const MAIL_AND_STATE: readonly Registered[] = [
  registered("mail::send", "Sends an email message."),
  registered("state::get", "Reads a stored value."),
  registered("engine::functions::list", "Lists functions."),
  registered("directory::search_functions", "Searches functions."),
];

export interface JudgedSearch {
  readonly server: JevServer;
  readonly jev: JevActor;
  readonly built: BuiltCatalog;
  /** As the worker would, with the next reload. */
  reload(values: Readonly<Record<string, unknown>>): void;
  search(capabilities: readonly string[], session?: string): Promise<SearchFunctionsResponse>;
  ids(...capabilities: string[]): Promise<string[]>;
  evaluate(...capabilities: string[]): Promise<Evaluated>;
  stop(): Promise<void>;
}

export interface JudgedSearchOptions extends Omit<SearchSetting, "history" | "judge" | "configuration"> {
  readonly functions?: readonly Registered[];
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly environmentKey?: string | undefined;
  /** What the local model would rank; `undefined` says that its index is not of this catalog. */
  readonly dense?: (lanes: readonly string[]) => RankReply["lanes"] | undefined;
  readonly log?: Logger;
}

export async function judgedSearch(options: JudgedSearchOptions = {}): Promise<JudgedSearch> {
  const server = await JevServer.start({ usage: { input_tokens: 100, output_tokens: 10 } });
  const log = options.log ?? createLogger("search", "silent");
  let generation = 1;
  const valuesOf = (given: Readonly<Record<string, unknown>>): Configuration => {
    const fixed = { function_search_mode: "jev", function_search_model_path: null, registry_search: false };
    const result = readConfiguration({ ...DEFAULT_CONFIGURATION, ...fixed, ...options.configuration, ...given });
    if (!result.ok) throw new Error(result.faults.join("; "));
    return result.values;
  };
  const history = new ConfigurationHistory({ generation, values: valuesOf({}) });
  const environmentKey = "environmentKey" in options ? options.environmentKey : BOOT_KEY;
  const { setting } = settingFor(
    "jev",
    {},
    {
      surroundings: {
        options: { jev: { endpoint: server.endpoint, ...(environmentKey === undefined ? {} : { environmentKey }) } },
      },
    },
  );
  const drains: (() => Promise<void>)[] = [];
  const jev = buildJev({ ...setting, configuration: history, log, onDrain: (drain) => drains.push(drain) });
  const built = withDense(await catalogOf(options.functions ?? MAIL_AND_STATE), options.dense);
  // Each request is of the configuration that was current when it came, as the routes have it.
  const judge: JevActor["judge"] = (request, context) => jev.judge(request, context);
  const { configuration: _, ...rest } = options;
  const { actor } = searchOver(built, { ...rest, history, judge, log });
  const context = () => ({ ...newContext(60_000), configuration: generation });
  const peers = { catalog: built.catalog, jev, embedding: { embedQueries: options.embedQueries } } as unknown as Peers;
  const search: JudgedSearch["search"] = (capabilities, session) =>
    actor.searchFunctions(
      { capabilities: [...capabilities] },
      { ...context(), ...(session === undefined ? {} : { baggage: { "iii.session.id": session } }) },
    );
  return {
    server,
    jev,
    built,
    reload: (values) => history.add({ generation: ++generation, values: valuesOf(values) }),
    search,
    ids: async (...capabilities) => idsOf(await search(capabilities)),
    evaluate: (...capabilities) =>
      evaluateSearch({ peers, configuration: history, log } satisfies Partial<ActorSetting>, capabilities, context()),
    stop: async () => {
      await Promise.all(drains.map((drain) => drain()));
      await server.close();
    },
  };
}

/** A catalog with an index of vectors that says what the test wants. */
function withDense(built: BuiltCatalog, dense: JudgedSearchOptions["dense"]): BuiltCatalog {
  if (dense === undefined) return built;
  const { catalog } = built;
  return {
    ...built,
    catalog: {
      ...catalog,
      rank: async (request, context) => {
        const reply = await catalog.rank(request, context);
        const lanes = request.vectors === undefined ? undefined : dense(request.lanes);
        return lanes === undefined ? reply : { ...reply, lanes, dense: true };
      },
      rankPool: async (request, context) => {
        if (request.vectors === undefined || dense(request.lanes) === undefined) return catalog.rankPool(request, context);
        return { lanes: request.lanes.map(() => request.documents.map(({ id }) => ({ id, score: 0.5 }))) };
      },
    },
  };
}
