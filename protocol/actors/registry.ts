/** The workers registry (HTTP) and git: fetches bundles, never writes them itself. */
import { type ActorContract, type CallContext, TIMEOUTS } from "../call.js";
import type { DownloadRequest, DownloadResponse } from "../functions/downloads.js";
import type {
  FunctionInfoRequest,
  FunctionInfoResponse,
  ListWorkersRequest,
  ListWorkersResponse,
  WorkerInfoRequest,
  WorkerInfoResponse,
} from "../functions/registry.js";

export interface InstallableRequest {
  /** Prepared capabilities that aren't intrinsic, at most six a batch. */
  readonly batches: readonly (readonly string[])[];
  /** Workers of these names are no candidates. */
  readonly installedNamespaces: readonly string[];
}

/** A function of a worker that could be installed. */
export interface InstallableFunction {
  readonly functionId: string;
  /** Whole, as published. */
  readonly description: string;
  /** Top level only. */
  readonly parameterNames: readonly string[];
}

export interface InstallableCandidate {
  readonly name: string;
  /** Empty when the registry doesn't tell, and so is the description. */
  readonly version: string;
  readonly description: string;
  /** Without internal ones. */
  readonly functions: readonly InstallableFunction[];
}

export interface InstallableReply {
  /** One list a batch, in the order of the registry's own search; at most six each. */
  readonly batches: readonly (readonly InstallableCandidate[])[];
}

export interface RegistryActor {
  listWorkers(request: ListWorkersRequest, context: CallContext): Promise<ListWorkersResponse>;
  workerInfo(request: WorkerInfoRequest, context: CallContext): Promise<WorkerInfoResponse>;
  /** Asks the engine, not the registry: the contract of a function that is there. */
  functionInfo(request: FunctionInfoRequest, context: CallContext): Promise<FunctionInfoResponse>;
  /** From the registry or from git. What is written is written as a whole. */
  download(request: DownloadRequest, context: CallContext): Promise<DownloadResponse>;
  /** Never rejects. */
  workerAdded(request: { readonly worker?: string | null | undefined }, context: CallContext): Promise<{ ok: true }>;
  /**
   * Candidates for each batch of capabilities. Answers before the deadline of the context with what it has by then, cached
   * or nothing: a slow registry costs a search its section, never its answer.
   */
  installable(request: InstallableRequest, context: CallContext): Promise<InstallableReply>;
}

/** Each request has the configured limit; this is only the end of patience behind it. */
const PATIENCE_MS = 900_000;

export const REGISTRY_CONTRACT: ActorContract<RegistryActor> = {
  methods: {
    listWorkers: { idempotent: true, timeoutMs: PATIENCE_MS },
    workerInfo: { idempotent: true, timeoutMs: PATIENCE_MS },
    functionInfo: { idempotent: true, timeoutMs: 12_000 },
    download: { idempotent: false, timeoutMs: PATIENCE_MS },
    workerAdded: { idempotent: false, timeoutMs: PATIENCE_MS },
    installable: { idempotent: true, timeoutMs: TIMEOUTS.registrySearch },
  },
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 512,
  bufferLimitMiB: 256,
};
