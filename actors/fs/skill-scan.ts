/** All skills of all roots under their ids: who hides whom, and what was left out. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { kindOfPath } from "../../domain/content-path.js";
import { firstSegment, idFault, idOfPath, isSingleSegment } from "../../domain/skill-id.js";
import { compareBytes } from "../../domain/text.js";
import type { ContentFault } from "../../protocol/actors/fs.js";
import { hasMarker, isMarkerOnly } from "./markers.js";
import { type ContentRoots, isProfilePlace } from "./roots.js";
import { type FoundFile, walkMarkdown } from "./walk.js";

export type Tier = "local" | "global" | "agent-skills";

export interface SkillFile {
  /** As on disk: an overview ends in `/index`. */
  readonly id: string;
  readonly path: string;
  readonly root: string;
  readonly tier: Tier;
}

export interface SkillScan {
  /** In byte order of the ids. */
  readonly skills: readonly SkillFile[];
  readonly faults: readonly ContentFault[];
  /** Names of shared skills that are really served: they are reserved, and exempt from the filter. */
  readonly agentNamespaces: ReadonlySet<string>;
  /** Namespaces that were downloaded on purpose. */
  readonly markedNamespaces: ReadonlySet<string>;
  /** Folders directly below the local root: each hides the global namespace of its name, even an empty one. */
  readonly localNamespaces: ReadonlySet<string>;
}

interface DeepScan {
  readonly skills: SkillFile[];
  readonly faults: ContentFault[];
  readonly namespaces: ReadonlySet<string>;
}

/** `SKILL.md` before `SKILLS.md` before `index.md`: capitals come first in byte order, and the first of an id counts. */
const ENTRY = "SKILL.md";

export async function scanSkills(roots: ContentRoots): Promise<SkillScan> {
  const [local, global] = await Promise.all([scanDeep(roots.local, "local", roots), scanDeep(roots.global, "global", roots)]);
  const merged = merge(local, global);
  const shared = await scanAgentSkills(roots.agentSkills, new Set([...local.namespaces, ...global.namespaces]));
  const skills = [...merged.skills, ...shared.skills].sort((left, right) => compareBytes(left.id, right.id));
  const namespaces = new Set([...local.namespaces, ...global.namespaces]);
  return {
    skills,
    faults: [...merged.faults, ...shared.faults],
    agentNamespaces: shared.namespaces,
    markedNamespaces: await marked(roots, namespaces),
    localNamespaces: local.namespaces,
  };
}

async function scanDeep(root: string, tier: Tier, roots: ContentRoots): Promise<DeepScan> {
  const walk = await walkMarkdown(root);
  const skills = new Map<string, SkillFile>();
  const faults: ContentFault[] = walk.faults.map((fault) => ({ ...fault, kind: "skipped" }));
  for (const file of walk.files) {
    if (kindOfPath(file.relativePath) !== "skill" || isProfilePlace(file.path, roots, root)) continue;
    const id = idOfPath(file.relativePath);
    const reason = refusal(id, skills);
    if (reason !== undefined) {
      faults.push({ path: file.path, kind: "skipped", reason });
      continue;
    }
    skills.set(id, { id, path: file.path, root, tier });
    if (isMisspelt(file))
      faults.push({ path: file.path, kind: "notice", reason: `not the overview of its folder: rename it to ${ENTRY}` });
  }
  const folders = await Promise.all(walk.folders.map(async (name) => ((await isMarkerOnly(join(root, name))) ? [] : [name])));
  return { skills: [...skills.values()], faults, namespaces: new Set(folders.flat()) };
}

function refusal(id: string, taken: ReadonlyMap<string, SkillFile>): string | undefined {
  const fault = idFault(id);
  if (fault !== undefined) return `invalid id ${JSON.stringify(id)}: ${fault}`;
  const first = taken.get(id);
  return first === undefined ? undefined : `duplicate id ${JSON.stringify(id)}: ${first.path} is served`;
}

/** Served under its own name, which is hardly what its author wanted. */
function isMisspelt({ relativePath }: FoundFile): boolean {
  return relativePath.endsWith("/skill.md");
}

/** A namespace comes from one root alone; files directly below a root have no namespace, there the local one goes first. */
function merge(local: DeepScan, global: DeepScan): Pick<DeepScan, "skills" | "faults"> {
  const own = new Set(local.skills.map(({ id }) => id));
  const visible = global.skills.filter(({ id }) => (isSingleSegment(id) ? !own.has(id) : !local.namespaces.has(firstSegment(id))));
  const hidden = [...local.namespaces];
  const globalRoot = global.skills[0]?.root;
  const isHidden = ({ path }: ContentFault): boolean =>
    globalRoot !== undefined && hidden.some((name) => path.startsWith(join(globalRoot, name, "/")));
  return { skills: [...local.skills, ...visible], faults: [...local.faults, ...global.faults.filter((fault) => !isHidden(fault))] };
}

async function scanAgentSkills(roots: readonly string[], taken: ReadonlySet<string>): Promise<DeepScan> {
  const skills: SkillFile[] = [];
  const faults: ContentFault[] = [];
  const served = new Set<string>();
  for (const root of roots) {
    const names = await readdir(root).catch(() => []);
    const found = await Promise.all(names.map(async (name) => ((await isEntry(join(root, name))) ? [name] : [])));
    for (const name of found.flat().sort(compareBytes)) {
      const path = join(root, name, ENTRY);
      const fault = idFault(name);
      if (fault !== undefined) faults.push({ path, kind: "skipped", reason: `invalid id ${JSON.stringify(name)}: ${fault}` });
      else if (!taken.has(name) && !served.has(name)) {
        served.add(name);
        skills.push({ id: `${name}/index`, path, root, tier: "agent-skills" });
      }
    }
  }
  return { skills, faults, namespaces: served };
}

/** The name is compared with what the folder really holds: a disk that ignores case would also find `skill.md`. */
async function isEntry(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [] as string[]);
  if (!names.includes(ENTRY)) return false;
  return stat(join(folder, ENTRY)).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function marked({ local, global }: ContentRoots, namespaces: ReadonlySet<string>): Promise<Set<string>> {
  const found = await Promise.all(
    [...namespaces].map(async (name) =>
      (await hasMarker(join(global, name))) || (await hasMarker(join(local, name))) ? [name] : [],
    ),
  );
  return new Set(found.flat());
}
