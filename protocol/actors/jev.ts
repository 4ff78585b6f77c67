/** Remote relevance judging: four permits for the process, one deadline for a search. */
import type { ActorContract, CallContext } from "../call.js";

export type JudgedCorpus = "functions" | "skills" | "triggers";

/** A document as the judge sees it, besides the id of functions and skills. */
export interface JudgedDocument {
  readonly id: string;
  readonly description: string;
  /** Functions only. */
  readonly parameterNames?: readonly string[];
}

export interface JudgeRequest {
  readonly corpus: JudgedCorpus;
  readonly capabilities: readonly string[];
  readonly documents: readonly JudgedDocument[];
  /** A capability that is the id of a document gets that document alone, and isn't sent. */
  readonly exactIds: boolean;
}

export interface JudgeReply {
  /** One lane a capability: what reaches the floor of its corpus, best first. An empty lane is a valid answer: nothing fits. */
  readonly lanes: readonly (readonly { readonly id: string; readonly score: number }[])[];
}

export interface JevActor {
  /** All lanes or a rejection: an incomplete evaluation is never an answer. The deadline of the context is that of all judging of a search. */
  judge(request: JudgeRequest, context: CallContext): Promise<JudgeReply>;
}

export const JEV_CONTRACT: ActorContract<JevActor> = {
  methods: { judge: { idempotent: true, timeoutMs: 30_000 } },
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 512,
  bufferLimitMiB: 256,
};
