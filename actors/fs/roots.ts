/** Where content lives. Fixed for the life of the actor: the folders are topology. */
import { join, relative, sep } from "node:path";
import { resolveConfigured } from "../../domain/paths.js";
import type { Configuration } from "../../protocol/configuration.js";
import type { Surroundings } from "../../protocol/thread.js";

export interface ContentRoots {
  /** Read and written; new skills are created here. */
  readonly global: string;
  /** Of the project: a namespace here hides the global one. */
  readonly local: string;
  /** Shared with other agents and only read, the first one goes before the next. */
  readonly agentSkills: readonly string[];
  /** Agent profiles, one file each. */
  readonly agents: string;
}

export function contentRoots(
  configuration: Readonly<Configuration>,
  { homeDirectory: home, projectBase }: Surroundings,
): ContentRoots {
  const at = (path: string): string => resolveConfigured(path, { home, projectBase });
  return {
    global: at(configuration.skills_folder),
    local: at(configuration.local_skills_folder),
    agentSkills: [at(configuration.agents_skills_folder)],
    agents: at(configuration.agents_folder),
  };
}

/** `path` below `root` with `/`; undefined when it is not below it. By components: `/a/bc` is not below `/a/b`. */
export function below(root: string, path: string): string | undefined {
  const way = relative(root, path);
  if (way === "" || way === ".." || way.startsWith(`..${sep}`) || join(root, way) !== join(path)) return undefined;
  return sep === "/" ? way : way.split(sep).join("/");
}

/**
 * The folder of profiles is scanned for nothing else. Where it lies inside a skills root all of it is meant; where it is that root, or holds
 * it, only the files directly in it.
 */
export function isProfilePlace(path: string, { agents }: Pick<ContentRoots, "agents">, root: string): boolean {
  const way = below(agents, path);
  return way !== undefined && (below(root, agents) !== undefined || !way.includes("/"));
}
