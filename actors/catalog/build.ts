/** Puts the catalog actor together. The thread's entry and the tests do the same thing here. */
import type { CatalogActor } from "../../protocol/actors/catalog.js";
import { TIMEOUTS } from "../../protocol/call.js";
import type { Configuration } from "../../protocol/configuration.js";
import { type ActorSetting, ownContext } from "../runtime.js";
import { Catalog } from "./catalog.js";
import { ContractReader } from "./contract-reader.js";
import { describe } from "./describe.js";
import { LexicalLane } from "./lexical/lexical-lane.js";
import { Pools } from "./pools.js";
import { queryOf, rankLane } from "./rank.js";
import { REFRESH_TIMES, Refresher, type RefreshTimes } from "./refresher.js";
import { systemTimer, type Timer } from "./timer.js";
import { BackgroundBank } from "./vectors/background-bank.js";
import { DenseLane } from "./vectors/dense-lane.js";
import { TextVectors } from "./vectors/text-vectors.js";

/** All optional: what a test sets otherwise. Those that are plain data may come with the surroundings as well. */
export interface CatalogOptions {
  readonly times?: Partial<RefreshTimes>;
  /** Functions without which a list isn't believed; by default all that this worker always offers. */
  readonly ownFunctionIds?: readonly string[];
  readonly timer?: Timer;
  readonly random?: () => number;
}

/** The first reading is begun, not waited for: the supervisor asks for it when our functions are registered. */
export async function buildCatalog(
  { peers, configuration, surroundings, log, onDrain }: ActorSetting,
  given: CatalogOptions = (surroundings.options.catalog ?? {}) as CatalogOptions,
): Promise<CatalogActor> {
  const ownFunctionIds = given.ownFunctionIds ?? (await import("../../protocol/functions/own.js")).CONSTANT_FUNCTION_IDS;
  const lexical = new LexicalLane();
  const timer = given.timer ?? systemTimer;
  const random = given.random ?? Math.random;
  const vectors = new TextVectors({
    embed: (texts) => peers.embedding.embedDocuments({ texts }, ownContext("vectors", TIMEOUTS.documentBatch)),
    bank: BackgroundBank.ofPackage(surroundings.packageRoot),
    directory: surroundings.cacheDirectory,
    timer,
    random,
    log,
  });
  const dense = new DenseLane(vectors);
  const catalog = new Catalog([lexical, dense]);
  const pools = new Pools(vectors, timer);
  const reader = new ContractReader({ bus: peers.bus, ownFunctionIds, log });
  const refresher = new Refresher({
    read: async (thoroughness) => {
      const { contracts, complete } = await reader.read(thoroughness);
      const { added, removed } = await catalog.publish(contracts);
      if (added + removed > 0) log.debug({ functions: contracts.length, added, removed }, "the catalog has changed");
      return complete;
    },
    times: { ...REFRESH_TIMES, ...given.times },
    timer,
    random,
    log,
  });
  onDrain(async () => {
    refresher.stop();
    await vectors.close();
  });
  vectors.switch(wantsVectors(configuration.current));
  configuration.onChange((next) => vectors.switch(wantsVectors(next)));
  refresher.refresh("all").catch(() => {});

  return {
    async refresh({ event }) {
      await refresher.refresh(typeof event === "string" ? "news" : "all");
      return { ok: true };
    },
    async rank({ lanes, vectors: queries, withHead }) {
      const { live } = catalog;
      const { matrix } = dense;
      const { model } = vectors;
      if (queries !== undefined) vectors.noticeModel(queries.model);
      const source = { generation: live, lexical, matrix };
      return {
        fingerprint: live.fingerprint,
        lanes: lanes.map((capability, lane) => rankLane(capability, queryOf(queries, lane, model), source, withHead)),
        dense: model !== undefined && matrix.size > 0,
      };
    },
    async rankPool(request) {
      return pools.rank(request);
    },
    async snapshot() {
      const { fingerprint, known, contracts, namespaces } = catalog.live;
      return { fingerprint, known, functionIds: [...contracts.keys()], namespaces };
    },
    async candidates({ lanes, depth }) {
      return { lanes: lanes.map((capability) => lexical.scores(capability, depth).map(({ id }) => id)) };
    },
    async report() {
      const { contracts, fingerprint } = catalog.live;
      const { model, backlog } = vectors;
      return {
        functions: contracts.size,
        fingerprint,
        embedded: dense.size,
        waiting: backlog,
        ...(model === undefined ? {} : { model }),
      };
    },
    async describe(request) {
      return describe(catalog.live, request);
    },
  };
}

/** Judging has vectors behind it: what it can't do in time, they rank. */
function wantsVectors({ function_search_mode: mode, function_search_model_path: path }: Readonly<Configuration>): boolean {
  return mode !== "lexical" && path !== null;
}
