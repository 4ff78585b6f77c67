/** Names of workers of the registry, which become names of folders. */

const GRAMMAR = /^[a-z0-9][a-z0-9_-]*$/;
const LONGEST = 64;
/** Folders that mean a family of content. */
export const RESERVED_NAMESPACES: ReadonlySet<string> = new Set(["prompts", "system-prompts", "agents"]);

/** What is wrong with a name, in words; undefined when it is one. */
export function workerNameFault(name: string): string | undefined {
  if (name === "") return "a worker name must be non-empty";
  const quoted = JSON.stringify(name.slice(0, LONGEST));
  if (!GRAMMAR.test(name)) return `${quoted} is no worker name: a to z, 0 to 9, _ and -, beginning with a letter or digit`;
  if (name.length > LONGEST) return `${quoted}... is no worker name: at most ${LONGEST} characters`;
  if (RESERVED_NAMESPACES.has(name)) return `${quoted} is reserved for a family of content`;
  return undefined;
}
