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
  /** Evaluations that share the deadline one after another, this one among them; one unless told. */
  readonly batches?: number;
  /**
   * Epoch milliseconds: when all judging of the search ends. The deadline of the context lies a moment later, so that a judgement that is
   * out of time can still say what it has used.
   */
  readonly deadline: number;
}

/** What an evaluation has used. After a failure it is a lower bound: nobody knows what unanswered requests have cost. */
export interface JudgeStats {
  /** Requests whose answer was accepted. */
  readonly requests: number;
  readonly questions: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Planning, waiting, HTTP and merging. */
  readonly elapsedMs: number;
}

export interface JudgeReply {
  /** One lane a capability: what reaches the floor of its corpus, best first. An empty lane is a valid answer: nothing fits. */
  readonly lanes: readonly (readonly { readonly id: string; readonly score: number }[])[];
  /** What answered; the requested one when nothing had to be sent. */
  readonly model: string;
  readonly stats: JudgeStats;
}

export type JudgeFailureKind = "missing_key" | "deadline" | "http" | "transport" | "invalid_response" | "payload_too_large";

/** `detail` of the `judge_failed` error. */
export interface JudgeFailureDetail {
  readonly kind: JudgeFailureKind;
  /** Of `http` only. */
  readonly status?: number;
  readonly stats: JudgeStats;
}

/** Settled at boot; `surroundings.options.jev`. */
export interface JevOptions {
  /** `TYPESAFE_API_KEY` of the environment at boot: what counts while no key is configured. */
  readonly environmentKey?: string;
  /** Another service than the real one: tests and demonstrations only. */
  readonly endpoint?: string;
}

/** For the status of the worker. */
export interface JevReport {
  /** Median milliseconds of one request, without the wait for a permit; absent until one was sent. */
  readonly request_ms?: number;
  readonly requests_in_flight: number;
  /** What an operator should change, when searches can't be judged within their deadline. */
  readonly advice?: string;
}

export interface JevActor {
  /** All lanes or a rejection with `judge_failed`: an incomplete evaluation is never an answer. */
  judge(request: JudgeRequest, context: CallContext): Promise<JudgeReply>;
  report(request: Record<string, never>, context: CallContext): Promise<JevReport>;
}

export const JEV_CONTRACT: ActorContract<JevActor> = {
  methods: {
    // Judging costs money and is never tried again: who loses its thread falls back to local ranking.
    judge: { idempotent: false, timeoutMs: 30_000 },
    report: { idempotent: true, timeoutMs: 1_000 },
  },
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 512,
  bufferLimitMiB: 256,
};
