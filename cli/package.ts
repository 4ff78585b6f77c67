/** Files of the installed package: a checkout and an installation have them at the same places. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const PACKAGE_ROOT = findPackage(dirname(fileURLToPath(import.meta.url)));

export function packageFile(...parts: string[]): string {
  return join(PACKAGE_ROOT, ...parts);
}

function findPackage(from: string): string {
  return existsSync(join(from, "package.json")) ? from : findPackage(dirname(from));
}
