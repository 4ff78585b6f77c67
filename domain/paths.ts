/** How a configured path becomes a place: absolute as it is, `~` from the home folder, the rest from the project base. */
import { isAbsolute, join, sep } from "node:path";
import { FOLDER_FIELDS } from "../protocol/configuration-fields.js";

export interface PathBases {
  /** From `HOME`, else `USERPROFILE`; undefined when neither says anything. */
  readonly home: string | undefined;
  readonly projectBase: string;
}

/** `~user` is no home folder of anybody here, and `..` stays in the path: what it means is up to the file system. */
export function resolveConfigured(path: string, { home, projectBase }: PathBases): string {
  if (isAbsolute(path)) return path;
  if (path === "~") return home ?? path;
  if (home !== undefined && path.startsWith("~/")) return join(home, withoutDots(path.slice(2)));
  return [projectBase, withoutDots(path)].filter((part) => part !== "").join(sep);
}

/** Home folder of an environment; a blank variable counts as unset. */
export function homeOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return [env["HOME"], env["USERPROFILE"]].find((folder) => folder !== undefined && folder.trim() !== "");
}

/** With a compose folder the defaults themselves are absolute, so that what is stored at the first start names one place for ever. */
export function folderDefaults(
  composeDirectory: string | undefined,
  defaults: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const entries = FOLDER_FIELDS.map((field) => {
    const path = String(defaults[field]);
    return [field, composeDirectory ? resolveConfigured(path, { home: undefined, projectBase: composeDirectory }) : path] as const;
  });
  return Object.fromEntries(entries);
}

function withoutDots(path: string): string {
  return path
    .split(/[/\\]/)
    .filter((part) => part !== "." && part !== "")
    .join(sep);
}
