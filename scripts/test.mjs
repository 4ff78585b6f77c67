/**
 * `npm test`: builds, lints, runs every test file in a process of its own, and ends with `N passed, N failed, N skipped`.
 * `npm test -- WORD...` runs only the files whose path contains one of the words, without the lint.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TESTS = join(ROOT, "dist", "test");
const FILE_LIMIT_MS = 600_000;
const words = process.argv.slice(2);

step("build", [join(ROOT, "scripts", "build.mjs")]);
if (words.length === 0) step("lint", [join(ROOT, "node_modules", "@biomejs", "biome", "bin", "biome"), "check", "."]);

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const skips = [];
const queue = readdirSync(TESTS, { recursive: true })
  .map((entry) => join(TESTS, String(entry)))
  .filter((file) => file.endsWith(".test.js"))
  .filter((file) => words.length === 0 || words.some((word) => relative(TESTS, file).includes(word)))
  .sort();
// Files that start whole workers go last and one by one: they watch time-outs, and a crowded machine is not what they test.
const isAlone = (file) => file.endsWith(".e2e.test.js");
const shared = queue.filter((file) => !isAlone(file));
await Promise.all(Array.from({ length: Math.max(2, Math.min(4, availableParallelism())) }, () => drain(shared)));
await drain(queue.filter(isAlone));

for (const skip of skips) console.log(`skipped: ${skip}`);
for (const { file, output } of failures) console.log(`\n── ${file}\n${output}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

async function drain(files) {
  for (let file = files.shift(); file !== undefined; file = files.shift()) await runFile(file);
}

function runFile(file) {
  const name = relative(TESTS, file).replace(/\.js$/, ".ts");
  const begin = Date.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1" },
    });
    let output = "";
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const limit = setTimeout(() => {
      output += `\nstopped after ${FILE_LIMIT_MS} ms`;
      child.kill("SIGKILL");
    }, FILE_LIMIT_MS);
    child.on("close", (code) => {
      clearTimeout(limit);
      const count = (label) =>
        [...output.matchAll(new RegExp(`^\\s*${label}:\\s+(\\d+)$`, "gm"))].reduce((sum, match) => sum + Number(match[1]), 0);
      const [all, passed, skipped] = [count("Total"), count("Passed"), count("Skipped")];
      // A file that ends without a summary has failed, whatever its exit code says.
      const failed = Math.max(all - passed, code === 0 && all + skipped > 0 ? 0 : 1);
      total.passed += passed;
      total.skipped += skipped;
      total.failed += failed;
      if (failed > 0) failures.push({ file: name, output });
      for (const [, skip] of output.matchAll(/^skipped: (.*)$/gm)) skips.push(`${name}: ${skip}`);
      console.log(
        `${failed > 0 ? "FAILED" : "ok    "} ${name}  ${passed} passed${skipped > 0 ? `, ${skipped} skipped` : ""}  ${Date.now() - begin} ms`,
      );
      resolve();
    });
  });
}

function step(what, command) {
  const { status } = spawnSync(process.execPath, command, { cwd: ROOT, stdio: "inherit" });
  if (status === 0) return;
  console.log(`${what} failed\n0 passed, 1 failed, 0 skipped`);
  process.exit(1);
}
