import { run } from "../runtime.js";
import { buildJev } from "./build.js";

await run("jev", async (setting) => buildJev(setting));
