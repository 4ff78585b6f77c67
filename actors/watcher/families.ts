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

/** Undefined for what rings nobody. Where roots lie inside each other the longest decides; one folder may have two roles. */
export function familyOf(path: string, roots: readonly WatchedRoot[]): ContentFamily | undefined {
  if (!isContentFile(path)) return undefined;
  const holding = roots.filter((root) => path.startsWith(root.path.endsWith(sep) ? root.path : root.path + sep));
  const length = Math.max(...holding.map((root) => root.path.length));
  const nearest = holding.filter((root) => root.path.length === length);
  const way = relative(path.slice(0, length), path).split(sep).join("/");
  const isProfile = !way.includes("/") && nearest.some(({ role }) => role === "agent-profiles");
  const role = isProfile ? "agent-profiles" : nearest.find((root) => root.role !== "agent-profiles")?.role;
  if (role === undefined) return undefined;
  if (role === "agent-skills") return "skills";
  if (role === "agent-profiles") return "agents";
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
