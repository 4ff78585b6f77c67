/** The catalog: a snapshot of all functions of the engine, its index, and everything that ranks. */
import { type ActorContract, type CallContext, TIMEOUTS } from "../call.js";

export interface RankRequest {
  /** Prepared capabilities (trimmed, cut, not intrinsic), one a lane. */
  readonly lanes: readonly string[];
  /** Absent in lexical mode and when no model answers. */
  readonly vectors?: LaneVectors;
}

export interface RankFunctionsRequest extends RankRequest {
  /** Give the head of each lane as well, for a reranker. */
  readonly withHead?: boolean;
}

export interface LaneVectors {
  /** One row a lane, on shared memory; a row of zeros is a lane that has no vector. */
  readonly rows: Float32Array;
  /** Identity of the model: with another than that of the documents, terms alone rank. */
  readonly model: string;
}

export interface RankedFunction {
  readonly functionId: string;
  /** Under which it is shown: the text before the first `::`, else the owning worker, else the id. */
  readonly namespace: string;
  /** First sentence, at most 160 bytes. */
  readonly description: string;
  /** Comparable within its lane only; 0 in a lane that is an exact id. */
  readonly score: number;
}

export interface RankedCandidate extends RankedFunction {
  /** The searchable text: what a reranker reads. */
  readonly text: string;
}

export interface LaneHead {
  /** Best first, nothing cut off, at most 24; empty when nothing fits. */
  readonly rows: readonly RankedCandidate[];
  /** The row that terms put first, when it holds every term of the capability. */
  readonly anchor?: string;
}

export interface LaneRanking {
  /** Best first; already admitted, pruned and cut: an empty lane means that nothing fits. */
  readonly rows: readonly RankedFunction[];
  /** The capability is the id of a function: the lane is that function and nothing else. */
  readonly exact: boolean;
  /** What really ranked this lane. */
  readonly rankedBy: "lexical" | "hybrid" | "exact";
  /** Of a lane that was ranked by vectors, when it was asked for. */
  readonly head?: LaneHead;
}

export interface RankReply {
  /** Contract fingerprint of the snapshot that was ranked: lower-case hex SHA-256. */
  readonly fingerprint: string;
  readonly lanes: readonly LaneRanking[];
  /** The vectors of this snapshot could be searched: so a lane that has none of them needed none. */
  readonly dense?: boolean;
}

/** A pool of other documents (skills, triggers, functions that could be installed), ranked by the same machinery. */
export interface RankPoolRequest extends RankRequest {
  readonly documents: readonly PoolDocument[];
  /** A capability that is the id of a document gets that document only: for functions, not for skills and triggers. */
  readonly exactIds?: boolean;
}

export interface PoolDocument {
  readonly id: string;
  /** What is searched: at most 300 bytes for side lanes, the searchable text (which begins with the id) for functions. */
  readonly text: string;
  /** The id means nothing, as that of a trigger: it is not searched. */
  readonly opaqueId?: boolean;
}

export interface RankPoolReply {
  readonly lanes: readonly (readonly { readonly id: string; readonly score: number }[])[];
}

export interface CatalogSnapshotReply {
  readonly fingerprint: string;
  /** False until the engine has been read once: then nothing is known, which is not the same as nothing being there. */
  readonly known: boolean;
  /** In byte order. */
  readonly functionIds: readonly string[];
  /** Those of ids with `::`, in byte order. */
  readonly namespaces: readonly string[];
}

export interface DescribeRequest {
  /** Absent: every function of the snapshot. Unknown ids are left out of the reply. */
  readonly functionIds?: readonly string[];
}

export interface DescribedFunction {
  readonly functionId: string;
  readonly namespace: string;
  /** Name of the owner; absent when the engine doesn't tell. */
  readonly worker?: string;
  /** First sentence, at most 160 bytes. */
  readonly description: string;
  /** Top level only, in byte order. */
  readonly parameterNames: readonly string[];
}

export interface DescribeReply {
  readonly fingerprint: string;
  /** In byte order of the ids, or in the order asked for. */
  readonly functions: readonly DescribedFunction[];
}

export interface CandidatesRequest {
  readonly lanes: readonly string[];
  /** Ids of each lane at most. */
  readonly depth: number;
}

export interface CandidatesReply {
  /** Best first. What a ranking wouldn't show is among them: they are for somebody who looks more closely. */
  readonly lanes: readonly (readonly string[])[];
}

export interface CatalogReport {
  readonly functions: number;
  readonly fingerprint: string;
  /** Functions whose vector is there. */
  readonly embedded: number;
  /** Texts that wait for the model, of functions and of pools. */
  readonly waiting: number;
  /** Whose vectors they are; absent while there are none. */
  readonly model?: string;
}

export interface CatalogActor {
  /**
   * Reads the catalog from the engine now; calls that come while one reads share the next. Rejects when the engine can't be read:
   * the last good snapshot stays.
   */
  refresh(request: { readonly event?: string | null | undefined }, context: CallContext): Promise<{ ok: true }>;
  rank(request: RankFunctionsRequest, context: CallContext): Promise<RankReply>;
  rankPool(request: RankPoolRequest, context: CallContext): Promise<RankPoolReply>;
  snapshot(request: Record<string, never>, context: CallContext): Promise<CatalogSnapshotReply>;
  /** Functions that share a term with the capability. */
  candidates(request: CandidatesRequest, context: CallContext): Promise<CandidatesReply>;
  /** The slim contracts: what a remote judge is shown. */
  describe(request: DescribeRequest, context: CallContext): Promise<DescribeReply>;
  /** For the status. */
  report(request: Record<string, never>, context: CallContext): Promise<CatalogReport>;
}

export const CATALOG_CONTRACT: ActorContract<CatalogActor> = {
  methods: {
    refresh: { idempotent: true, timeoutMs: 15_000 },
    rank: { idempotent: true, timeoutMs: TIMEOUTS.read },
    rankPool: { idempotent: true, timeoutMs: TIMEOUTS.read },
    snapshot: { idempotent: true, timeoutMs: TIMEOUTS.read },
    candidates: { idempotent: true, timeoutMs: TIMEOUTS.read },
    describe: { idempotent: true, timeoutMs: TIMEOUTS.read },
    report: { idempotent: true, timeoutMs: TIMEOUTS.status },
  },
  mailboxLimit: 256,
  window: 8,
  heapLimitMiB: 768,
  bufferLimitMiB: 512,
};
