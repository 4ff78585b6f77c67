/** Keys of the frontmatter that have fields of their own: the editor shows a document without them, and they come back untouched. */
import { joinDocument, splitDocument } from "../frontmatter.js";

function isManaged(line: string, keys: readonly string[]): boolean {
  return keys.some((key) => line.startsWith(`${key}:`));
}

/** Lines of the keys, with what is below them. */
function partition(lines: readonly string[], keys: readonly string[]): { readonly managed: string[]; readonly rest: string[] } {
  const managed: string[] = [];
  const rest: string[] = [];
  let current = rest;
  for (const line of lines) {
    if (/^\S/.test(line) && !/^-(?:\s|$)/.test(line)) current = isManaged(line, keys) ? managed : rest;
    current.push(line);
  }
  return { managed, rest };
}

export function withoutKeys(content: string, keys: readonly string[]): string {
  const parts = splitDocument(content);
  if (parts.lines === undefined) return content;
  const { managed, rest } = partition(parts.lines, keys);
  if (managed.length === 0) return content;
  return rest.length === 0 ? parts.body : joinDocument({ ...parts, lines: rest });
}

/** The edited text with the managed lines of the old one, in the line ends of the old one. */
export function withKeysOf(content: string, keys: readonly string[], edited: string): string {
  const old = splitDocument(content);
  const text = old.newline === "\r\n" ? edited.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n") : edited;
  const managed = partition(old.lines ?? [], keys).managed;
  if (managed.length === 0) return text;
  const now = splitDocument(text);
  if (now.lines === undefined) {
    const fence = `---${old.newline}`;
    return joinDocument({
      ...now,
      lines: managed,
      newline: old.newline,
      opening: old.opening || fence,
      closing: old.closing || fence,
    });
  }
  const own = partition(now.lines, keys).rest;
  return joinDocument({ ...now, lines: [...managed, ...own] });
}
