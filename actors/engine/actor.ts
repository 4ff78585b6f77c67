import { run } from "../runtime.js";
import { buildEngine } from "./build.js";

await run("engine", buildEngine);
