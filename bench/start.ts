/**
 * From `npm start` in a built checkout to the line that says it is ready, beside an `npm start` of a program that says so at once; and to
 * the line that says that the examples can be found.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../test/harness/shared.js";
import { temporaryFolder } from "../test/harness/temporary.js";
import { interleave, median, round } from "./measure.js";
import type { Findings } from "./results.js";

const STARTS = 9;
const STARTS_WITH_EXAMPLES = 3;
const READY_LIMIT_MS = 2_000;
const READY = /is ready/;

export async function run(): Promise<Findings> {
  const folder = temporaryFolder();
  const empty = temporaryFolder();
  writeFileSync(join(empty, "package.json"), JSON.stringify({ scripts: { start: "node program.js" } }));
  writeFileSync(join(empty, "program.js"), 'console.log("it is ready"); setInterval(() => {}, 1000);\n');
  // The first round of `interleave` doesn't count: it fills the caches of the file system, of Node and of the vectors.
  const worker = (): Promise<void> => start(ROOT, folder, ["--port", "0", "--no-examples"], READY);
  const times = await interleave({ worker, empty: () => start(empty, empty, [], READY) }, STARTS, 1);
  const examples = (): Promise<void> => start(ROOT, folder, ["--port", "0"], /example workers serve/);
  const withExamples = await interleave({ examples }, STARTS_WITH_EXAMPLES, 0);
  const ready = median(times.worker);
  return {
    subject: "start",
    findings: [
      { what: "npm start until the ready line, median", value: round(ready), unit: "ms", limit: READY_LIMIT_MS },
      { what: "npm start until the ready line, quickest", value: round(Math.min(...times.worker)), unit: "ms" },
      { what: "npm start of an empty program, median", value: round(median(times.empty)), unit: "ms" },
      { what: "npm start until the ready line, over an empty program", value: round(ready / median(times.empty)), unit: "×" },
      { what: "npm start until the examples can be found, median", value: round(median(withExamples.examples)), unit: "ms" },
    ],
  };
}

/** Resolves when it has said so and has ended: the next start must not share the processors with it. */
async function start(project: string, folder: string, flags: readonly string[], says: RegExp): Promise<void> {
  const npm = spawn("npm", ["start", "--", ...flags], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, III_URL: undefined, III_COMPOSE_DIR: folder, XDG_CACHE_HOME: folder, LOG_LEVEL: "error" },
    // A group of its own, so that what the shell of npm started ends as well.
    detached: true,
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    npm.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (says.test(output)) resolve();
    });
    npm.once("exit", () => reject(new Error(`npm start ended:\n${output}`)));
  });
  process.kill(-(npm.pid ?? 0), "SIGTERM");
  await once(npm.stdout, "close");
}
