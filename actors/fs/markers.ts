/** The file that a complete download leaves in its namespace: where it came from, and which files belong to it. */
import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DownloadMarker } from "../../protocol/bundle.js";

export const MARKER_FILE = ".iii-skill-complete";

export async function hasMarker(namespaceFolder: string): Promise<boolean> {
  return access(join(namespaceFolder, MARKER_FILE)).then(
    () => true,
    () => false,
  );
}

/** What it says; nothing where there is none. One that can't be read still says that somebody has downloaded here. */
export async function readMarker(namespaceFolder: string): Promise<DownloadMarker | undefined> {
  let text: string;
  try {
    text = await readFile(join(namespaceFolder, MARKER_FILE), "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : UNREADABLE;
  }
  try {
    const marker = JSON.parse(text) as DownloadMarker | null;
    return typeof marker === "object" && marker !== null ? marker : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE: DownloadMarker = { schema: 1, source: "registry" };

/** A folder that holds nothing but our marker is no namespace: it hides nothing and reserves nothing. */
export async function isMarkerOnly(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.length === 1 && names[0] === MARKER_FILE;
}
