/** A thread of its own that owns the pool of model processes: it makes tokens, cuts batches and decides what is computed next. */
import { run } from "../runtime.js";
import { buildEmbedding } from "./build.js";

await run("embedding", buildEmbedding);
