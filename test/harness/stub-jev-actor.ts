/** A thread in the place of the judge: everything is relevant, at once. */
import { run } from "../../actors/runtime.js";

await run("jev", async () => ({
  judge: async ({ capabilities, documents }) => ({
    lanes: capabilities.map(() => documents.map(({ id }) => ({ id, score: 1 }))),
    model: "stub",
    stats: { requests: 0, questions: 0, inputTokens: 0, outputTokens: 0, elapsedMs: 0 },
  }),
  report: async () => ({ requests_in_flight: 0 }),
}));
