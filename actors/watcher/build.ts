/**
 * Puts the watcher actor together: paths that may have changed are gathered for a moment, then looked at, and each family in which
 * something really did rings once. A doorbell that is missed costs a stale view and never data, because every read looks at the disk.
 */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { watch } from "chokidar";
import { resolveConfigured } from "../../domain/paths.js";
import type { WatcherActor } from "../../protocol/actors/watcher.js";
import type { ContentFamily } from "../../protocol/doorbells.js";
import { type ActorSetting, ownContext } from "../runtime.js";
import { familyOf, type WatchedRoot } from "./families.js";
import { OwnWrites } from "./own-writes.js";
import { RootWatch } from "./root-watch.js";

export interface WatcherOptions {
  /** From the first event until the look; later ones don't extend it. */
  readonly windowMs?: number;
  readonly lookEveryMs?: number;
  readonly firstRetryMs?: number;
  readonly watch?: typeof watch;
}

const WINDOW_MS = 300;
const LOOK_EVERY_MS = 1_000;
const FIRST_RETRY_MS = 30_000;
const RING_MS = 5_000;

/** Identity of a file that nobody has looked at since the start: unlike every real one. */
const FOUND = "found";

interface RootState {
  readonly path: string;
  watched: boolean;
  reason?: string;
}

export async function buildWatcher(
  { peers, configuration, surroundings, log, onDrain }: ActorSetting,
  given: WatcherOptions = (surroundings.options.watcher ?? {}) as WatcherOptions,
): Promise<WatcherActor> {
  const roots = await watchedRoots(configuration.current, surroundings);
  const own = new OwnWrites(Date.now);
  const known = new Map<string, string>();
  const states: RootState[] = roots.map(({ path }) => ({ path, watched: false }));
  let gathered: Set<string> | undefined;

  const onPath = (path: string): void => {
    if (gathered === undefined) {
      gathered = new Set();
      setTimeout(() => void judge(), given.windowMs ?? WINDOW_MS);
    }
    gathered.add(path);
  };

  async function judge(): Promise<void> {
    const paths = [...(gathered ?? [])];
    gathered = undefined;
    const families = new Set<ContentFamily>();
    for (const path of paths) {
      const family = familyOf(path, roots);
      if (family !== undefined && (await hasChanged(path))) families.add(family);
    }
    if (families.size === 0) return;
    await peers.fs.contentChanged({}, ownContext("content-changed", RING_MS)).catch(() => {});
    for (const family of families) {
      await peers.doorbells.ring({ family, payload: { op: "external" } }, ownContext("ring", RING_MS)).catch((error: unknown) => {
        log.warn({ err: error, family }, "a doorbell could not be rung");
      });
    }
  }

  /** Compares with what was there at the last look; what we wrote ourselves is no change. */
  async function hasChanged(path: string): Promise<boolean> {
    const identity = await identityOf(path);
    const before = known.get(path);
    if (identity === before) return false;
    if (identity === undefined) known.delete(path);
    else known.set(path, identity);
    return !own.isOwn(await realPath(path), identity);
  }

  const watches = roots.map((root, index) => {
    const state = states[index];
    return new RootWatch({
      root,
      onPath,
      onFound: (path) => known.set(path, FOUND),
      onState: (watched, reason) => {
        if (state !== undefined) Object.assign(state, { watched, reason });
        if (!watched && reason !== undefined)
          log.warn({ root: root.path, reason }, "this folder is not watched; reads still see every change");
      },
      lookEveryMs: given.lookEveryMs ?? LOOK_EVERY_MS,
      firstRetryMs: given.firstRetryMs ?? FIRST_RETRY_MS,
      ...(given.watch === undefined ? {} : { watch: given.watch }),
    });
  });
  // In the background: a large tree or a slow disk must not delay the start of anything.
  void Promise.all(watches.map((watch) => watch.start())).then(() => {
    log.info({ roots: states.filter(({ watched }) => watched).map(({ path }) => path) }, "watching content");
  });
  onDrain(async () => {
    await Promise.all(watches.map((watch) => watch.stop()));
  });

  return {
    async ownWrites({ writes }) {
      own.add(writes);
    },
    async report() {
      return { roots: states.map((state) => ({ ...state })) };
    },
  };
}

async function watchedRoots(
  configuration: ActorSetting["configuration"]["current"],
  { homeDirectory: home, projectBase }: ActorSetting["surroundings"],
): Promise<WatchedRoot[]> {
  const at = (path: string): string => join(resolveConfigured(path, { home, projectBase }));
  const wanted: WatchedRoot[] = [
    { path: at(configuration.skills_folder), role: "content", create: true },
    { path: at(configuration.local_skills_folder), role: "content", create: true },
    { path: at(configuration.agents_folder), role: "agent-profiles", create: true },
  ];
  const shared = at(configuration.agents_skills_folder);
  const isThere = await stat(shared).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (isThere) wanted.push({ path: shared, role: "agent-skills", create: false });
  return wanted.filter(({ path, role }, index) => wanted.findIndex((root) => root.path === path && root.role === role) === index);
}

/** As the fs actor tells it of its writes: inode, size, times. */
async function identityOf(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats?.isFile() ? `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}` : undefined;
}

/** Of a file that may be gone: its folder's real path and its name. */
async function realPath(path: string): Promise<string> {
  return realpath(path).catch(async () => join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)));
}
