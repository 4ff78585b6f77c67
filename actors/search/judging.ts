/** Asking the remote judge, and reading what became of it. */
import type { JudgeFailureDetail, JudgeReply, JudgeRequest, JudgeStats } from "../../protocol/actors/jev.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { SearchCall } from "./search-call.js";

/** Time for a judge whose deadline has passed to say what it has used. */
const LAST_WORDS_MS = 50;

export const NOTHING_JUDGED: JudgeStats = { requests: 0, questions: 0, inputTokens: 0, outputTokens: 0, elapsedMs: 0 };

/** Everything that one search has judged shares one deadline, which is never renewed. Rejects when the judge fails. */
export async function judge(
  { peers, context, judgingEnds: deadline }: SearchCall,
  request: Omit<JudgeRequest, "deadline">,
): Promise<JudgeReply> {
  // Not worth carrying a whole catalog to a judge that may not send anything any more.
  if (Date.now() >= deadline) throw new DirectoryError("judge_failed", "the time for judging is up", OUT_OF_TIME);
  const patience = { ...context, deadline: Math.min(context.deadline, deadline + LAST_WORDS_MS) };
  return peers.jev.judge({ ...request, deadline }, patience);
}

const OUT_OF_TIME: JudgeFailureDetail = { kind: "deadline", stats: NOTHING_JUDGED };

export interface JudgeFailure {
  readonly error: string;
  readonly requests: number;
  readonly questions: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly elapsed_ms: number;
}

/** For the log. A judge that is gone, or that says nothing in time, has used nobody knows what. */
export function judgeFailure(error: unknown): JudgeFailure {
  return { error: error instanceof Error ? error.message : String(error), ...loggedStats(statsOfFailure(error)) };
}

export function statsOfFailure(error: unknown): JudgeStats {
  const detail = error instanceof DirectoryError ? (error.detail as Partial<JudgeFailureDetail> | undefined) : undefined;
  return detail?.stats ?? NOTHING_JUDGED;
}

export function loggedStats({
  requests,
  questions,
  inputTokens,
  outputTokens,
  elapsedMs,
}: JudgeStats): Omit<JudgeFailure, "error"> {
  return { requests, questions, input_tokens: inputTokens, output_tokens: outputTokens, elapsed_ms: elapsedMs };
}

export function addStats(left: JudgeStats, right: JudgeStats): JudgeStats {
  return {
    requests: left.requests + right.requests,
    questions: left.questions + right.questions,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    elapsedMs: left.elapsedMs + right.elapsedMs,
  };
}
