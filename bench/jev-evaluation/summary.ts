/** Sums up the samples of one mode: what remote judging has used, how often it finished, and how long it took. */
import type { Evaluated } from "./entry.js";
import { percentile } from "./metrics.js";
import type { EvaluationMode, EvaluationOptions } from "./options.js";

export type Sample = Pick<
  Evaluated,
  "jev_complete" | "hybrid_complete" | "jev_requests" | "jev_questions" | "input_tokens" | "output_tokens" | "jev_elapsed_ms"
>;

/** `fallback`: something local ranked in place of what was asked for. */
export type SampleStatus = "complete" | "fallback";

export function statusOf(mode: EvaluationMode, { jev_complete, hybrid_complete }: Sample): SampleStatus {
  if (mode === "lexical") return "complete";
  return (mode === "hybrid" ? hybrid_complete : jev_complete) ? "complete" : "fallback";
}

/** Milliseconds of judging; null where nothing was judged, and where nothing had to be. */
export function stageMs(mode: EvaluationMode, { jev_complete, jev_requests, jev_elapsed_ms }: Sample): number | null {
  if (!isRemote(mode)) return null;
  return jev_requests > 0 || (!jev_complete && jev_elapsed_ms > 0) ? jev_elapsed_ms : null;
}

export interface RemoteUsage {
  readonly usage: "complete" | "partial" | "unavailable";
  readonly requests: number;
  readonly questions: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** US dollars; null when nothing is known of what was used. */
  readonly cost: number | null;
  /** Requests that failed may have cost something too. */
  readonly cost_is_lower_bound: boolean;
}

type Prices = Pick<EvaluationOptions, "inputPrice" | "outputPrice">;

/** Nothing is known when every sample failed before a request was accepted. */
export function usageOf(samples: readonly Sample[], { inputPrice, outputPrice }: Prices): RemoteUsage {
  const sum = (field: "jev_requests" | "jev_questions" | "input_tokens" | "output_tokens"): number =>
    samples.reduce((total, sample) => total + sample[field], 0);
  const failed = samples.some(({ jev_complete }) => !jev_complete);
  const known = samples.some(({ jev_complete, jev_requests }) => jev_complete || jev_requests > 0);
  const [input, output] = [sum("input_tokens"), sum("output_tokens")];
  return {
    usage: !failed ? "complete" : known ? "partial" : "unavailable",
    requests: sum("jev_requests"),
    questions: sum("jev_questions"),
    input_tokens: input,
    output_tokens: output,
    cost: known ? (input * inputPrice + output * outputPrice) / 1e6 : null,
    cost_is_lower_bound: failed && known,
  };
}

export interface RemoteSummary extends RemoteUsage {
  /** Of the samples in which something had to be judged; null when there is none. */
  readonly completion: number | null;
  readonly fallbacks: number;
  readonly stage_ms: { readonly p50: number | null; readonly p95: number | null; readonly samples: number };
}

export function summariseRemote(mode: EvaluationMode, samples: readonly Sample[], prices: Prices): RemoteSummary | null {
  if (!isRemote(mode)) return null;
  const judged = samples.filter(({ jev_complete, jev_requests }) => jev_requests > 0 || !jev_complete);
  const stages = samples.map((sample) => stageMs(mode, sample)).filter((ms): ms is number => ms !== null);
  return {
    ...usageOf(samples, prices),
    completion: judged.length === 0 ? null : judged.filter(({ jev_complete }) => jev_complete).length / judged.length,
    fallbacks: samples.filter(({ jev_complete }) => !jev_complete).length,
    stage_ms: { p50: percentile(stages, 0.5), p95: percentile(stages, 0.95), samples: stages.length },
  };
}

function isRemote(mode: EvaluationMode): boolean {
  return mode === "jev" || mode === "jev-shortlist";
}
