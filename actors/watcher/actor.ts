import { run } from "../runtime.js";

await run("watcher", async () => ({}));
