/** A thread of its own, because ranking and indexing compute: neither may hold up the connection to the engine or a search that waits for others. */
import { run } from "../runtime.js";
import { buildCatalog } from "./build.js";

await run("catalog", buildCatalog);
