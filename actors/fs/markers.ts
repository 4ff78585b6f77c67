/** The file that a complete download leaves in its namespace: where it came from, and which files belong to it. */
import { access, readdir } from "node:fs/promises";
import { join } from "node:path";

export const MARKER_FILE = ".iii-skill-complete";

export async function hasMarker(namespaceFolder: string): Promise<boolean> {
  return access(join(namespaceFolder, MARKER_FILE)).then(
    () => true,
    () => false,
  );
}

/** A folder that holds nothing but our marker is no namespace: it hides nothing and reserves nothing. */
export async function isMarkerOnly(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.length === 1 && names[0] === MARKER_FILE;
}
