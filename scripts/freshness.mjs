/** Whether what is built is as new as its sources. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Written when a build is complete. */
export const STAMP = join(ROOT, "dist", ".built");
const SOURCES = ["protocol", "border", "domain", "supervisor", "cli", "actors", "examples", "test", "bench", "console"];
const SETTINGS = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "scripts/build.mjs",
  "scripts/build-console.mjs",
  "scripts/bundle.mjs",
];

export function isStale() {
  return !existsSync(STAMP) || newest() > statSync(STAMP).mtimeMs;
}

/** Modification time of the newest file that the build reads; a folder counts too, because deleting a file touches it. */
function newest() {
  const times = SETTINGS.map((file) => (existsSync(join(ROOT, file)) ? statSync(join(ROOT, file)).mtimeMs : 0));
  const visit = (path) => {
    const stats = statSync(path);
    times.push(stats.mtimeMs);
    if (stats.isDirectory()) for (const entry of readdirSync(path)) visit(join(path, entry));
  };
  for (const folder of SOURCES) if (existsSync(join(ROOT, folder))) visit(join(ROOT, folder));
  return times.reduce((latest, time) => Math.max(latest, time), 0);
}
