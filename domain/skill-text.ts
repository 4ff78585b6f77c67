/** What a skill is called and what it says of itself, from its frontmatter and its first lines. */
import { type Frontmatter, flagField, textField } from "./frontmatter.js";
import { trimWhiteSpace } from "./text.js";
import { isBlank, nonBlank, trimStart } from "./white-space.js";

export interface SkillFields {
  readonly title: string;
  readonly type: string | null;
  readonly functionId: string | null;
  readonly disableModelInvocation: boolean;
  /** Frontmatter description, else the first paragraph, else empty. */
  readonly description: string;
}

export function skillFields(frontmatter: Frontmatter, body: string, fallbackTitle: string): SkillFields {
  const named = nonBlank(textField(frontmatter, "title")) ?? nonBlank(textField(frontmatter, "name"));
  return {
    title: named ?? nonBlank(firstHeading(body)) ?? fallbackTitle,
    type: nonBlank(textField(frontmatter, "type")) ?? null,
    functionId: nonBlank(textField(frontmatter, "function_id")) ?? null,
    disableModelInvocation: flagField(frontmatter, "disable-model-invocation"),
    description: nonBlank(textField(frontmatter, "description")) ?? firstParagraph(body),
  };
}

/** Text of the first line that starts with one `#` and a space, however far it is indented. */
export function firstHeading(body: string): string | undefined {
  for (const line of linesOf(body)) {
    const text = trimStart(line);
    if (text.startsWith("# ")) return trimWhiteSpace(text.slice(2));
  }
  return undefined;
}

/** The first run of lines that are neither headings nor quotes, joined by single spaces. */
export function firstParagraph(body: string): string {
  const words: string[] = [];
  for (const line of linesOf(body)) {
    const text = trimWhiteSpace(line);
    const isText = !isBlank(text) && !text.startsWith("#") && !text.startsWith(">");
    if (isText) words.push(text);
    else if (words.length > 0) break;
  }
  return words.join(" ");
}

/** Line by line, without splitting a long body whose beginning is all that counts. A lone CR is no line break. */
function* linesOf(body: string): Generator<string> {
  for (let start = 0; start <= body.length; ) {
    const newline = body.indexOf("\n", start);
    const end = newline < 0 ? body.length : newline;
    yield body.slice(start, body[end - 1] === "\r" ? end - 1 : end);
    if (newline < 0) return;
    start = newline + 1;
  }
}
