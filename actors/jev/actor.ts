import { run } from "../runtime.js";

await run("jev", async () => ({}));
