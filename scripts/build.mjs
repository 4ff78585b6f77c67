/**
 * Compiles the sources to dist/. `--if-stale` does nothing when no source is newer than the last build: `npm start` is quick then.
 * npm's own pre-scripts are off in this project (see .npmrc), so whoever needs a build calls this file.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isStale, ROOT, STAMP } from "./freshness.mjs";

if (process.argv.includes("--if-stale") && !isStale()) process.exit(0);

const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
if (!existsSync(tsc)) {
  console.error("The compiler is missing. Run: npm ci");
  process.exit(1);
}
rmSync(join(ROOT, "dist"), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, "--project", ROOT], { cwd: ROOT, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
const page = spawnSync(process.execPath, [tsc, "--project", join(ROOT, "console")], { cwd: ROOT, stdio: "inherit" });
if (page.status !== 0) process.exit(page.status ?? 1);
chmodSync(join(ROOT, "dist", "cli", "main.js"), 0o755);
await assemble(join("actors", "catalog", "vectors", "scan"));
// Loaded here: they need what `npm ci` brings, and who has not run that shall read so above.
await (await import("./bundle.mjs")).bundlePrograms(ROOT, programs());
await bundle("typebox", "license");
await (await import("./build-console.mjs")).buildConsole(ROOT);
writeFileSync(STAMP, "");

/** Entries of processes and threads, below dist/. */
function programs() {
  const below = (folder, file) => readdirSync(join(ROOT, "dist", folder)).map((name) => join(folder, name, file));
  const processes = ["embed.js", "rerank.js"].map((file) => join("actors", "embedding", "processes", file));
  const entries = [...below("actors", "actor.js"), ...below("examples", "worker.js"), join("cli", "main.js"), ...processes];
  return entries.filter((entry) => existsSync(join(ROOT, "dist", entry)));
}

/** WebAssembly text to a module that has its binary form, so that it needs no file beside it. */
async function assemble(path) {
  const { default: load } = await import("wabt");
  const text = readFileSync(join(ROOT, `${path}.wat`), "utf8");
  const { buffer } = (await load()).parseWat(`${path}.wat`, text, { simd: true }).toBinary({});
  const text64 = Buffer.from(buffer).toString("base64");
  writeFileSync(join(ROOT, "dist", `${path}-binary.js`), `export const SCAN = Buffer.from("${text64}", "base64");\n`);
}

/**
 * Makes one file of a library that consists of very many small ones, and lets what was compiled import that: to read its 700 modules costs
 * each process and each thread a quarter of a second. A test holds that nothing imports the library beside it.
 */
async function bundle(name, licence) {
  const { build } = await import("esbuild");
  const outfile = join(ROOT, "dist", "vendor", `${name}.js`);
  await build({
    stdin: { contents: `export * from "${name}";`, resolveDir: ROOT },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
  });
  copyFileSync(join(ROOT, "node_modules", name, licence), join(dirname(outfile), `${name}.${licence}`));
  for (const entry of readdirSync(join(ROOT, "dist"), { recursive: true })) {
    const file = join(ROOT, "dist", String(entry));
    if (!file.endsWith(".js") || file === outfile) continue;
    const text = readFileSync(file, "utf8");
    const path = relative(dirname(file), outfile).split(sep).join("/");
    const mended = text.replaceAll(` from "${name}";`, ` from "${path.startsWith(".") ? path : `./${path}`}";`);
    if (mended !== text) writeFileSync(file, mended);
  }
}
