/** Which family of content a path belongs to. Only paths count: a file that is not valid rings as well. */
import { relative, sep } from "node:path";
import { kindOfPath } from "../../domain/content-path.js";
import type { ContentFamily } from "../../protocol/doorbells.js";

export type RootRole = "content" | "agent-profiles" | "agent-skills";

export interface WatchedRoot {
  readonly path: string;
  readonly role: RootRole;
  /** Made when it is missing. A root that others own is never made. */
  readonly create: boolean;
}

const EXTENSION = ".md";

export function isContentFile(path: string): boolean {
  return path.endsWith(EXTENSION);
}

/** Undefined for what rings nobody. Where roots lie inside each other the longest decides. */
export function familyOf(path: string, roots: readonly WatchedRoot[]): ContentFamily | undefined {
  if (!isContentFile(path)) return undefined;
  const holding = roots.filter((root) => path.startsWith(root.path.endsWith(sep) ? root.path : root.path + sep));
  const [root] = holding.sort((left, right) => right.path.length - left.path.length);
  if (root === undefined) return undefined;
  const way = relative(root.path, path).split(sep).join("/");
  if (root.role === "agent-skills") return "skills";
  if (root.role === "agent-profiles") return way.includes("/") ? undefined : "agents";
  switch (kindOfPath(way)) {
    case "skill":
      return "skills";
    case "system-prompt":
      return "system-prompts";
    case "command-prompt":
      return "prompts";
    default:
      return undefined;
  }
}
