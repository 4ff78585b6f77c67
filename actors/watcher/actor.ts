/** The thread of the watcher: a storm of file events costs nobody else's time. */
import { run } from "../runtime.js";
import { buildWatcher } from "./build.js";

await run("watcher", buildWatcher);
