import { run } from "../runtime.js";

await run("registry", async () => ({}));
