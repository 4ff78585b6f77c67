/** Puts the catalog actor together. The thread's entry and the tests do the same thing here. */
import type { CatalogActor } from "../../protocol/actors/catalog.js";
import { FUNCTIONS } from "../../protocol/functions/index.js";
import type { ActorSetting } from "../runtime.js";
import { Catalog } from "./catalog.js";
import { ContractReader } from "./contract-reader.js";
import { describe } from "./describe.js";
import { LexicalLane } from "./lexical/lexical-lane.js";
import { Pools } from "./pools.js";
import { rankLane } from "./rank.js";
import { REFRESH_TIMES, Refresher, type RefreshTimes, type Timer } from "./refresher.js";

/** All optional: what a test sets otherwise. Those that are plain data may come with the surroundings as well. */
export interface CatalogOptions {
  readonly times?: Partial<RefreshTimes>;
  /** Functions without which a list isn't believed; by default all that this worker always offers. */
  readonly ownFunctionIds?: readonly string[];
  readonly timer?: Timer;
  readonly random?: () => number;
}

const OWN_FUNCTION_IDS: readonly string[] = FUNCTIONS.filter(
  ({ metadata, enabledBy }) => metadata?.["internal"] !== true && enabledBy === undefined,
).map(({ id }) => id);

/** The first reading is begun, not waited for: the supervisor asks for it when our functions are registered. */
export async function buildCatalog(
  { peers, surroundings, log, onDrain }: ActorSetting,
  given: CatalogOptions = (surroundings.options.catalog ?? {}) as CatalogOptions,
): Promise<CatalogActor> {
  const lexical = new LexicalLane();
  const catalog = new Catalog([lexical]);
  const pools = new Pools();
  const reader = new ContractReader({ bus: peers.bus, ownFunctionIds: given.ownFunctionIds ?? OWN_FUNCTION_IDS, log });
  const refresher = new Refresher({
    read: async (thoroughness) => {
      const { contracts, complete } = await reader.read(thoroughness);
      const { added, removed } = await catalog.publish(contracts);
      if (added + removed > 0) log.debug({ functions: contracts.length, added, removed }, "the catalog has changed");
      return complete;
    },
    times: { ...REFRESH_TIMES, ...given.times },
    timer: given.timer ?? systemTimer,
    random: given.random ?? Math.random,
    log,
  });
  onDrain(async () => refresher.stop());
  refresher.refresh("all").catch(() => {});

  return {
    async refresh({ event }) {
      await refresher.refresh(typeof event === "string" ? "news" : "all");
      return { ok: true };
    },
    async rank({ lanes }) {
      const { live } = catalog;
      return { fingerprint: live.fingerprint, lanes: lanes.map((capability) => rankLane(capability, live, lexical)) };
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
    async describe(request) {
      return describe(catalog.live, request);
    },
  };
}

function systemTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
