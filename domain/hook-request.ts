/**
 * What the hook needs of a generation: ids, counts and the few texts that could name a function. A long conversation stays on the side
 * of the border where it arrived; cloning it for a thread would take longer than the whole answer.
 */

import type { HintRequest } from "../protocol/actors/search.js";
import type { PreGenerateHookRequest } from "../protocol/functions/hook.js";
import { taskWindow } from "./task-window.js";

export function condenseHookRequest({ session_id, turn_id, step, generate }: PreGenerateHookRequest): HintRequest {
  return {
    sessionId: session_id,
    turnId: turn_id,
    step,
    functionsGeneration: generate.functions_generation,
    expose:
      typeof generate.expose === "string" || generate.expose === undefined || generate.expose === null
        ? (generate.expose ?? undefined)
        : "other",
    toolNames: generate.tools.map(({ name }) => name),
    ...taskWindow(generate.messages),
  };
}
