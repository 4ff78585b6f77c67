/**
 * The wire cases of spec 01 §9, by the suites that the real engine passes, against `iii-directory engine` in a process of its own.
 * Each case of a suite is a test here. A case that fails is run once more, alone, before it counts: some watch time-outs.
 */
import { spawn } from "node:child_process";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CLI, freePort, startEngineProcess } from "../harness/embedded-engine-process.js";
import { needsShared, ROOT, SHARED, sharedFile } from "../harness/shared.js";
import { temporaryFolder } from "../harness/temporary.js";

interface Outcome {
  readonly n: number;
  readonly title: string;
  readonly status: "pass" | "fail" | "skip";
  readonly reason?: string;
  readonly what?: string;
  readonly expected?: string;
  readonly got?: string;
}

const SDK_CASES = 4;

const suite = needsShared(test, "conformance suites of the engine");
if (SHARED !== undefined) {
  // Both at once: they mostly wait.
  const [newer, older] = await Promise.all([wireSuite("0.23"), wireSuite("0.22")]);
  report("engine 0.23", newer);
  report("engine 0.22", older);
  report("sdk", await sdkSuite());
} else {
  suite("conformance suites of the engine", () => {});
}

test.run();

async function wireSuite(generation: string): Promise<Outcome[]> {
  const directory = temporaryFolder();
  const engine = await startEngineProcess("--port", "0", "--generation", generation, "--config-dir", directory);
  const run = (...more: string[]): Promise<Outcome[]> =>
    runSuite("engine-conformance.mjs", engine.url, "--generation", generation, "--config-dir", directory, ...more);
  const outcomes = await secondChance(await run(), run);
  assert.is(await engine.stop(), 0);
  return outcomes;
}

async function sdkSuite(): Promise<Outcome[]> {
  const port = await freePort();
  const command = `${process.execPath} ${CLI} engine --port ${port} --config-dir ${temporaryFolder()}`;
  const run = (...more: string[]): Promise<Outcome[]> =>
    runSuite("sdk-conformance.mjs", `ws://127.0.0.1:${port}`, "--engine-cmd", command, ...more);
  const outcomes = await secondChance(await run(), run);
  assert.is(outcomes.length, SDK_CASES);
  return outcomes;
}

/** Cases of the other generation don't belong to the result at all. */
function report(name: string, outcomes: readonly Outcome[]): void {
  assert.ok(outcomes.length > 0, `${name} reported no cases`);
  for (const { n, title, status, reason, what, expected, got } of outcomes) {
    if (status === "skip" && reason?.endsWith(" only")) continue;
    test(`${name}, case ${n}: ${title}`, () => {
      assert.is(status, "pass", reason ?? `${what}\nexpected ${expected}\ngot ${got}`);
    });
  }
}

async function secondChance(first: Outcome[], run: (...more: string[]) => Promise<Outcome[]>): Promise<Outcome[]> {
  const failed = first.filter(({ status }) => status === "fail").map(({ n }) => n);
  if (failed.length === 0) return first;
  console.log(`run again: ${failed.join(", ")}`);
  const second = await run("--only", failed.join(","));
  return [...first.filter(({ n }) => !failed.includes(n)), ...second];
}

function runSuite(script: string, ...flags: string[]): Promise<Outcome[]> {
  const child = spawn(process.execPath, [sharedFile("conformance", script), ...flags, "--json"], { cwd: ROOT });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("close", () => {
      try {
        resolve(JSON.parse(output) as Outcome[]);
      } catch {
        reject(new Error(`${script} gave no outcomes: ${errors}${output}`));
      }
    });
  });
}
