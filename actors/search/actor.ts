import { run } from "../runtime.js";

await run("search", async () => ({
  searchFunctions: async () => ({ guidance: "", workers: [], search_mode: "lexical" as const, latency_ms: 0 }),
}));
