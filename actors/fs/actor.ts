/** The thread of the fs actor: slow disks and large trees hold up nobody else. */
import { run } from "../runtime.js";
import { buildFs } from "./build.js";

await run("fs", buildFs);
