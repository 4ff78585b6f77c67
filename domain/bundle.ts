/** From what a source delivers to the files that will be written: checked as a whole, before the first of them is. */
import { DirectoryError } from "../protocol/errors.js";
import { collisionKey, readBundlePath } from "./bundle-path.js";
import { kindOfPath } from "./content-path.js";
import { isId } from "./skill-id.js";

/** A file as its source names it. */
export interface BundleEntry {
  readonly path: string;
  readonly content: Uint8Array;
}

export type BundleKind = "skill" | "system-prompt" | "command-prompt" | "agent";

export interface BundleFile {
  readonly kind: BundleKind;
  /** Below the namespace; of an agent profile, below the folder of profiles. */
  readonly path: string;
  readonly content: Uint8Array;
}

export interface BundleOptions {
  readonly source: "registry" | "repo";
  /** Command prompts are wanted too. */
  readonly commandPrompts: boolean;
}

/** Decision 10. */
export const BUNDLE_LIMITS = {
  markdownBytes: 256 * 1024,
  fileBytes: 4 * 2 ** 20,
  bundleBytes: 16 * 2 ** 20,
  files: 2_000,
} as const;

/** Counts up to the limits while a source is still being read, so that a huge one is given up early. */
export class BundleBudget {
  #files = 0;
  #bytes = 0;

  /** Throws when this file is one too many or too large. */
  take(path: string, bytes: number): void {
    this.#files++;
    this.#bytes += bytes;
    const most = path.endsWith(".md") ? BUNDLE_LIMITS.markdownBytes : BUNDLE_LIMITS.fileBytes;
    if (bytes > most) throw refused(`${JSON.stringify(path)} has ${bytes} bytes, and at most ${most} are taken`);
    if (this.#files > BUNDLE_LIMITS.files) throw refused(`more than ${BUNDLE_LIMITS.files} files`);
    if (this.#bytes > BUNDLE_LIMITS.bundleBytes) throw refused(`more than ${BUNDLE_LIMITS.bundleBytes} bytes`);
  }
}

/** In the order of the source. Throws `invalid skill path` or what else is wrong. */
export function planBundle(entries: readonly BundleEntry[], options: BundleOptions): BundleFile[] {
  const budget = new BundleBudget();
  const files = new Map<string, BundleFile>();
  const located = entries.map(({ path, content }) => {
    budget.take(path, content.byteLength);
    return { path: locate(path, options), content };
  });
  const hasEntry = located.some(({ path }) => path === "SKILL.md");
  for (const { path, content } of located) {
    if (options.source === "registry" && hasEntry && path === "index.md") continue;
    const kind = kindOf(path, options);
    if (kind === undefined) continue;
    if (path.endsWith(".md")) requireText(path, content);
    const file = { kind, path: kind === "agent" ? path.slice(AGENTS.length) : path, content };
    // The last of two that are the same counts, in the place of the first.
    files.set(`${kind === "agent" ? "agents" : "skills"}/${file.path}`, file);
  }
  refuseCollisions([...files.keys()]);
  return [...files.values()];
}

const AGENTS = "agents/";

/** Registry bundles name files as they lie in a repository, below `skills/`. */
function locate(given: string, { source }: BundleOptions): string {
  const bare = source === "registry" && given.startsWith("skills/") ? given.slice("skills/".length) : given;
  const read = readBundlePath(bare);
  if ("fault" in read) throw refused(`invalid skill path ${JSON.stringify(given.slice(0, 300))}: ${read.fault}`);
  return read.path;
}

/** Undefined: not taken. Hidden files aren't, so no bundle can bring a marker of its own. */
function kindOf(path: string, { source, commandPrompts }: BundleOptions): BundleKind | undefined {
  const components = path.split("/");
  if (components.some((component) => component.startsWith("."))) return undefined;
  const profile = /^agents\/([^/]+)\.md$/.exec(path)?.[1];
  if (profile !== undefined) return source === "registry" && isId(profile) ? "agent" : undefined;
  switch (kindOfPath(path)) {
    case "skill":
      return "skill";
    case "system-prompt":
      return "system-prompt";
    case "command-prompt":
      return commandPrompts ? "command-prompt" : undefined;
    case "reserved-for-agents":
      return undefined;
  }
}

function requireText(path: string, content: Uint8Array): void {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw refused(`${JSON.stringify(path)} is not UTF-8`);
  }
}

/** Two names that one disk keeps apart and another doesn't, and a file where another needs a folder. */
function refuseCollisions(paths: readonly string[]): void {
  const taken = new Map<string, { readonly path: string; readonly isFile: boolean }>();
  const claim = (path: string, isFile: boolean): void => {
    const key = collisionKey(path);
    const other = taken.get(key);
    if (other === undefined) taken.set(key, { path, isFile });
    else if (other.path !== path || other.isFile !== isFile || isFile) {
      throw refused(`invalid skill path ${JSON.stringify(path)}: it collides with ${JSON.stringify(other.path)}`);
    }
  };
  for (const path of paths) {
    const components = path.split("/");
    for (let depth = 1; depth < components.length; depth++) claim(components.slice(0, depth).join("/"), false);
    claim(path, true);
  }
}

function refused(reason: string): DirectoryError {
  return new DirectoryError("D311", `invalid_input: the bundle is refused, nothing was written: ${reason}.`);
}
