/** Puts the embedding actor together. The thread's entry and the tests do the same thing here. */
import { fileURLToPath } from "node:url";
import type { EmbeddingActor, EmbedReply } from "../../protocol/actors/embedding.js";
import type { Configuration } from "../../protocol/configuration.js";
import { DirectoryError } from "../../protocol/errors.js";
import { type ActorSetting, remaining } from "../runtime.js";
import { type Moment, warnOfMissingModel } from "./missing-model.js";
import { readGolden } from "./model/golden.js";
import { DIMENSIONS } from "./model/pooling.js";
import { modelSources } from "./model-choice.js";
import { ModelHost } from "./model-host.js";
import { poolSize } from "./parallelism.js";
import { QueryVectors } from "./query-vectors.js";

/** All optional: what a test or a bench sets otherwise. Plain data, so that it may come with the surroundings as well. */
export interface EmbeddingOptions {
  /** Model processes; by default as many as there are processors, at most four. */
  readonly processes?: number;
  /** Compiled entry of a model process. */
  readonly processFile?: string;
}

export async function buildEmbedding(
  { configuration, surroundings, log, onDrain }: ActorSetting,
  given: EmbeddingOptions = (surroundings.options.embedding ?? {}) as EmbeddingOptions,
): Promise<EmbeddingActor> {
  const processes = given.processes ?? poolSize();
  const host = new ModelHost({
    sources: () => modelSources(configuration.current, surroundings),
    golden: readGolden(surroundings.packageRoot),
    processFile: given.processFile ?? fileURLToPath(new URL("./processes/embed.js", import.meta.url)),
    processes,
    log,
  });
  const queries = new QueryVectors();
  onDrain(() => host.close());
  const warn = (values: Readonly<Configuration>, moment: Moment): void =>
    void warnOfMissingModel(values, surroundings, log, moment).catch((error: unknown) =>
      log.debug({ err: error }, "models not looked at"),
    );
  warn(configuration.current, "boot");
  configuration.onChange((next) => warn(next, "reload"));

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
    async rerank() {
      throw new DirectoryError("invalid_request", "the reranker is switched off (function_search_reranker)");
    },
    async state() {
      const { model } = host;
      if (model === undefined) return { state: "idle", processes };
      return { state: model.isDegraded ? "degraded" : "ready", model: model.identity, origin: model.origin, processes };
    },
  };
}

function shared(vectors: Float32Array, model: string): EmbedReply {
  const copy = new Float32Array(new SharedArrayBuffer(vectors.byteLength));
  copy.set(vectors);
  return { vectors: copy, dimensions: DIMENSIONS, model };
}
