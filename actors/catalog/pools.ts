/** Pools of other documents: small, sent whole with each request, and the same from one search to the next. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { PoolDocument, RankPoolReply, RankPoolRequest } from "../../protocol/actors/catalog.js";
import { termsOfDocument } from "./lexical/fields.js";
import { LexicalLane } from "./lexical/lexical-lane.js";

/** Pools whose index is kept: skills, triggers and some registry pools. */
const KEPT = 16;

export class Pools {
  readonly #lanes = new LRUCache<string, LexicalLane>({ max: KEPT });

  rank({ documents, lanes, exactIds = false }: RankPoolRequest): RankPoolReply {
    const pool = this.#lane(documents);
    return {
      lanes: lanes.map((capability) => {
        if (exactIds && pool.has(capability)) return [{ id: capability, score: 0 }];
        return pool.rank(capability).map(({ id, score }) => ({ id, score }));
      }),
    };
  }

  /** An index is found again by what is in it. */
  #lane(documents: readonly PoolDocument[]): LexicalLane {
    const key = contentKey(documents);
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    const made = new LexicalLane();
    for (const { id, text, opaqueId } of documents) made.add(id, termsOfDocument(id, text, opaqueId !== true));
    this.#lanes.set(key, made);
    return made;
  }
}

function contentKey(documents: readonly PoolDocument[]): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify(documents.map(({ id, text, opaqueId }) => [id, text, opaqueId === true])));
  return hash.digest("base64");
}
