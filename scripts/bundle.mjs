/**
 * Makes few large files of the compiled modules that programs consist of: to find, read and link hundreds of small ones costs each process
 * and each thread tenths of a second. The entries of programs are replaced in place; what they share is in dist/chunks. The modules stay
 * beside them for the tests, which look at one at a time.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** It has binaries of its own, which it looks for beside itself; only model processes load it. */
const EXTERNAL = ["onnxruntime-node"];
/** What libraries in the older module format find around them. */
const SURROUNDINGS = [
  'import { createRequire as __requireOf } from "node:module";',
  'import { dirname as __folderOf } from "node:path";',
  'import { fileURLToPath as __pathOf } from "node:url";',
  "const require = __requireOf(import.meta.url), __filename = __pathOf(import.meta.url), __dirname = __folderOf(__filename);",
].join(" ");

export async function bundlePrograms(root, entries) {
  const { build } = await import("esbuild");
  const dist = join(root, "dist");
  const { metafile } = await build({
    entryPoints: entries.map((entry) => join(dist, entry)),
    outdir: dist,
    outbase: dist,
    chunkNames: "chunks/[name]-[hash]",
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    external: EXTERNAL,
    banner: { js: SURROUNDINGS },
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    plugins: [packageFiles()],
  });
  writeLicences(root, Object.keys(metafile.inputs));
}

/** A library that reads its own package.json beside itself gets what is in there: its code isn't beside it any more. */
function packageFiles() {
  const call = /createRequire\(import\.meta\.url\)\(("\.[^"]*package\.json")\)/g;
  return {
    name: "package-files",
    setup: ({ onLoad }) => {
      onLoad({ filter: /node_modules.*\.m?js$/ }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        if (text.search(call) < 0) return undefined;
        const contents = text.replace(call, (_, file) => {
          const { name, version } = createRequire(path)(JSON.parse(file));
          return JSON.stringify({ name, version });
        });
        return { contents, loader: "js" };
      });
    },
  };
}

/** The licences of the libraries that are in there, in one text. */
function writeLicences(root, inputs) {
  const names = new Set(
    inputs.map((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[0]).filter((name) => name !== undefined),
  );
  const texts = [...names].sort().map((path) => {
    const folder = join(root, path);
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  writeFileSync(join(root, "dist", "chunks", "LICENSES.txt"), texts.join(`\n${"-".repeat(78)}\n\n`));
}
