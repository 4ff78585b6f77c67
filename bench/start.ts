/** From `npm start` in a built checkout to the line that says it is ready, and to the line that names the next command. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ROOT } from "../test/harness/shared.js";
import { temporaryFolder } from "../test/harness/temporary.js";
import { median, percentile, round } from "./measure.js";
import type { Findings } from "./results.js";

const STARTS = 7;
const READY_LIMIT_MS = 2_000;

interface Start {
  readonly readyMs: number;
  readonly tryMs: number;
}

export async function run(): Promise<Findings> {
  // A first start fills the caches of the file system, of Node and of the vectors: a start on a machine just booted is another thing.
  const folder = temporaryFolder();
  await start(folder);
  const starts: Start[] = [];
  for (let count = 0; count < STARTS; count++) starts.push(await start(folder));
  const ready = starts.map(({ readyMs }) => readyMs);
  return {
    subject: "start",
    findings: [
      { what: "npm start until the ready line, median", value: round(median(ready)), unit: "ms", limit: READY_LIMIT_MS },
      { what: "npm start until the ready line, slowest", value: round(percentile(ready, 1)), unit: "ms" },
      {
        what: "npm start until all examples can be found, median",
        value: round(median(starts.map(({ tryMs }) => tryMs))),
        unit: "ms",
      },
    ],
  };
}

async function start(folder: string): Promise<Start> {
  const begin = performance.now();
  const npm = spawn("npm", ["start", "--", "--port", "0"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, III_URL: undefined, III_COMPOSE_DIR: folder, XDG_CACHE_HOME: folder, LOG_LEVEL: "error" },
    // A group of its own, so that what the shell of npm started ends as well.
    detached: true,
  });
  const ended = once(npm, "exit");
  let output = "";
  const says = (pattern: RegExp): Promise<number> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(output)) resolve(performance.now() - begin);
      };
      npm.stdout.on("data", look);
      npm.once("exit", () => reject(new Error(`npm start ended:\n${output}`)));
    });
  npm.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [readyMs, tryMs] = await Promise.all([says(/is ready on/), says(/example workers serve/)]);
  process.kill(-(npm.pid ?? 0), "SIGTERM");
  await ended;
  return { readyMs, tryMs };
}
