/**
 * `npm start`: builds what is stale, then is the launcher itself, so that no second process has to be started. npm passes a signal on to
 * its shell, and the shell keeps it for itself: the end of the shell is the signal here.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isStale, ROOT } from "./freshness.mjs";

if (isStale()) {
  console.log("Building ...");
  const { status } = spawnSync(process.execPath, [join(ROOT, "scripts", "build.mjs")], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
const shell = process.ppid;
setInterval(() => process.ppid !== shell && process.kill(process.pid, "SIGTERM"), 500).unref();
process.argv.splice(2, 0, "start");
await import("../dist/cli/main.js");
