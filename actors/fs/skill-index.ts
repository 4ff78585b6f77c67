/** The markdown of `index`: a block for each overview, with as many descriptions as fit. */
import type { SkillIndex } from "../../protocol/functions/skills.js";

/** Bytes up to which descriptions are added; headings and pointers are never left out. */
const BUDGET = 3_000;

export interface IndexEntry {
  /** As on disk. */
  readonly id: string;
  readonly shownId: string;
  readonly title: string;
  readonly description: string;
}

/** An overview: whatever says so, or is the entry of a namespace. */
export function isOverview(id: string, type: string | null): boolean {
  return type === "index" || /^[^/]+\/index$/.test(id);
}

export function renderIndex(entries: readonly IndexEntry[]): SkillIndex {
  let body = `# Skills index\n\n${entries.length} worker(s).\n`;
  let omitted = false;
  for (const { id, shownId, title, description } of entries) {
    body += `\n## ${oneLine(title)}\n`;
    const words = oneLine(description);
    const fits = Buffer.byteLength(body) + 1 + Buffer.byteLength(words) + 1 <= BUDGET;
    if (words !== "" && fits) body += `\n${words}\n`;
    omitted ||= words !== "" && !fits;
    body += `\n${pointer(id, shownId)}\n`;
  }
  if (omitted) body += "\nSome descriptions omitted to keep this short; directory::skills::get reads the whole page.\n";
  return { body, workers_count: entries.length };
}

function pointer(id: string, shownId: string): string {
  return `Read iii://${id} with \`directory::skills::get { "id": ${JSON.stringify(shownId)} }\`.`;
}

/** A line break in somebody's title or description would forge a heading of ours. */
function oneLine(text: string): string {
  return text.replace(/\s*[\n\r\u2028\u2029\u0085]+\s*/g, " ").trim();
}
