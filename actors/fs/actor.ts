import { run } from "../runtime.js";

await run("fs", async () => ({}));
