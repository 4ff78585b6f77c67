import { run } from "../runtime.js";

await run("catalog", async () => ({
  refresh: async () => ({ ok: true as const }),
  rank: async () => ({ fingerprint: "", lanes: [] }),
  rankPool: async () => ({ lanes: [] }),
  snapshot: async () => ({ fingerprint: "", known: false, functionIds: [], namespaces: [] }),
}));
