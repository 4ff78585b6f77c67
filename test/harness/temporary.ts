/** The one way for tests to get a folder of their own: removed when the process ends. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

process.once("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder; its real path, so that comparing paths works where the temporary folder is a link. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "iii-directory-")));
  made.push(folder);
  return folder;
}
