import { run } from "../runtime.js";
import { buildRegistry } from "./build.js";

await run("registry", buildRegistry);
