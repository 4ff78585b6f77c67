/** Puts the embedding actor together. The thread's entry and the tests do the same thing here. */
import { join } from "node:path";
import type { EmbeddingActor, EmbedReply } from "../../protocol/actors/embedding.js";
import type { Configuration } from "../../protocol/configuration.js";
import { DirectoryError } from "../../protocol/errors.js";
import { type ActorSetting, remaining } from "../runtime.js";
import { BundleDownload, MODEL_SOURCE } from "./bundle-download.js";
import { type Moment, warnOfMissingModel } from "./missing-model.js";
import { readGolden } from "./model/golden.js";
import type { BundleManifest } from "./model/manifest.js";
import { DIMENSIONS } from "./model/pooling.js";
import { isComplete } from "./model/verification.js";
import { bundleSource, mayDownload, modelSources } from "./model-choice.js";
import { ModelHost } from "./model-host.js";
import { poolSize } from "./parallelism.js";
import { QueryVectors } from "./query-vectors.js";
import { RerankerHost } from "./reranker-host.js";

/** All optional: what a test or a bench sets otherwise. Plain data, so that it may come with the surroundings as well. */
export interface EmbeddingOptions {
  /** Model processes; by default as many as there are processors, at most four. */
  readonly processes?: number;
  /** Compiled entry of a model process. */
  readonly processFile?: string;
  /** What the bundle at the configured path consists of; by default the pinned one. */
  readonly bundle?: BundleManifest;
  /** Server that has it. */
  readonly modelSource?: string;
}

export async function buildEmbedding(
  { configuration, surroundings, log, onDrain }: ActorSetting,
  given: EmbeddingOptions = (surroundings.options.embedding ?? {}) as EmbeddingOptions,
): Promise<EmbeddingActor> {
  const processes = given.processes ?? poolSize();
  const bundle = () => bundleSource(configuration.current, surroundings, given.bundle);
  let download: BundleDownload | undefined;
  const host = new ModelHost({
    sources: () => modelSources(configuration.current, surroundings, given.bundle),
    golden: readGolden(surroundings.packageRoot),
    processFile: given.processFile ?? entry(surroundings.packageRoot, "embed"),
    processes,
    log,
    // All files were there, and one of them is damaged: a run replaces just that.
    onFault: ({ origin }) => origin === "bundle" && fetchBundle(),
  });
  const reranker = new RerankerHost({ source: bundle, processFile: entry(surroundings.packageRoot, "rerank"), log });
  const queries = new QueryVectors();
  onDrain(async () => {
    await Promise.all([download?.close(), host.close(), reranker.reset()]);
  });

  /** At most once in the life of this actor: what failed is tried again by the next. */
  function fetchBundle(): void {
    const target = bundle();
    if (download !== undefined || target === undefined || !mayDownload(configuration.current)) return;
    const { folder, manifest } = target;
    const userAgent = `iii-directory/${surroundings.version}`;
    download = new BundleDownload({ source: given.modelSource ?? MODEL_SOURCE, folder, manifest, userAgent, log });
    void download.run().then(async (complete) => {
      if (!complete) return;
      await reranker.reset();
      await host.renew().catch((error: unknown) => log.warn({ err: error }, "the fetched model could not be started"));
    });
  }

  async function fetchIfIncomplete(): Promise<void> {
    const target = bundle();
    if (target !== undefined && !(await isComplete(target.folder, target.manifest))) fetchBundle();
  }

  const lookAtModels = (values: Readonly<Configuration>, moment: Moment): void =>
    void Promise.all([
      warnOfMissingModel(values, surroundings, log, moment, given.bundle),
      mayDownload(values) ? fetchIfIncomplete() : undefined,
    ]).catch((error: unknown) => log.debug({ err: error }, "models not looked at"));
  lookAtModels(configuration.current, "boot");
  configuration.onChange((next) => {
    lookAtModels(next, "reload");
    if (!next.function_search_reranker) void reranker.reset();
  });

  return {
    async embedQueries({ texts }, context) {
      remaining(context);
      const model = await host.get();
      return shared(await queries.embed(texts, model, context.deadline), model.identity);
    },
    async embedDocuments({ texts }, context) {
      remaining(context);
      const model = await host.get();
      return shared(await model.embed(texts, { background: true, deadline: context.deadline }), model.identity);
    },
    async rerank({ lanes }, context) {
      remaining(context);
      if (!configuration.of(context).function_search_reranker) {
        throw new DirectoryError("invalid_request", "the reranker is switched off (function_search_reranker)");
      }
      return (await reranker.get()).rerank(lanes, context.deadline);
    },
    async report() {
      const fetching = download === undefined ? {} : { download: download.progress };
      const { model, reason, isLoading } = host;
      if (configuration.current.function_search_model_path === null) return { state: "off", processes, ...fetching };
      if (model !== undefined) {
        const state = model.isDegraded ? "degraded" : "ready";
        return { state, model: model.identity, origin: model.origin, processes, ...fetching };
      }
      if (reason !== undefined) return { state: "unavailable", reason, processes, ...fetching };
      return { state: isLoading ? "loading" : "idle", processes, ...fetching };
    },
  };
}

/** Compiled entry of a kind of model process. */
function entry(packageRoot: string, kind: "embed" | "rerank"): string {
  return join(packageRoot, "dist", "actors", "embedding", "processes", `${kind}.js`);
}

function shared(vectors: Float32Array, model: string): EmbedReply {
  const copy = new Float32Array(new SharedArrayBuffer(vectors.byteLength));
  copy.set(vectors);
  return { vectors: copy, dimensions: DIMENSIONS, model };
}
