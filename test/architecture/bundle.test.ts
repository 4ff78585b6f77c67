/** What the build makes of many small files: programs of few, and nobody who loads the many. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ROOT } from "../harness/shared.js";

const DIST = join(ROOT, "dist");

test("typebox is loaded as one file only, with its licence beside it", () => {
  assert.ok(existsSync(join(DIST, "vendor", "typebox.js")) && existsSync(join(DIST, "vendor", "typebox.license")));
  const wrong = readdirSync(DIST, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".js") && !file.startsWith("vendor"))
    .filter((file) => /(?:from|import)\s*\(?["']typebox/.test(readFileSync(join(DIST, file), "utf8")));
  assert.equal(wrong, []);
});

test("programs consist of few files, and load no library but the one with binaries of its own", () => {
  const actors = readdirSync(join(DIST, "actors")).map((name) => join("actors", name, "actor.js"));
  const examples = readdirSync(join(DIST, "examples")).map((name) => join("examples", name, "worker.js"));
  const chunks = readdirSync(join(DIST, "chunks")).map((name) => join("chunks", name));
  const processes = ["embed.js", "rerank.js"].map((name) => join("actors", "embedding", "processes", name));
  const programs = [join("cli", "main.js"), ...actors, ...examples, ...processes].filter((file) => existsSync(join(DIST, file)));
  const loaded = [...programs, ...chunks.filter((file) => file.endsWith(".js"))].flatMap((file) => {
    const text = readFileSync(join(DIST, file), "utf8");
    return [...text.matchAll(/^(?:import|export)\b[^;"']*["']([^"']+)["'];|\bimport\("([^"]+)"\)/gm)].map(
      ([, at, late]) => at ?? late ?? "",
    );
  });
  const libraries = new Set(loaded.filter((name) => !name.startsWith(".") && !isBuiltin(name)));
  const modules = loaded.filter((name) => name.startsWith(".") && !/-[A-Z0-9]{8}\.js$/.test(name));
  assert.equal(modules, []);
  assert.equal([...libraries], ["onnxruntime-node"]);
  const licences = readFileSync(join(DIST, "chunks", "LICENSES.txt"), "utf8");
  for (const name of ["iii-sdk", "ws", "typebox", "pino"]) assert.match(licences, new RegExp(`^${name} \\d`, "m"));
});

test.run();
