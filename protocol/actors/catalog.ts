/** The catalog: a snapshot of all functions of the engine, its index, and everything that ranks. */
import { type ActorContract, type CallContext, TIMEOUTS } from "../call.js";

export interface RankRequest {
  /** Prepared capabilities (trimmed, cut, not intrinsic), one a lane. */
  readonly lanes: readonly string[];
  /** One vector a lane, `dimensions` floats each, on shared memory; absent in lexical mode and when no model answers. */
  readonly vectors?: Float32Array;
}

export interface RankedFunction {
  readonly functionId: string;
  /** Under which it is shown: the text before the first `::`, else the owning worker, else the id. */
  readonly namespace: string;
  /** First sentence, at most 160 bytes. */
  readonly description: string;
  /** Comparable within its lane only. */
  readonly score: number;
}

export interface LaneRanking {
  /** Best first; already admitted, pruned and cut: an empty lane means that nothing fits. */
  readonly rows: readonly RankedFunction[];
  /** The capability is the id of a function: the lane is that function and nothing else. */
  readonly exact: boolean;
  /** What really ranked this lane. */
  readonly rankedBy: "lexical" | "hybrid" | "exact";
}

export interface RankReply {
  /** Contract fingerprint of the snapshot that was ranked: lower-case hex SHA-256. */
  readonly fingerprint: string;
  readonly lanes: readonly LaneRanking[];
}

/** A pool of other documents (skills, triggers, functions that could be installed), ranked by the same machinery. */
export interface RankPoolRequest extends RankRequest {
  readonly documents: readonly PoolDocument[];
}

export interface PoolDocument {
  readonly id: string;
  /** What is searched: at most 300 bytes for side lanes, the searchable text for functions. */
  readonly text: string;
}

export interface RankPoolReply {
  readonly lanes: readonly (readonly { readonly id: string; readonly score: number }[])[];
}

export interface CatalogSnapshotReply {
  readonly fingerprint: string;
  /** False until the engine has been read once: then nothing is known, which is not the same as nothing being there. */
  readonly known: boolean;
  readonly functionIds: readonly string[];
  readonly namespaces: readonly string[];
}

export interface CatalogActor {
  /** Reads the catalog from the engine now; coalesced with a refresh under way. Rejects when the engine can't be read. */
  refresh(request: { readonly event?: string | undefined }, context: CallContext): Promise<{ ok: true }>;
  rank(request: RankRequest, context: CallContext): Promise<RankReply>;
  rankPool(request: RankPoolRequest, context: CallContext): Promise<RankPoolReply>;
  snapshot(request: Record<string, never>, context: CallContext): Promise<CatalogSnapshotReply>;
}

export const CATALOG_CONTRACT: ActorContract<CatalogActor> = {
  methods: {
    refresh: { idempotent: true, timeoutMs: 15_000 },
    rank: { idempotent: true, timeoutMs: TIMEOUTS.read },
    rankPool: { idempotent: true, timeoutMs: TIMEOUTS.read },
    snapshot: { idempotent: true, timeoutMs: TIMEOUTS.read },
  },
  mailboxLimit: 256,
  window: 8,
  heapLimitMiB: 512,
  bufferLimitMiB: 512,
};
