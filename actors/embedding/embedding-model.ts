/** A verified model with its processes: texts in, unit vectors out. */
import { DirectoryError } from "../../protocol/errors.js";
import { type BatchLimits, cutBatches } from "./model/batches.js";
import { type GoldenCase, goldenFault } from "./model/golden.js";
import { identityOf } from "./model/manifest.js";
import { areValid, DIMENSIONS } from "./model/pooling.js";
import { type Encoded, Tokens } from "./model/tokens.js";
import { partFault, pathOf } from "./model/verification.js";
import type { ModelSource } from "./model-choice.js";
import { BatchFailure, ModelPool } from "./model-pool.js";

/** Time for loading and proving a model, on a crowded machine. */
const START_MS = 60_000;
/** Of queries: few enough that all processes get a share. */
const MOST_QUERY_ROWS = 8;
const QUERY_TOKENS = 512;
/** Of documents, where a process is kept free for queries. */
const BACKGROUND: BatchLimits = { rows: 8, tokens: 512 };
/** The same with a single process, where a query has to wait for the batch that runs. */
const BACKGROUND_ALONE: BatchLimits = { rows: 1, tokens: 512 };

export interface EmbeddingModelOptions {
  readonly processFile: string;
  readonly processes: number;
  readonly golden: readonly GoldenCase[];
  readonly now?: () => number;
}

export interface EmbedOptions {
  /** Nobody waits for it: goes behind what somebody waits for. */
  readonly background: boolean;
  /** Epoch milliseconds; checked before each batch. */
  readonly deadline: number;
}

export class EmbeddingModel {
  readonly identity: string;
  readonly origin: ModelSource["origin"];
  readonly #tokens: Tokens;
  readonly #pool: ModelPool;

  private constructor(source: ModelSource, tokens: Tokens, pool: ModelPool) {
    this.identity = identityOf(source.manifest, source.manifest.parts.embedding);
    this.origin = source.origin;
    this.#tokens = tokens;
    this.#pool = pool;
  }

  /** Checks every byte, loads the network in all processes and compares what it computes. Throws a readable line. */
  static async start(source: ModelSource, options: EmbeddingModelOptions): Promise<EmbeddingModel> {
    const part = source.manifest.parts.embedding;
    const fault = await partFault(source.folder, part);
    if (fault !== undefined) throw new Error(fault);
    const tokens = new Tokens(pathOf(source.folder, part, { path: "." }));
    const modelFile = pathOf(source.folder, part, { path: part.model });
    const pool = new ModelPool({ ...options, modelFile });
    const model = new EmbeddingModel(source, tokens, pool);
    try {
      await model.#prove(options);
      return model;
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  get isDegraded(): boolean {
    return this.#pool.isDegraded;
  }

  /**
   * One row a text, `DIMENSIONS` floats each. A row of zeros says that there is no vector: the model can't read the text, or it could
   * not be computed even alone. The same text gives the same vector whatever else is asked for.
   */
  async embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array> {
    const encoded = texts.map((text) => this.#tokens.encode(text));
    const readable = encoded.flatMap((row, at) => (row.readable ? [at] : []));
    const batches = cutBatches(
      readable.map((at) => encoded[at]?.ids.length ?? 0),
      options.background ? this.#backgroundLimits : this.#queryLimits(readable.length),
    );
    const vectors = new Float32Array(texts.length * DIMENSIONS);
    const compute = async (batch: readonly number[]): Promise<void> => {
      const places = batch.flatMap((at) => readable[at] ?? []);
      const rows = places.flatMap((at) => encoded[at] ?? []);
      const computed = await this.#batch(rows, options);
      for (const [row, at] of places.entries()) vectors.set(rowOf(computed, row), at * DIMENSIONS);
    };
    await Promise.all(batches.map(compute));
    return vectors;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  get #backgroundLimits(): BatchLimits {
    return this.#pool.processes > 1 ? BACKGROUND : BACKGROUND_ALONE;
  }

  #queryLimits(count: number): BatchLimits {
    const share = Math.ceil(count / this.#pool.processes);
    return { rows: Math.max(1, Math.min(MOST_QUERY_ROWS, share)), tokens: QUERY_TOKENS };
  }

  /** What killed a process or failed in a batch is tried once more, each row alone; what fails alone has no vector. */
  async #batch(rows: readonly Encoded[], options: EmbedOptions): Promise<Float32Array> {
    try {
      return await this.#valid(rows, options);
    } catch (error) {
      if (!isLostBatch(error)) throw readable(error);
    }
    const vectors = new Float32Array(rows.length * DIMENSIONS);
    for (const [at, row] of rows.entries()) {
      try {
        vectors.set(await this.#valid([row], options), at * DIMENSIONS);
      } catch (error) {
        if (!isLostBatch(error)) throw readable(error);
      }
    }
    return vectors;
  }

  async #valid(rows: readonly Encoded[], options: EmbedOptions): Promise<Float32Array> {
    const bare = rows.map(({ ids }) => ({ ids }));
    const vectors = await this.#pool.run(bare, options);
    if (!areValid(vectors, rows.length)) throw new BatchFailure("compute", "the model gave vectors that are not finite");
    return vectors;
  }

  /** Each process gets the golden texts once: they load the network side by side, and the last one's vectors are compared. */
  async #prove({ golden, processes, now = Date.now }: EmbeddingModelOptions): Promise<void> {
    const rows = golden.map(({ text }) => ({ ids: this.#tokens.encode(text).ids }));
    const deadline = now() + START_MS;
    const runs = Array.from({ length: processes }, () => this.#pool.run(rows, { background: false, deadline }));
    for (const vectors of await Promise.all(runs)) {
      const fault = goldenFault(golden, vectors);
      if (fault !== undefined) throw new Error(fault);
    }
  }
}

function rowOf(vectors: Float32Array, row: number): Float32Array {
  return vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
}

/** The batch is at fault, or may be: its rows deserve a try of their own. */
function isLostBatch(error: unknown): boolean {
  return error instanceof BatchFailure && error.kind !== "load";
}

function readable(error: unknown): unknown {
  if (!(error instanceof BatchFailure)) return error;
  return new DirectoryError("actor_degraded", `a model process could not load the model again: ${error.message}`);
}
