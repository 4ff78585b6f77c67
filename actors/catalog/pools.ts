/** Pools of other documents: small, sent whole with each request, and the same from one search to the next. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { PoolDocument, RankPoolReply, RankPoolRequest } from "../../protocol/actors/catalog.js";
import { rankHybrid } from "./fusion.js";
import { termsOfDocument } from "./lexical/fields.js";
import { LexicalLane } from "./lexical/lexical-lane.js";
import { queryOf } from "./rank.js";
import type { Timer } from "./timer.js";
import { asWords } from "./vectors/dense-text.js";
import type { TextVectors, VectorHolder } from "./vectors/text-vectors.js";
import { VectorMatrix } from "./vectors/vector-matrix.js";

/** Pools whose index is kept: skills, triggers and some registry pools. */
const KEPT = 16;
/** A search waits for the vectors of a pool that it brings, if there are no more of them than this, for so long. */
const WAITED_FOR = { texts: 64, ms: 500 } as const;

interface IndexedPool {
  readonly lexical: LexicalLane;
  readonly matrix: VectorMatrix;
  /** Settles when every document has a vector. */
  readonly embedded: Promise<void>;
}

export class Pools implements VectorHolder {
  readonly size = 0;
  readonly #vectors: TextVectors;
  readonly #timer: Timer;
  readonly #pools = new LRUCache<string, IndexedPool>({ max: KEPT });

  constructor(vectors: TextVectors, timer: Timer) {
    this.#vectors = vectors;
    this.#timer = timer;
    vectors.addHolder(this);
  }

  async rank({ documents, lanes, vectors, exactIds = false }: RankPoolRequest): Promise<RankPoolReply> {
    const pool = this.#pool(documents);
    if (vectors !== undefined && vectors.model === this.#vectors.model) await this.#wait(pool, documents.length);
    const { model } = this.#vectors;
    return {
      lanes: lanes.map((capability, lane) => {
        if (exactIds && pool.lexical.has(capability)) return [{ id: capability, score: 0 }];
        const query = queryOf(vectors, lane, model);
        const rows =
          query !== undefined && pool.matrix.size > 0 ? rankHybrid(capability, query, pool) : pool.lexical.rank(capability);
        return rows.map(({ id, score }) => ({ id, score }));
      }),
    };
  }

  restart(): void {
    this.#pools.clear();
  }

  /** What a pool has is kept among the vectors that nothing holds. */
  *held(): Generator<never> {}

  /** A pool is found again by what is in it. */
  #pool(documents: readonly PoolDocument[]): IndexedPool {
    const key = contentKey(documents);
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const lexical = new LexicalLane();
    for (const { id, text, opaqueId } of documents) lexical.add(id, termsOfDocument(id, text, opaqueId !== true));
    const matrix = new VectorMatrix();
    const made = { lexical, matrix, embedded: this.#embed(documents, matrix) };
    this.#pools.set(key, made);
    return made;
  }

  #embed(documents: readonly PoolDocument[], matrix: VectorMatrix): Promise<void> {
    return new Promise((resolve) => {
      let missing = documents.length;
      if (missing === 0) resolve();
      for (const document of documents) {
        const take = (embedded: Parameters<VectorMatrix["set"]>[1]): void => {
          matrix.set(document.id, embedded);
          if (--missing === 0) resolve();
        };
        this.#vectors.want(embeddedText(document), take, { urgent: documents.length <= WAITED_FOR.texts });
      }
    });
  }

  async #wait({ matrix, embedded }: IndexedPool, size: number): Promise<void> {
    if (matrix.size >= size || size > WAITED_FOR.texts || !this.#vectors.isServing) return;
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#timer(WAITED_FOR.ms, resolve);
    });
    await Promise.race([embedded, late]);
    cancel();
  }
}

/** The searchable text of a function begins with its id, which the model reads better as words. */
function embeddedText({ id, text, opaqueId = false }: PoolDocument): string {
  if (opaqueId) return text;
  return text.startsWith(id) ? `${asWords(id)}. ${text.slice(id.length).trim()}` : text;
}

function contentKey(documents: readonly PoolDocument[]): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify(documents.map(({ id, text, opaqueId }) => [id, text, opaqueId === true])));
  return hash.digest("base64");
}
