/** The embedding model: texts in, unit vectors out; and the reranker, which scores pairs of texts. */
import { type ActorContract, type CallContext, TIMEOUTS } from "../call.js";

export interface EmbedRequest {
  readonly texts: readonly string[];
}

export interface EmbedReply {
  /**
   * One row a text, `dimensions` floats each, of unit length, on shared memory. A row of zeros: there is no vector for this text, because
   * the model can't read it (another script, only emoji, nothing at all) or failed on it alone. Such a lane or document ranks lexically.
   */
  readonly vectors: Float32Array;
  readonly dimensions: number;
  /** Identity of the model, part of every cache key: vectors of different models can't be compared. */
  readonly model: string;
}

export interface RerankLane {
  readonly query: string;
  readonly documents: readonly string[];
}

export interface RerankRequest {
  readonly lanes: readonly RerankLane[];
}

export interface RerankReply {
  /** For each lane one raw logit a document, in their order, all finite; null for a lane that failed or came too late. */
  readonly lanes: readonly (readonly number[] | null)[];
}

export interface DownloadProgress {
  readonly state: "running" | "complete" | "failed";
  readonly bytes: number;
  readonly totalBytes: number;
  /** Of a failed download: a readable line. */
  readonly reason?: string;
}

export interface EmbeddingReport {
  /** `off`: by configuration. `unavailable`: nothing could be loaded; `reason` says why. `idle`: nobody has needed it yet. */
  readonly state: "off" | "idle" | "loading" | "ready" | "degraded" | "unavailable";
  readonly model?: string;
  readonly origin?: "bundle" | "embedded";
  readonly reason?: string;
  readonly processes: number;
  readonly download?: DownloadProgress;
}

export interface EmbeddingActor {
  /** Goes ahead of all documents. Rejects with `invalid_request` when no model is configured or none could be loaded. */
  embedQueries(request: EmbedRequest, context: CallContext): Promise<EmbedReply>;
  /** In the background, in small batches; stops between batches at the deadline. */
  embedDocuments(request: EmbedRequest, context: CallContext): Promise<EmbedReply>;
  /** Within three seconds for all lanes together. Rejects with `invalid_request` when it is switched off or its files aren't there. */
  rerank(request: RerankRequest, context: CallContext): Promise<RerankReply>;
  /** For the status. */
  report(request: Record<string, never>, context: CallContext): Promise<EmbeddingReport>;
}

export const EMBEDDING_CONTRACT: ActorContract<EmbeddingActor> = {
  methods: {
    embedQueries: { idempotent: true, timeoutMs: TIMEOUTS.queryEmbedding },
    embedDocuments: { idempotent: true, timeoutMs: TIMEOUTS.documentBatch },
    rerank: { idempotent: true, timeoutMs: 3_500 },
    report: { idempotent: true, timeoutMs: TIMEOUTS.status },
  },
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 256,
  bufferLimitMiB: 512,
};
