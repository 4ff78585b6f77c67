/** What the parts of one search share. */
import type { Logger } from "../../border/log.js";
import type { LaneVectors } from "../../protocol/actors/catalog.js";
import type { Peers } from "../../protocol/actors.js";
import { type CallContext, TIMEOUTS } from "../../protocol/call.js";
import type { Configuration } from "../../protocol/configuration.js";
import type { JudgedFunctions } from "./judged-functions.js";
import type { Batch, Lanes } from "./lanes.js";

export interface SearchCall {
  readonly peers: Peers;
  readonly configuration: Readonly<Configuration>;
  readonly context: CallContext;
  readonly lanes: Lanes;
  readonly judged: JudgedFunctions;
  readonly vectors: QueryVectors;
  /** Epoch milliseconds: when the time for remote judging is up. One deadline for everything that is judged in one search. */
  readonly judgingEnds: number;
  readonly log: Logger;
}

export type SearchCallOptions = Omit<SearchCall, "vectors" | "judgingEnds">;

/** Starts the embedding of the lanes at once where the mode needs it. */
export function openCall(options: SearchCallOptions): SearchCall {
  const { configuration, context, lanes } = options;
  const vectors = new QueryVectors(options);
  if (configuration.function_search_mode === "hybrid" && lanes.texts.length > 0) void vectors.all();
  return { ...options, vectors, judgingEnds: within(context, configuration.function_search_jev_timeout_ms).deadline };
}

/** What a search may take: judging has its own time, so that whatever it leaves undone can still be ranked locally. */
export function searchTimeoutMs({ function_search_mode: mode, function_search_jev_timeout_ms: judging }: Configuration): number {
  return TIMEOUTS.search + (mode === "jev" ? judging : 0);
}

/** The same context with a deadline that is at most so many milliseconds away. */
export function within(context: CallContext, timeoutMs: number): CallContext {
  return { ...context, deadline: Math.min(context.deadline, Date.now() + timeoutMs) };
}

export function laneTexts({ texts }: Lanes, { begin, end }: Batch): readonly string[] {
  return texts.slice(begin, end);
}

/** The vectors of all lanes, embedded together and at most once. */
export class QueryVectors {
  readonly #options: SearchCallOptions;
  #vectors: Promise<LaneVectors | undefined> | undefined;

  constructor(options: SearchCallOptions) {
    this.#options = options;
  }

  /** Undefined when there is no model or it doesn't answer: then terms alone rank. */
  all(): Promise<LaneVectors | undefined> {
    this.#vectors ??= this.#embed();
    return this.#vectors;
  }

  /** One row a lane of the batch, on the same memory. */
  async of({ begin, end }: Batch): Promise<LaneVectors | undefined> {
    const all = await this.all();
    if (all === undefined) return undefined;
    const dimensions = all.rows.length / this.#options.lanes.texts.length;
    return { rows: all.rows.subarray(begin * dimensions, end * dimensions), model: all.model };
  }

  async #embed(): Promise<LaneVectors | undefined> {
    const { peers, configuration, context, lanes, log } = this.#options;
    if (configuration.function_search_model_path === null) return undefined;
    try {
      const {
        vectors: rows,
        dimensions,
        model,
      } = await peers.embedding.embedQueries({ texts: lanes.texts }, within(context, TIMEOUTS.queryEmbedding));
      return rows.length === dimensions * lanes.texts.length ? { rows, model } : undefined;
    } catch (error) {
      log.debug({ err: error }, "no query vectors: terms alone rank this search");
      return undefined;
    }
  }
}
