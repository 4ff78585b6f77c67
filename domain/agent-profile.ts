/** What the file of an agent profile says. The rules are the same for a file that is found and for one that is to be written. */
import { isEmoji } from "./emoji.js";
import type { Frontmatter } from "./frontmatter.js";
import { InvalidContent, listOf, requireFrontmatter, scalarOf } from "./strict-fields.js";
import { isWhiteSpace, trimWhiteSpace } from "./text.js";

export interface AgentProfile {
  /** For display only; the id is the stem of the file. */
  readonly name: string;
  readonly description: string;
  readonly logo: string | null;
  readonly icon: string | null;
  readonly color: string | null;
  readonly skills: readonly string[];
  readonly functions: readonly string[];
  /** Passed on as it is: whether there is such a model is known where it is used. */
  readonly model: string | null;
  readonly reasoningEffort: string | null;
  readonly extends: string | null;
  /** The profile's own part of the system prompt. */
  readonly body: string;
}

const ICONS = ["agent", "code", "search", "terminal", "database", "test", "review", "docs", "design"];
const COLORS = ["neutral", "blue", "purple", "teal", "green", "amber", "rose"];
const MAX_LOGO_BYTES = 16;

/** Throws InvalidContent with the first fault, in the order of the rules. */
export function readAgentProfile(text: string): AgentProfile {
  const { frontmatter, body } = requireFrontmatter(text);
  const trimmed = (key: string): string | null => trimWhiteSpace(scalarOf(frontmatter, key) ?? "") || null;
  const name = trimmed("name");
  if (name === null) throw new InvalidContent("the frontmatter needs a non-empty `name`");
  return {
    name,
    description: trimmed("description") ?? "",
    logo: logoOf(frontmatter),
    icon: tokenOf(frontmatter, "icon", ICONS),
    color: tokenOf(frontmatter, "color", COLORS),
    functions: functionsOf(frontmatter),
    skills: listOf(frontmatter, "skills"),
    model: trimmed("model"),
    reasoningEffort: trimmed("reasoning_effort"),
    extends: trimmed("extends"),
    body,
  };
}

function logoOf(frontmatter: Frontmatter): string | null {
  const value = scalarOf(frontmatter, "logo");
  if (value === undefined) return null;
  const logo = trimWhiteSpace(value);
  const fits = Buffer.byteLength(logo) <= MAX_LOGO_BYTES && isEmoji(logo);
  if (!fits) throw new InvalidContent(`\`logo\` is emoji only, at most ${MAX_LOGO_BYTES} bytes, and no path or word`);
  return logo;
}

function tokenOf(frontmatter: Frontmatter, key: string, allowed: readonly string[]): string | null {
  const token = trimWhiteSpace(scalarOf(frontmatter, key) ?? "");
  if (token === "") return null;
  if (!allowed.includes(token)) throw new InvalidContent(`\`${key}\` must be one of ${allowed.join(", ")}`);
  return token;
}

function functionsOf(frontmatter: Frontmatter): string[] {
  const functions = listOf(frontmatter, "functions").map((entry) => {
    const fault = functionIdFault(entry);
    if (fault !== undefined) throw new InvalidContent(`\`functions\` has an entry that ${fault}`);
    return trimWhiteSpace(entry);
  });
  return [...new Set(functions)];
}

/** What is wrong with an id in a list of functions, in words that follow "an entry that". White space around it is not. */
export function functionIdFault(entry: string): string | undefined {
  const id = trimWhiteSpace(entry);
  if (id === "") return "must be non-empty";
  if (Array.from(id).some((character) => isWhiteSpace(character.charCodeAt(0)))) return "contains whitespace";
  return undefined;
}
