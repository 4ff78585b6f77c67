/**
 * `npm start`: builds what is stale, then is the launcher itself. No shell stands between npm and it, which would keep npm's signals for
 * itself, and no second process has to be started.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isStale, ROOT } from "./freshness.mjs";

if (isStale()) {
  console.log("Building ...");
  const { status } = spawnSync(process.execPath, [join(ROOT, "scripts", "build.mjs")], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
process.argv.splice(2, 0, "start");
await import("../dist/cli/main.js");
