/** The answer to the harness: a hint at the end of one generation, or the reason why there is none. */
import type { HintRequest } from "../../../protocol/actors/search.js";
import type { Exposure, HintPreviewResponse, PreGenerateHookResponse, SkipReason } from "../../../protocol/functions/hook.js";
import { renderBlock } from "./block.js";
import { closedGate } from "./gates.js";
import { decideHint, type HintRecord } from "./once-a-turn.js";

/** The part of the session memory that the hook shares with the search. */
export interface HintMemory {
  hintOf(sessionId: string): HintRecord | undefined;
  rememberHint(sessionId: string, record: HintRecord): void;
}

export interface HookSetting {
  readonly memory: HintMemory;
  readonly minimumWorkers: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export function preGenerate(request: HintRequest, { memory, minimumWorkers, now }: HookSetting): PreGenerateHookResponse {
  const closed = closedGate(request, minimumWorkers);
  if (closed !== undefined) return skipped(request, closed);
  const { send, record } = decideHint(memory.hintOf(request.sessionId), { turnId: request.turnId, step: request.step });
  if (!send) return skipped(request, "hint_already_sent");
  memory.rememberHint(request.sessionId, record);
  const text = renderBlock(exposureOf(request.expose), request.functionsGeneration);
  return {
    decision: "continue",
    mutations: { append_messages: [{ role: "user", content: [{ type: "text", text }], timestamp: Math.trunc(now()) }] },
    annotations: annotation(request, "directory · hint injected", { outcome: "hint_injected" }),
  };
}

export function hintPreview(): HintPreviewResponse {
  return { agent_trigger: renderBlock("agent_trigger", 0), native: renderBlock("native", 0) };
}

function exposureOf(expose: string | undefined): Exposure {
  if (expose === undefined) return "agent_trigger";
  return expose === "agent_trigger" || expose === "native" ? expose : "other";
}

function skipped(request: HintRequest, reason: SkipReason): PreGenerateHookResponse {
  return { decision: "continue", annotations: annotation(request, "directory · skipped", { outcome: "skipped", reason }) };
}

type Outcome = Pick<PreGenerateHookResponse["annotations"]["directory"]["data"], "outcome" | "reason">;

function annotation(
  { toolNames, functionsGeneration }: HintRequest,
  summary: string,
  outcome: Outcome,
): PreGenerateHookResponse["annotations"] {
  const data = { ...outcome, allowed_functions: toolNames.length, functions_generation: functionsGeneration };
  return { directory: { type: "console.transcript", version: 1, summary, data } };
}
