/** Which skills callers see: those of installed workers, and what somebody put there on purpose. */
import { firstSegment, isSingleSegment } from "../../domain/skill-id.js";
import type { InstalledWorkers } from "./installed.js";
import type { SkillFile, SkillScan } from "./skill-scan.js";

/** The worker's own pages and the engine's are of use wherever this worker runs. */
const ALWAYS = new Set(["directory", "iii"]);

type Namespaces = Pick<SkillScan, "agentNamespaces" | "markedNamespaces">;

/** Exact names; with no knowledge of what is installed everything is kept. */
export function isKept(id: string, installed: InstalledWorkers, { agentNamespaces, markedNamespaces }: Namespaces): boolean {
  if (installed === undefined || isSingleSegment(id)) return true;
  const namespace = firstSegment(id);
  return ALWAYS.has(namespace) || installed.has(namespace) || agentNamespaces.has(namespace) || markedNamespaces.has(namespace);
}

export function visibleSkills(scan: SkillScan, installed: InstalledWorkers): SkillFile[] {
  return scan.skills.filter((skill) => skill.tier === "agent-skills" || isKept(skill.id, installed, scan));
}
