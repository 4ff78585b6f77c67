/**
 * The search, from a request to an answer: ranking and the sections run side by side, and what comes of them is selected, told apart from
 * what the session has seen, and explained. A section that fails is left out; only the request itself and the ranking can make a
 * search fail.
 */
import { performance } from "node:perf_hooks";
import type { RankedFunction } from "../../protocol/actors/catalog.js";
import type { SearchActor } from "../../protocol/actors/search.js";
import type { CallContext } from "../../protocol/call.js";
import type {
  SearchFunctionsRequest,
  SearchFunctionsResponse,
  SearchScoresResponse,
  SearchWorker,
} from "../../protocol/functions/search.js";
import { type ActorSetting, remaining } from "../runtime.js";
import { selectFunctions } from "./function-selection.js";
import { composeGuidance } from "./guidance.js";
import { hintPreview, preGenerate } from "./hint/hook.js";
import { JudgedFunctions } from "./judged-functions.js";
import { type Lanes, prepareLanes } from "./lanes.js";
import { type FunctionRanking, rankFunctions } from "./ranking.js";
import { checkRequest } from "./request.js";
import { openCall, type SearchCall, searchTimeoutMs, within } from "./search-call.js";
import { findInstallable } from "./sections/installable.js";
import { InstalledFunctions } from "./sections/installed.js";
import { findSkills } from "./sections/skills.js";
import { findTriggers, TriggerSource } from "./sections/triggers.js";
import { groupByOwner } from "./selection.js";
import { type Session, Sessions } from "./sessions.js";

export interface SearchOptions {
  /** Functions of our own that no agent is to be shown. */
  readonly internalFunctionIds: readonly string[];
}

export function buildSearch({ peers, configuration, log }: ActorSetting, { internalFunctionIds }: SearchOptions): SearchActor {
  const sessions = new Sessions();
  const triggers = new TriggerSource(peers.bus, internalFunctionIds);
  const installed = new InstalledFunctions(peers.catalog);
  const judged = new JudgedFunctions(peers.catalog);

  async function searchFunctions(request: SearchFunctionsRequest, caller: CallContext): Promise<SearchFunctionsResponse> {
    const { searched, unsearched } = checkRequest(request);
    const begin = performance.now();
    const lanes = prepareLanes(searched);
    const values = configuration.of(caller);
    const context = within(caller, searchTimeoutMs(values));
    const call = openCall({ peers, configuration: values, context, lanes, judged, log });
    const ranking = rankAll(call);
    const [ranked, ...sections] = await Promise.all([
      ranking,
      orNothing(findInstallable(call, ranking, installed), call, "installable"),
      orNothing(findSkills(call), call, "skills"),
      orNothing(findTriggers(call, triggers), call, "triggers"),
    ]);
    // Whoever has stopped waiting has received nothing: the session mustn't remember it as delivered.
    remaining(context);
    const answer = compose(ranked, lanes, sections, unsearched, sessions.of(context));
    return { ...answer, latency_ms: performance.now() - begin };
  }

  async function searchScores(request: SearchFunctionsRequest, caller: CallContext): Promise<SearchScoresResponse> {
    const lanes = prepareLanes(checkRequest(request).searched);
    const values = configuration.of(caller);
    const call = openCall({ peers, configuration: values, context: within(caller, searchTimeoutMs(values)), lanes, judged, log });
    const ranked = await rankAll(call);
    return {
      search_mode: ranked?.mode ?? "lexical",
      lanes: lanes.texts.map((capability, lane) => ({
        capability,
        functions: (ranked?.lanes[lane] ?? []).map(({ functionId, score }) => ({ function_id: functionId, score })),
      })),
    };
  }

  return {
    searchFunctions,
    searchScores,
    preGenerate: async (request, context) =>
      preGenerate(request, {
        memory: sessions,
        minimumWorkers: configuration.of(context).hint_min_workers,
        now: Date.now,
      }),
    hintPreview: async () => hintPreview(),
  };
}

type Sections = readonly [
  installable: NonNullable<SearchFunctionsResponse["installable"]>,
  skills: NonNullable<SearchFunctionsResponse["skills"]>,
  triggers: NonNullable<SearchFunctionsResponse["triggers"]>,
];

/** With nothing but intrinsic capabilities nobody is asked. */
async function rankAll(call: SearchCall): Promise<FunctionRanking | undefined> {
  return call.lanes.texts.length === 0 ? undefined : rankFunctions(call);
}

async function orNothing<Row>(section: Promise<Row[]>, { log, context }: SearchCall, name: string): Promise<Row[]> {
  try {
    return await section;
  } catch (error) {
    log.warn({ err: error, section: name, requestId: context.requestId }, "section left out");
    return [];
  }
}

function compose(
  ranked: FunctionRanking | undefined,
  lanes: Lanes,
  [installable, skills, triggers]: Sections,
  unsearched: readonly string[],
  session: Session,
): Omit<SearchFunctionsResponse, "latency_ms"> {
  if (ranked !== undefined) session.meet(ranked.fingerprint);
  const rows = ranked === undefined ? [] : selectFunctions(ranked, lanes);
  const delivery = session.deliver(rows.map(({ functionId }) => functionId));
  const inVain = installable.length > 0 ? [] : lanes.texts.filter((_, lane) => ranked?.lanes[lane]?.length === 0);
  const guidance = composeGuidance(
    {
      delivery,
      installable: installable.length > 0,
      skills: skills.length > 0,
      triggers: triggers.length > 0,
      hopeless: session.fruitless.add(inVain),
      unsearched,
    },
    session,
  );
  return {
    guidance,
    workers: groupFunctions(rows, new Set(delivery.fresh)),
    ...(installable.length > 0 ? { installable } : {}),
    ...(skills.length > 0 ? { skills } : {}),
    ...(triggers.length > 0 ? { triggers } : {}),
    search_mode: ranked?.mode ?? "lexical",
  };
}

function groupFunctions(rows: readonly RankedFunction[], fresh: ReadonlySet<string>): SearchWorker[] {
  const shown = rows.filter(({ functionId }) => fresh.has(functionId));
  return groupByOwner(shown.map((row) => ({ id: row.functionId, owner: row.namespace, row }))).map(([namespace, group]) => ({
    namespace,
    functions: group.map(({ row }) => ({ function_id: row.functionId, description: row.description })),
  }));
}
