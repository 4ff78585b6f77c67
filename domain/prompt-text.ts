/** What a prompt file says: system prompts and command prompts have the same form. */
import { InvalidContent, requireFrontmatter, scalarOf } from "./strict-fields.js";
import { trimWhiteSpace } from "./text.js";

export interface PromptText {
  /** As declared; undefined: the file's stem is the name. It may be invalid. */
  readonly name: string | undefined;
  readonly description: string;
  readonly body: string;
}

/** Throws InvalidContent. */
export function readPrompt(text: string): PromptText {
  const { frontmatter, body } = requireFrontmatter(text);
  const description = trimWhiteSpace(scalarOf(frontmatter, "description") ?? "");
  if (description === "") throw new InvalidContent("the frontmatter needs a non-empty `description`");
  const name = trimWhiteSpace(scalarOf(frontmatter, "name") ?? "");
  return { name: name === "" ? undefined : name, description, body };
}
