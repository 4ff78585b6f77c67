/** The embedding model: texts in, unit vectors out. */
import { type ActorContract, type CallContext, TIMEOUTS } from "../call.js";

export interface EmbedRequest {
  readonly texts: readonly string[];
}

export interface EmbedReply {
  /** One row a text, `dimensions` floats each, of unit length, on shared memory. */
  readonly vectors: Float32Array;
  readonly dimensions: number;
  /** Identity of the model, part of every cache key. */
  readonly model: string;
}

export interface EmbeddingActor {
  /** Goes ahead of all documents. Rejects with `invalid_request` when no model is configured or none could be loaded. */
  embedQueries(request: EmbedRequest, context: CallContext): Promise<EmbedReply>;
  /** In the background, in small batches; stops between batches at the deadline. */
  embedDocuments(request: EmbedRequest, context: CallContext): Promise<EmbedReply>;
}

export const EMBEDDING_CONTRACT: ActorContract<EmbeddingActor> = {
  methods: {
    embedQueries: { idempotent: true, timeoutMs: TIMEOUTS.queryEmbedding },
    embedDocuments: { idempotent: true, timeoutMs: TIMEOUTS.documentBatch },
  },
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 256,
  bufferLimitMiB: 512,
};
