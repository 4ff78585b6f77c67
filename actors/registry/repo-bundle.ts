/** One skill folder of a git repository, as a bundle. Links and everything that is no plain file stay behind. */
import { lstat, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { BundleBudget, type BundleEntry } from "../../domain/bundle.js";
import { compareBytes } from "../../domain/text.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { RepoDownload } from "./download-request.js";
import { cloneRepository } from "./git-clone.js";

export interface RepoBundleOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  /** The clone could not be removed: no reason to fail, but somebody should know. */
  readonly onLeftBehind?: (error: unknown) => void;
}

export async function fetchRepoBundle({ repo, skill, branch }: RepoDownload, options: RepoBundleOptions): Promise<BundleEntry[]> {
  const parent = await mkdtemp(join(tmpdir(), "iii-directory-clone-"));
  const clone = join(parent, "clone");
  try {
    await cloneRepository({ repo, branch, folder: clone, ...options });
    const folder = await skillFolder(clone, skill);
    return await readTree(folder, "", new BundleBudget());
  } finally {
    await rm(parent, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => options.onLeftBehind?.(error));
  }
}

/** A link counts as missing, on every step of the way: it could lead anywhere on this machine. */
async function skillFolder(clone: string, skill: string): Promise<string> {
  const folder = join(clone, "skills", skill);
  for (const step of [join(clone, "skills"), folder]) {
    const stats = await lstat(step).catch(() => undefined);
    if (stats?.isDirectory() !== true) {
      throw new DirectoryError("invalid_request", `the repository has no folder skills/${skill} on that branch`);
    }
  }
  const [real, home] = await Promise.all([realpath(folder), realpath(clone)]);
  if (!real.startsWith(home + sep)) throw new DirectoryError("invalid_request", `skills/${skill} leads out of the repository`);
  return folder;
}

/** In byte order of the paths. Sizes are looked at before a file is read. */
async function readTree(folder: string, prefix: string, budget: BundleBudget): Promise<BundleEntry[]> {
  const entries: BundleEntry[] = [];
  // As bytes: a name that is no UTF-8 would come out as another name.
  const names = await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  const found = names
    .map((entry) => ({ entry, name: textOf(entry.name) }))
    .filter(({ name }) => name !== undefined && !name.startsWith("."));
  for (const { entry, name = "" } of found.sort((left, right) => compareBytes(left.name ?? "", right.name ?? ""))) {
    const path = prefix === "" ? name : `${prefix}/${name}`;
    if (entry.isDirectory()) entries.push(...(await readTree(join(folder, name), path, budget)));
    else if (entry.isFile()) {
      const file = join(folder, name);
      budget.take(path, (await lstat(file)).size);
      entries.push({ path, content: await readFile(file) });
    }
  }
  return entries;
}

function textOf(name: Buffer): string | undefined {
  const text = name.toString("utf8");
  return Buffer.from(text, "utf8").equals(name) ? text : undefined;
}
