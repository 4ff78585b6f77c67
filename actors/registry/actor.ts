import { run } from "../runtime.js";

await run("registry", async () => ({ installable: async ({ batches }) => ({ batches: batches.map(() => []) }) }));
