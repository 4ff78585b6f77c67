/** Ids of skills: their grammar, the forms in which callers give them, and how they are shown. */
import { DirectoryError } from "../protocol/errors.js";
import { trimWhiteSpace } from "./text.js";

const SEGMENT = /^[a-z0-9_-]{1,64}$/;
const MAX_ID_BYTES = 1024;
const SCHEME = "iii://";
/** What an id's overview is called on disk. */
const OVERVIEW = "index";

/** What is wrong with an id, in words; undefined when it is one. */
export function idFault(id: string): string | undefined {
  if (id === "") return "an id must not be empty";
  if (id.length > MAX_ID_BYTES) return `an id has at most ${MAX_ID_BYTES} bytes`;
  const wrong = id.split("/").findIndex((segment) => !SEGMENT.test(segment));
  if (wrong < 0) return undefined;
  return `segment ${wrong + 1} of the id must be 1 to 64 characters of a-z, 0-9, _ and -`;
}

export function isId(id: string): boolean {
  return idFault(id) === undefined;
}

/** The id that a caller means. Throws D111 or D112. */
export function normaliseId(input: string, next: string): string {
  const trimmed = trimWhiteSpace(input);
  if (trimmed === "") throw new DirectoryError("D111", "invalid_input: an id must not be empty.");
  const path = trimmed.startsWith(SCHEME) ? trimmed.slice(SCHEME.length) : trimmed;
  if (path.includes("://"))
    throw new DirectoryError(
      "D111",
      `invalid_input: an id is a path like "worker/page" or ${SCHEME}worker/page, not another address.`,
    );
  const id = withoutSuffix(path);
  if (id.includes("::")) {
    throw new DirectoryError("D112", `invalid_input: ${JSON.stringify(id)} is a FUNCTION id, not the id of a skill. Next: ${next}`);
  }
  const fault = idFault(id);
  if (fault !== undefined) throw new DirectoryError("D111", `invalid_input: ${fault}.`);
  return id;
}

function withoutSuffix(path: string): string {
  if (/(?:^|\/)SKILLS?\.md$/.test(path)) return path.replace(/SKILLS?\.md$/, OVERVIEW);
  return path.endsWith(".md") ? path.slice(0, -3) : path;
}

/** The id of a file below a root, by its relative path with `/`. It may be invalid: see `idFault`. */
export function idOfPath(relativePath: string): string {
  const withoutExtension = relativePath.slice(0, -".md".length);
  return withoutExtension.replace(/(^|\/)SKILLS?$/, `$1${OVERVIEW}`);
}

/** `worker/index` is shown as `worker`, unless a skill of that very id exists as well. */
export function displayedId(id: string, isTaken: (id: string) => boolean): string {
  if (!id.endsWith(`/${OVERVIEW}`)) return id;
  const short = id.slice(0, -OVERVIEW.length - 1);
  return isTaken(short) ? id : short;
}

export function firstSegment(id: string): string {
  const slash = id.indexOf("/");
  return slash < 0 ? id : id.slice(0, slash);
}

export function isSingleSegment(id: string): boolean {
  return !id.includes("/");
}

/** The id on disk that an id resolves to: itself, else its overview. */
export function resolveId(id: string, exists: (id: string) => boolean): string | undefined {
  if (exists(id)) return id;
  const overview = `${id}/${OVERVIEW}`;
  return exists(overview) ? overview : undefined;
}
