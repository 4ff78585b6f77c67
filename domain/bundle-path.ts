/**
 * Paths in a bundle that somebody else has made. The same on every platform, so a bundle that is safe on one is safe on all; what is
 * wrong with one path makes the whole bundle wrong.
 */
const MOST_COMPONENT_BYTES = 255;
const MOST_PATH_BYTES = 1_024;
const MOST_DEPTH = 32;
/** Files that Windows takes for devices, with whatever extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

export type BundlePath = { readonly path: string } | { readonly fault: string };

/** The path without `.` and empty components, or why it is refused. */
export function readBundlePath(given: string): BundlePath {
  if (given === "") return { fault: "it is empty" };
  if (!given.isWellFormed()) return { fault: "it holds half a character" };
  if (/\p{Cc}/u.test(given)) return { fault: "it holds a control character" };
  if (given.includes("\\")) return { fault: "it holds a backslash" };
  if (given.startsWith("/")) return { fault: "it is absolute" };
  const components = given.split("/").filter((component) => component !== "" && component !== ".");
  if (components.length === 0) return { fault: "it names no file" };
  if (components.length > MOST_DEPTH) return { fault: `it is more than ${MOST_DEPTH} levels deep` };
  const path = components.join("/");
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) return { fault: `it has more than ${MOST_PATH_BYTES} bytes` };
  for (const component of components) {
    const fault = componentFault(component);
    if (fault !== undefined) return { fault };
  }
  return { path };
}

function componentFault(component: string): string | undefined {
  if (component === "..") return "it leads upwards";
  if (component.includes(":")) return "it holds a colon";
  if (Buffer.byteLength(component) > MOST_COMPONENT_BYTES) return `a name in it has more than ${MOST_COMPONENT_BYTES} bytes`;
  if (/[. ]$/.test(component)) return "a name in it ends in a dot or a space";
  if (DEVICE.test(component)) return "a name in it means a device on some systems";
  return undefined;
}

/** What some disks take for the same name. */
export function collisionKey(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
