/** Which family of content a file belongs to, by its path below a root. Exact, case-sensitive components. */

export type ContentKind = "skill" | "system-prompt" | "command-prompt" | "reserved-for-agents";

/** `relativePath` with `/`. The file name is a component with its extension, so `prompts.md` is a skill. */
export function kindOfPath(relativePath: string): ContentKind {
  const components = relativePath.split("/");
  if (components.includes("system-prompts")) return "system-prompt";
  if (components.includes("prompts")) return "command-prompt";
  if (components.includes("agents")) return "reserved-for-agents";
  return "skill";
}
