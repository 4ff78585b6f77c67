/** Runs the judged cases in each mode and says what came of it. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigurationHistory } from "../../actors/configuration-history.js";
import { buildEmbedding } from "../../actors/embedding/build.js";
import { buildJev } from "../../actors/jev/build.js";
import type { ActorSetting } from "../../actors/runtime.js";
import { createLogger } from "../../border/log.js";
import { DEFAULT_CONFIGURATION } from "../../domain/configuration.js";
import type { Peers } from "../../protocol/actors.js";
import type { Configuration } from "../../protocol/configuration.js";
import { type BuiltCatalog, catalogOf, type Registered } from "../../test/harness/catalogue.js";
import { newContext } from "../../test/harness/context.js";
import { settingFor } from "../../test/harness/setting.js";
import { type JudgedCase, joinCases, readCases } from "./cases.js";
import { type Evaluated, evaluateSearch } from "./entry.js";
import { type CaseMetrics, mean, measureCase, percentile, sha256 } from "./metrics.js";
import type { EvaluationMode, EvaluationOptions } from "./options.js";
import { type RemoteSummary, type SampleStatus, statusOf, summariseRemote } from "./summary.js";

const SEARCH_MS = 60_000;

export interface CaseReport extends CaseMetrics {
  readonly id: string;
  readonly split: JudgedCase["split"];
  readonly capabilities: number;
  readonly batches: number;
  readonly status: SampleStatus;
}

export type ModeReport = { readonly mode: EvaluationMode } & (
  | { readonly status: "skipped"; readonly reason: string; readonly metrics: null; readonly latency_ms: Latency }
  | {
      readonly status: SampleStatus;
      /** Means over the cases; hybrid without those that fell back. */
      readonly metrics: Pick<
        CaseMetrics,
        "recall_at_12" | "mrr" | "group_coverage" | "lane_false_positives" | "response_false_positives"
      >;
      readonly latency_ms: Latency;
      readonly jev: RemoteSummary | null;
      readonly cases: readonly CaseReport[];
    }
);

interface Latency {
  readonly p50: number | null;
  readonly p95: number | null;
}

export interface Evaluation {
  readonly inputs: { readonly cases_sha256: string; readonly catalogue_sha256: string };
  readonly modes: readonly ModeReport[];
}

export interface RemoteJudge {
  readonly key: string | undefined;
  /** Tests only. */
  readonly endpoint?: string;
}

export async function evaluate(options: EvaluationOptions, remote: RemoteJudge): Promise<Evaluation> {
  const catalogueText = readFileSync(options.catalogue, "utf8");
  const functions = readCatalogue(catalogueText);
  const cases = readCases(options.cases, new Set(functions.map(({ id }) => id)));
  const whole = [...cases, joinCases("joined-eighteen", cases, 18)];
  const modes: ModeReport[] = [];
  for (const mode of options.modes) modes.push(await evaluateMode(mode, functions, whole, options, remote));
  return { inputs: { cases_sha256: sha256(readFileSync(options.cases, "utf8")), catalogue_sha256: sha256(catalogueText) }, modes };
}

export function readCatalogue(text: string): Registered[] {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { name: string; description: string; parameters: unknown })
    .map(({ name, description, parameters }) => ({ id: name, description, parameters }));
}

async function evaluateMode(
  mode: EvaluationMode,
  functions: readonly Registered[],
  cases: readonly JudgedCase[],
  options: EvaluationOptions,
  remote: RemoteJudge,
): Promise<ModeReport> {
  if (mode === "hybrid" && options.modelPath === undefined) {
    const reason = "hybrid needs the path of a model: say --model-path";
    return { mode, status: "skipped", reason, metrics: null, latency_ms: { p50: null, p95: null } };
  }
  const rig = await Rig.open(mode, functions, options, remote);
  try {
    if (mode === "hybrid") await rig.untilReady(cases[0], options.readinessMs);
    const samples: { readonly evaluated: Evaluated; readonly report: CaseReport }[] = [];
    for (const judged of cases) {
      const search = await rig.searchFor(judged);
      if (mode === "lexical" || mode === "hybrid") await search();
      for (let repetition = 0; repetition < options.repetitions; repetition++) {
        const evaluated = await search();
        samples.push({ evaluated, report: reportOf(mode, judged, evaluated) });
      }
    }
    return summarise(mode, samples, options);
  } finally {
    await rig.stop();
  }
}

function reportOf(mode: EvaluationMode, judged: JudgedCase, evaluated: Evaluated): CaseReport {
  const { id, split, capabilities } = judged;
  return {
    id,
    split,
    capabilities: capabilities.length,
    batches: Math.ceil(capabilities.length / 6),
    status: statusOf(mode, evaluated),
    ...measureCase(judged, evaluated),
  };
}

function summarise(
  mode: EvaluationMode,
  samples: readonly { readonly evaluated: Evaluated; readonly report: CaseReport }[],
  options: EvaluationOptions,
): ModeReport {
  const counted = mode === "hybrid" ? samples.filter(({ report }) => report.status === "complete") : samples;
  const meanOf = (field: "recall_at_12" | "mrr" | "group_coverage"): number | null =>
    mean(counted.map(({ report }) => report[field]));
  const sumOf = (field: "lane_false_positives" | "response_false_positives"): number =>
    counted.reduce((sum, { report }) => sum + report[field], 0) / options.repetitions;
  const elapsed = counted.map(({ evaluated }) => evaluated.elapsed_ms);
  return {
    mode,
    status: samples.every(({ report }) => report.status === "complete") ? "complete" : "fallback",
    metrics: {
      recall_at_12: meanOf("recall_at_12"),
      mrr: meanOf("mrr"),
      group_coverage: meanOf("group_coverage"),
      lane_false_positives: sumOf("lane_false_positives"),
      response_false_positives: sumOf("response_false_positives"),
    },
    latency_ms: { p50: percentile(elapsed, 0.5), p95: percentile(elapsed, 0.95) },
    jev: summariseRemote(
      mode,
      samples.map(({ evaluated }) => evaluated),
      options,
    ),
    cases: samples.filter((_, at) => at % options.repetitions === 0).map(({ report }) => report),
  };
}

/** The actors of one mode. A catalogue is read again only for a case that changes descriptions. */
class Rig {
  readonly #functions: readonly Registered[];
  readonly #history: ConfigurationHistory;
  readonly #peers: Pick<Peers, "jev" | "embedding">;
  readonly #drains: readonly (() => Promise<void>)[];
  #plain: Promise<BuiltCatalog> | undefined;

  static async open(
    mode: EvaluationMode,
    functions: readonly Registered[],
    options: EvaluationOptions,
    remote: RemoteJudge,
  ): Promise<Rig> {
    const history = new ConfigurationHistory({ generation: 1, values: configurationOf(mode, options) });
    const jevOptions = {
      ...(remote.key === undefined ? {} : { environmentKey: remote.key }),
      ...(remote.endpoint === undefined ? {} : { endpoint: remote.endpoint }),
    };
    const { setting } = settingFor("evaluation", {}, { surroundings: { options: { jev: jevOptions } } });
    const drains: (() => Promise<void>)[] = [];
    const shared: ActorSetting = { ...setting, configuration: history, onDrain: (drain) => drains.push(drain) };
    return new Rig(functions, history, { jev: buildJev(shared), embedding: await buildEmbedding(shared) }, drains);
  }

  private constructor(
    functions: readonly Registered[],
    history: ConfigurationHistory,
    peers: Pick<Peers, "jev" | "embedding">,
    drains: readonly (() => Promise<void>)[],
  ) {
    this.#functions = functions;
    this.#history = history;
    this.#peers = peers;
    this.#drains = drains;
  }

  /** Vectors of a catalogue are made in the background. Without them in time, the samples say that they fell back. */
  async untilReady(first: JudgedCase | undefined, limitMs: number): Promise<void> {
    const until = Date.now() + limitMs;
    const search = first === undefined ? undefined : await this.searchFor(first);
    while (search !== undefined && Date.now() < until && !(await search()).hybrid_complete) await sleep(250);
  }

  async searchFor({ capabilities, description_overrides }: JudgedCase): Promise<() => Promise<Evaluated>> {
    this.#plain ??= catalogOf(this.#functions);
    const { catalog } = await (description_overrides === undefined
      ? this.#plain
      : catalogOf(this.#overridden(description_overrides)));
    const peers = { ...this.#peers, catalog } as unknown as Peers;
    const log = createLogger("evaluation", "silent");
    return () => evaluateSearch({ peers, configuration: this.#history, log }, capabilities, newContext(SEARCH_MS));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#drains.map((drain) => drain()));
  }

  #overridden(overrides: Readonly<Record<string, string>>): Registered[] {
    return this.#functions.map((each) => ({ ...each, description: overrides[each.id] ?? each.description ?? "" }));
  }
}

function configurationOf(mode: EvaluationMode, options: EvaluationOptions): Configuration {
  return {
    ...DEFAULT_CONFIGURATION,
    function_search_mode: mode === "jev-shortlist" ? "jev" : mode,
    function_search_model_path: options.modelPath ?? null,
    function_search_model_download: false,
    function_search_jev_model: options.jevModel,
    function_search_jev_timeout_ms: options.jevTimeoutMs,
    function_search_jev_min_relevance: options.jevMinRelevance,
    function_search_jev_shortlist: mode === "jev-shortlist" ? options.shortlist : 0,
    registry_search: false,
  };
}
