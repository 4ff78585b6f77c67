/** What the build makes of a library of many small files: one file, and nobody who loads the many. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
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

test.run();
