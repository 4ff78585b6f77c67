import { run } from "../runtime.js";
import { hintPreview, preGenerate } from "./hint/hook.js";
import type { HintRecord } from "./hint/once-a-turn.js";

await run("search", async ({ configuration }) => {
  const hints = new Map<string, HintRecord>();
  const memory = {
    hintOf: (session: string) => hints.get(session),
    rememberHint: (session: string, record: HintRecord) => void hints.set(session, record),
  };
  return {
    searchFunctions: async () => ({ guidance: "", workers: [], search_mode: "lexical" as const, latency_ms: 0 }),
    preGenerate: async (request, context) =>
      preGenerate(request, { memory, minimumWorkers: configuration.of(context).hint_min_workers, now: Date.now }),
    hintPreview: async () => hintPreview(),
  };
});
