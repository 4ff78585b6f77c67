/**
 * The parser's events, for YAML as people write it. Many tools accept a flow list whose closing bracket stands at the beginning of a line,
 * and a quoted text that goes on there; the parser wants them indented. Where that is all that is wrong the line gets a space in a copy, and
 * the places are told as they are in the original.
 */
import { type Event, parseEvents } from "js-yaml";

const MAX_DEPTH = 32;
/** Lines that are indented for the parser. Each costs one more parse. */
const MAX_INDENTED = 64;

export function yamlEvents(source: string): readonly Event[] {
  let copy = source;
  const spaces: number[] = [];
  for (;;) {
    try {
      const events = parseEvents(copy, { maxDepth: MAX_DEPTH });
      return spaces.length === 0 ? events : events.map((event) => placedIn(event, spaces));
    } catch (error) {
      const { reason, mark } = error as { reason?: string; mark?: { position?: number } };
      if (reason !== "deficient indentation" || mark?.position === undefined || spaces.length === MAX_INDENTED) throw error;
      const line = copy.lastIndexOf("\n", mark.position - 1) + 1;
      copy = `${copy.slice(0, line)} ${copy.slice(line)}`;
      for (const [index, space] of spaces.entries()) if (space >= line) spaces[index] = space + 1;
      spaces.push(line);
    }
  }
}

const OFFSETS = new Set(["start", "valueStart", "valueEnd", "anchorStart", "anchorEnd", "tagStart", "tagEnd"]);

function placedIn(event: Event, spaces: readonly number[]): Event {
  const entries = Object.entries(event).map(([name, value]) => [
    name,
    OFFSETS.has(name) && typeof value === "number" ? value - spaces.filter((space) => space < value).length : value,
  ]);
  return Object.fromEntries(entries) as Event;
}
