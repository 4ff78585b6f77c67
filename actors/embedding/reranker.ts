/**
 * The cross-encoder: one raw logit a pair of texts. In a process of its own, so that it never holds up an embedding; in small batches,
 * with the time looked at before each; and what it has once computed it remembers.
 */
import { LRUCache } from "lru-cache";
import type { RerankLane, RerankReply } from "../../protocol/actors/embedding.js";
import { DirectoryError } from "../../protocol/errors.js";
import { type BatchLimits, cutBatches } from "./model/batches.js";
import { type Encoded, Tokens } from "./model/tokens.js";
import { partFault, pathOf } from "./model/verification.js";
import type { ModelSource } from "./model-choice.js";
import { ModelPool } from "./model-pool.js";

/** For all lanes of one request together. */
const BUDGET_MS = 3_000;
/** At most eight pairs; fewer where they are long, so that whoever gives up waits for little. */
const BATCH: BatchLimits = { rows: 8, tokens: 2_048 };
/** Pairs whose logit is remembered. */
const REMEMBERED = 8_192;

export interface RerankerOptions {
  /** Compiled entry of its process. */
  readonly processFile: string;
  readonly now?: () => number;
}

export class Reranker {
  readonly #tokens: Tokens;
  readonly #pool: ModelPool;
  readonly #now: () => number;
  readonly #logits = new LRUCache<string, number>({ max: REMEMBERED });

  private constructor(tokens: Tokens, pool: ModelPool, now: () => number) {
    this.#tokens = tokens;
    this.#pool = pool;
    this.#now = now;
  }

  /** Checks every byte; the network itself is loaded with the first pair. Throws a readable line. */
  static async start({ folder, manifest }: ModelSource, { processFile, now = Date.now }: RerankerOptions): Promise<Reranker> {
    const part = manifest.parts.reranker;
    if (part === undefined) throw new Error(`${folder} has no reranker`);
    const fault = await partFault(folder, part);
    if (fault !== undefined) throw new Error(fault);
    const modelFile = pathOf(folder, part, { path: part.model });
    const pool = new ModelPool({ processFile, modelFile, processes: 1, now });
    return new Reranker(new Tokens(pathOf(folder, part, { path: "." })), pool, now);
  }

  /** Lanes one after another. Never later than the deadline: a lane that isn't done by then, or that failed, is null. */
  async rerank(lanes: readonly RerankLane[], deadline: number): Promise<RerankReply> {
    const end = Math.min(deadline, this.#now() + BUDGET_MS);
    const done: (number[] | null)[] = lanes.map(() => null);
    const all = async (): Promise<void> => {
      for (const [at, lane] of lanes.entries()) done[at] = await this.#lane(lane, end).catch(() => null);
    };
    await within(all(), end - this.#now());
    return { lanes: [...done] };
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #lane({ query, documents }: RerankLane, deadline: number): Promise<number[]> {
    const keys = documents.map((document) => `${query}\u0000${document}`);
    const open = keys.flatMap((key, at) => (this.#logits.has(key) ? [] : [at]));
    const pairs = open.map((at) => this.#tokens.encodePair(query, documents[at] ?? ""));
    const lengths = pairs.map(({ ids }) => ids.length);
    const computed = new Map<string, number>();
    for (const batch of cutBatches(lengths, BATCH)) {
      const logits = await this.#batch(
        batch.flatMap((at) => pairs[at] ?? []),
        deadline,
      );
      for (const [row, at] of batch.entries()) computed.set(keys[open[at] ?? -1] ?? "", logits[row] ?? Number.NaN);
    }
    for (const [key, logit] of computed) this.#logits.set(key, logit);
    return keys.map((key) => computed.get(key) ?? this.#logits.get(key) ?? Number.NaN);
  }

  async #batch(rows: readonly Encoded[], deadline: number): Promise<Float32Array> {
    const bare = rows.map(({ ids, segments = [] }) => ({ ids, segments }));
    const logits = await this.#pool.run(bare, { background: false, deadline });
    if (logits.length === rows.length && logits.every(Number.isFinite)) return logits;
    throw new DirectoryError("internal", "the reranker gave scores that are not finite");
  }
}

/** Settles with the work or when the time is up; the work goes on until its next look at the time. */
async function within(work: Promise<void>, timeMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, timeMs));
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
