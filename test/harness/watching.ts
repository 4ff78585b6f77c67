/** A watcher in this thread, over folders of its own; what it rings is kept. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildWatcher, type WatcherOptions } from "../../actors/watcher/build.js";
import type { OwnWrite, WatcherActor } from "../../protocol/actors/watcher.js";
import type { ContentFamily } from "../../protocol/doorbells.js";
import { newContext } from "./context.js";
import { settingFor } from "./setting.js";
import { temporaryFolder } from "./temporary.js";

export interface Watching {
  readonly watcher: WatcherActor;
  readonly skills: string;
  readonly local: string;
  readonly agents: string;
  readonly shared: string;
  /** Families in the order in which they rang. */
  readonly rung: ContentFamily[];
  /** Lets a window pass, and gives what rang in it. */
  readonly rings: () => Promise<ContentFamily[]>;
  readonly own: (writes: readonly OwnWrite[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Shorter than in the product, so that a test of many windows ends. */
const WINDOW_MS = 60;
const SETTLED_MS = 450;

export async function watching(
  prepare: (folders: Pick<Watching, "skills" | "local" | "agents" | "shared">) => void = () => {},
  options: WatcherOptions = {},
): Promise<Watching> {
  const base = temporaryFolder();
  const folders = {
    skills: join(base, "skills"),
    local: join(base, "local"),
    agents: join(base, "agents"),
    shared: join(base, "shared"),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  prepare(folders);
  const rung: ContentFamily[] = [];
  const doorbells = { ring: async ({ family }: { family: ContentFamily }) => void rung.push(family) };
  const { setting, drain } = settingFor(
    "watcher",
    {
      skills_folder: folders.skills,
      local_skills_folder: folders.local,
      agents_folder: folders.agents,
      agents_skills_folder: folders.shared,
    },
    { peers: { doorbells, fs: { contentChanged: async () => {} } } as never },
  );
  const watcher = await buildWatcher(setting, { windowMs: WINDOW_MS, lookEveryMs: 50, firstRetryMs: 200, ...options });
  for (let turn = 0; turn < 200; turn++) {
    const { roots } = await watcher.report({}, newContext());
    if (roots.every(({ watched, reason }) => watched || reason !== undefined)) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const rings = async (): Promise<ContentFamily[]> => {
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    return rung.splice(0);
  };
  return { watcher, ...folders, rung, rings, own: (writes) => watcher.ownWrites({ writes }, newContext()), stop: drain };
}
