/** Finds the folder of shared material (frozen catalogue, models, conformance suite). The product never reads it, tests may. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The top of the checkout: the folder that holds package.json. */
export const ROOT: string = findRoot(dirname(fileURLToPath(import.meta.url)));

/** Absolute path, or undefined on a machine that doesn't have the folder. */
export const SHARED: string | undefined = [process.env["III_DIRECTORY_SHARED"], join(ROOT, "..", "shared")].find(
  (folder) => folder !== undefined && existsSync(folder),
);

/** Path of a shared file; only inside tests that `needsShared` lets run. */
export function sharedFile(...parts: string[]): string {
  if (SHARED === undefined) throw new Error("the shared folder is missing");
  return join(SHARED, ...parts);
}

/** Says, once a file, what is left out without the folder. Use as `const check = needsShared(test, "frozen catalogue")`. */
export function needsShared<Test extends { skip: (...args: never[]) => void }>(test: Test, what: string): Test | Test["skip"] {
  if (SHARED !== undefined) return test;
  console.log(`skipped: ${what} (the shared folder is missing)`);
  return test.skip;
}

function findRoot(from: string): string {
  return existsSync(join(from, "package.json")) ? from : findRoot(dirname(from));
}
