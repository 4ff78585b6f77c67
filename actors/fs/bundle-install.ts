/**
 * Writes a bundle so that it is there as a whole or not at all, also when the process is killed in between. Everything is staged first;
 * then a journal of renames is put in its place, which is the moment of decision; then the renames are made. Whoever finds a journal
 * makes what is left of its renames, and whoever finds a stage without one throws it away.
 *
 *     <root>/.iii-staging/<process>-<random>/0, 1, 2, ..., journal.json
 */
import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, realpath, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import pLimit from "p-limit";
import type { OwnWrite } from "../../protocol/actors/watcher.js";
import type { DownloadMarker, InstallBundleRequest, InstalledBundle } from "../../protocol/bundle.js";
import { DirectoryError } from "../../protocol/errors.js";
import { factsOf } from "./file-cache.js";
import { MARKER_FILE, readMarker } from "./markers.js";
import type { ContentRoots } from "./roots.js";

const STAGING = ".iii-staging";
const JOURNAL = "journal.json";
/** Files written and synchronised side by side. */
const STAGED_AT_ONCE = 16;

interface Move {
  readonly from: string;
  readonly to: string;
}

export interface InstallOptions {
  readonly roots: ContentRoots;
  /** Told after the renames, before the download is answered. */
  readonly tell: (writes: readonly OwnWrite[]) => Promise<void>;
}

export async function installBundle(request: InstallBundleRequest, { roots, tell }: InstallOptions): Promise<InstalledBundle> {
  const folder = join(roots.global, request.namespace);
  const before = await readMarker(folder);
  const plan = await Promise.all(request.files.map((file) => decide(file, request, before, roots)));
  const chosen = plan.filter(({ keep }) => !keep);
  await Promise.all(chosen.map(({ target, root }) => requireInside(target, root)));
  const marker = markerOf(request, before, chosen);
  const writes = [
    ...chosen.map(({ target, file }) => ({ to: target, content: file.content })),
    { to: join(folder, MARKER_FILE), content: Buffer.from(`${JSON.stringify(marker, null, 2)}\n`) },
  ];
  await requireInside(join(folder, MARKER_FILE), roots.global);
  await write(writes, roots, tell);
  const names = (wanted: (entry: (typeof plan)[number]) => boolean): string[] => plan.filter(wanted).map(({ file }) => file.path);
  return {
    written: chosen.map(({ file: { kind, path } }) => ({ kind, path })),
    replaced: names(({ keep, edited }) => edited && !keep),
    kept: names(({ keep }) => keep),
  };
}

/** Finishes or discards what a killed process has left. */
export async function recoverBundles(roots: ContentRoots, tell: InstallOptions["tell"]): Promise<void> {
  const staging = join(roots.global, STAGING);
  for (const name of await readdir(staging).catch(() => [] as string[])) {
    const owner = Number(/^(\d+)-/.exec(name)?.[1]);
    if (owner !== process.pid && isAlive(owner)) continue;
    const stage = join(staging, name);
    const moves = await readJournal(stage);
    if (moves !== undefined) await makeMoves(moves, tell);
    await rm(stage, { recursive: true, force: true });
    await discardProfiles(roots.agents, name);
  }
  await rmdir(staging).catch(() => {});
}

type BundleFile = InstallBundleRequest["files"][number];

interface Decision {
  readonly file: BundleFile;
  readonly root: string;
  readonly target: string;
  /** The file on disk isn't what the last download wrote, and not what this one would write. */
  readonly edited: boolean;
  readonly keep: boolean;
}

async function decide(
  file: BundleFile,
  { namespace, keepEdits }: InstallBundleRequest,
  before: DownloadMarker | undefined,
  roots: ContentRoots,
): Promise<Decision> {
  const root = file.kind === "agent" ? roots.agents : roots.global;
  const target = file.kind === "agent" ? join(roots.agents, file.path) : join(roots.global, namespace, file.path);
  const known = file.kind === "agent" ? before?.agents?.[idOf(file.path)] : before?.files?.[file.path];
  const there = await readFile(target).then(hashOf, () => undefined);
  const edited = there !== undefined && there !== known && there !== hashOf(file.content);
  return { file, root, target, edited, keep: edited && keepEdits };
}

/** What was written by an earlier download and not by this one is still known as unedited. */
function markerOf(
  { marker }: InstallBundleRequest,
  before: DownloadMarker | undefined,
  chosen: readonly Decision[],
): DownloadMarker {
  const hashes = (wanted: (file: BundleFile) => boolean, name: (path: string) => string): Record<string, string> =>
    Object.fromEntries(chosen.filter(({ file }) => wanted(file)).map(({ file }) => [name(file.path), hashOf(file.content)]));
  const agents = { ...before?.agents, ...hashes(({ kind }) => kind === "agent", idOf) };
  return {
    ...marker,
    files: {
      ...before?.files,
      ...hashes(
        ({ kind }) => kind !== "agent",
        (path) => path,
      ),
    },
    ...(Object.keys(agents).length > 0 ? { agents } : {}),
  };
}

async function write(
  writes: readonly { readonly to: string; readonly content: Uint8Array }[],
  { global, agents }: ContentRoots,
  tell: InstallOptions["tell"],
): Promise<void> {
  const name = `${process.pid}-${randomUUID().slice(0, 8)}`;
  const stage = join(global, STAGING, name);
  try {
    await mkdir(stage, { recursive: true });
    if (writes.some(({ to }) => dirname(to) === agents)) await mkdir(agents, { recursive: true });
    const atOnce = pLimit(STAGED_AT_ONCE);
    const moves = await allOf(
      writes.map(({ to, content }, number) =>
        atOnce(async (): Promise<Move> => {
          // Profiles may lie on another disk, where nothing can be renamed to from here.
          const from = dirname(to) === agents ? join(agents, `.${number}.${name}.tmp`) : join(stage, String(number));
          await stageFile(from, content);
          return { from, to };
        }),
      ),
    );
    await stageFile(join(stage, `${JOURNAL}.tmp`), Buffer.from(JSON.stringify(moves)));
    await rename(join(stage, `${JOURNAL}.tmp`), join(stage, JOURNAL));
    await syncFolder(stage);
    await makeMoves(moves, tell);
  } catch (error) {
    throw failure(error);
  } finally {
    // With a journal that is not done yet the stage stays: the next start finishes it.
    if (!(await isDecided(stage))) await discard(stage, agents, name);
    // Unless another install is under way.
    await rmdir(dirname(stage)).catch(() => {});
  }
}

/** Rejects when all have ended: nothing may still be written while what was staged is thrown away. */
async function allOf<Value>(work: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

async function makeMoves(moves: readonly Move[], tell: InstallOptions["tell"]): Promise<void> {
  const own: OwnWrite[] = [];
  for (const { from, to } of moves) {
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to).catch((error: NodeJS.ErrnoException) => {
      // Made already, by whoever was killed.
      if (error.code !== "ENOENT") throw error;
    });
    const facts = await factsOf(to);
    if (facts !== undefined) own.push({ path: await realpath(to), identity: facts.identity });
  }
  for (const folder of new Set(moves.map(({ to }) => dirname(to)))) await syncFolder(folder);
  const [first] = moves;
  const stage = moves.map(({ from }) => dirname(from)).find((folder) => dirname(folder).endsWith(`${sep}${STAGING}`));
  if (first !== undefined && stage !== undefined) await rm(stage, { recursive: true, force: true });
  await tell(own);
}

async function isDecided(stage: string): Promise<boolean> {
  return lstat(join(stage, JOURNAL)).then(
    () => true,
    () => false,
  );
}

async function discard(stage: string, agents: string, name: string): Promise<void> {
  await rm(stage, { recursive: true, force: true }).catch(() => {});
  await discardProfiles(agents, name);
}

async function discardProfiles(agents: string, name: string): Promise<void> {
  const left = (await readdir(agents).catch(() => [] as string[])).filter((entry) => entry.endsWith(`.${name}.tmp`));
  await Promise.all(left.map((entry) => rm(join(agents, entry), { force: true })));
}

async function readJournal(stage: string): Promise<readonly Move[] | undefined> {
  try {
    return JSON.parse(await readFile(join(stage, JOURNAL), "utf8")) as Move[];
  } catch {
    return undefined;
  }
}

/** Follows what is there already: a link on the way must not lead a download out of its root. */
async function requireInside(target: string, root: string): Promise<void> {
  const home = await realpath(root).catch(() => undefined);
  if (home === undefined) return;
  for (let folder = dirname(target); folder.length >= root.length; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real === undefined && (await lstat(folder).catch(() => undefined)) === undefined) continue;
    const isInside = real !== undefined && (real === home || real.startsWith(home + sep));
    if (!isInside || !(await lstat(real)).isDirectory()) throw refused(target, "the way there leads out of its folder");
    break;
  }
  if ((await lstat(target).catch(() => undefined))?.isDirectory() === true) throw refused(target, "there is a folder of that name");
}

function refused(target: string, why: string): DirectoryError {
  return new DirectoryError("D311", `invalid_input: the bundle is refused, nothing was written: ${target}: ${why}.`);
}

function failure(error: unknown): unknown {
  if (error instanceof DirectoryError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new DirectoryError("internal", `could not write the bundle: ${code ?? message}`);
}

async function stageFile(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW, 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Some file systems can't. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function idOf(path: string): string {
  return path.replace(/\.md$/, "");
}

function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
