import { run } from "../runtime.js";
import { buildSearch } from "./build.js";

await run("search", async (setting) => buildSearch(setting));
