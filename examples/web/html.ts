/** What a person would read of an HTML page, and where its links lead. Made for simple pages; scripts are not run. */

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const BLOCKS = new Set("p div br li ul ol tr table h1 h2 h3 h4 h5 h6 section article header footer pre blockquote".split(" "));
const UNREAD = new Set(["script", "style", "noscript", "template", "svg", "head"]);
/** What is inside is no markup, up to the closing tag. */
const RAW: Readonly<Record<string, RegExp>> = { script: /<\/script/gi, style: /<\/style/gi };

interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly attributes: string;
}

/** Hands every piece over in one pass from left to right, so that no page takes more than its length in steps. */
function walk(html: string, onText: (text: string) => void, onTag: (tag: Tag) => void): void {
  let place = 0;
  while (place < html.length) {
    const open = html.indexOf("<", place);
    if (open < 0) return onText(html.slice(place));
    onText(html.slice(place, open));
    const isComment = html.startsWith("<!--", open);
    const close = html.indexOf(isComment ? "-->" : ">", open);
    if (close < 0) return;
    const inside = html.slice(open + 1, close);
    const [, slash = "", name = ""] = /^(\/?)([a-z][a-z0-9]*)/i.exec(inside) ?? [];
    const tag = { name: name.toLowerCase(), closing: slash !== "", attributes: inside.slice(slash.length + name.length) };
    if (name !== "") onTag(tag);
    place = close + (isComment ? 3 : 1);
    if (tag.closing || !Object.hasOwn(RAW, tag.name)) continue;
    place = indexOf(html, RAW[tag.name], place);
    if (place < 0) return;
  }
}

function indexOf(html: string, pattern: RegExp | undefined, from: number): number {
  if (pattern === undefined) return -1;
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? -1;
}

export function readable(html: string): { title: string; text: string } {
  let title = "";
  let text = "";
  let unread = "";
  let inTitle = false;
  walk(
    html,
    (piece) => {
      if (inTitle) title += piece;
      else if (unread === "") text += piece;
    },
    ({ name, closing }) => {
      if (name === "title") inTitle = !closing;
      else if (unread !== "") unread = closing && name === unread ? "" : unread;
      else if (UNREAD.has(name) && !closing) unread = name;
      else if (BLOCKS.has(name)) text += "\n";
    },
  );
  const lines = decodeEntities(text)
    .split("\n")
    .map((line) => line.replace(/[ \t\r\f\v]+/g, " ").trim());
  return { title: decodeEntities(title).replace(/\s+/g, " ").trim(), text: lines.filter((line) => line !== "").join("\n") };
}

export interface Link {
  readonly url: string;
  readonly text: string;
}

export function links(html: string, base: string): Link[] {
  const found = new Map<string, string>();
  let current: string | undefined;
  walk(
    html,
    (piece) => {
      if (current !== undefined) found.set(current, (found.get(current) ?? "") + piece);
    },
    ({ name, closing, attributes }) => {
      if (name !== "a") return;
      const [, double, single, bare] = closing ? [] : (/\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes) ?? []);
      current = target(double ?? single ?? bare, base);
      if (current !== undefined && !found.has(current)) found.set(current, "");
    },
  );
  return [...found].map(([url, text]) => ({ url, text: decodeEntities(text).replace(/\s+/g, " ").trim() }));
}

function target(href: string | undefined, base: string): string | undefined {
  const address = decodeEntities(href ?? "");
  if (href === undefined || !URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  url.hash = "";
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : whole;
    },
  );
}
