/** What `npm pack` makes, installed elsewhere, is a working command: nothing that it needs lies only in the checkout. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { startAnyEngine } from "../harness/engine.js";
import { ROOT } from "../harness/shared.js";
import { temporaryFolder } from "../harness/temporary.js";
import { withWorker } from "../harness/worker-process.js";

const LIMIT_MS = 120_000;

function npm(cwd: string, ...args: string[]): string {
  const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" };
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8", env, timeout: LIMIT_MS });
  assert.is(status, 0, `npm ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

/** A project that has the packed worker as its only dependency, from npm's cache where that has what it needs. */
function install(): string {
  const folder = temporaryFolder();
  const [packed] = JSON.parse(npm(ROOT, "pack", "--json", "--pack-destination", folder)) as [
    { filename: string; files: { path: string }[] },
  ];
  const paths = packed.files.map(({ path }) => path);
  for (const unwanted of ["dist/test/", "dist/bench/", "test/", "actors/", "node_modules/"]) {
    assert.not.ok(
      paths.some((path) => path.startsWith(unwanted)),
      unwanted,
    );
  }
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"name":"elsewhere","private":true}');
  npm(project, "install", "--no-audit", "--no-fund", "--prefer-offline", "--omit=dev", join(folder, packed.filename));
  return project;
}

test("issue 3 item 1: packed and installed elsewhere it is a working command", async () => {
  const project = install();
  const command = join(project, "node_modules", ".bin", "iii-directory");
  const run = (...args: string[]) => spawnSync(command, args, { cwd: project, encoding: "utf8", timeout: LIMIT_MS });
  assert.match(run("--version").stdout, /^\d+\.\d+\.\d+\n$/);
  assert.is(JSON.parse(run("--manifest").stdout).name, "iii-directory");
  assert.not.ok(existsSync(join(project, "node_modules", "typescript")), "nothing of the development");

  const engine = await startAnyEngine();
  await withWorker({ program: [command, "serve"], flags: ["--url", engine.url] }, async (worker) => {
    await worker.ready();
    assert.is((await worker.stop()).code, 0);
  });
  await engine.close();

  // The launcher of an installation keeps its data in the folder where it runs, never in the package.
  const env = { III_COMPOSE_DIR: undefined, LOG_LEVEL: "warn" };
  await withWorker({ program: [command, "start"], flags: ["--port", "0"], folder: project, env }, async (launcher) => {
    await launcher.says(/9 example workers serve 67 functions/, LIMIT_MS);
    const url = /ready on (ws:\/\/[\d.:]+)/.exec(launcher.said)?.[1] ?? "";
    const { stdout, stderr } = spawnSync(command, ["search", "store a value under a key and read it back", "--url", url], {
      cwd: project,
      encoding: "utf8",
    });
    assert.match(stdout, /^keyvalue::put /m, stderr);
    assert.is((await launcher.stop()).code, 0);
  });
  assert.ok(readdirSync(join(project, ".iii-directory", "examples")).length >= 0);
});

test.run();
