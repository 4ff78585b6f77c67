/**
 * Frontmatter that a family insists on: prompts and profiles without a readable block are refused when they are written and left out
 * when they are found. The parser is the one of every family; only its leniency is not used here.
 */
import { type Frontmatter, parseFrontmatter, splitFrontmatter } from "./frontmatter.js";
import { wellFormedText } from "./well-formed.js";

/** Why a content can't be served. The message is a sentence without a full stop. */
export class InvalidContent extends Error {
  override readonly name = "InvalidContent";
}

export interface Document {
  readonly frontmatter: Frontmatter;
  /** Byte for byte what follows the closing fence. */
  readonly body: string;
}

export function requireFrontmatter(text: string): Document {
  const { block, body } = splitFrontmatter(text);
  if (block === undefined || block === "") {
    throw new InvalidContent("missing YAML frontmatter: the first line must be ---, and another --- line must close the block");
  }
  const frontmatter = parseFrontmatter(block);
  if (frontmatter.fault !== undefined) {
    throw new InvalidContent(`the frontmatter is not valid YAML: line ${frontmatter.fault.line}: ${frontmatter.fault.reason}`);
  }
  return { frontmatter, body };
}

const NULL = /^(?:null|~|)$/;

/** The words of a scalar, whatever type YAML would give it; undefined when the key is absent or null. Not trimmed. */
export function scalarOf({ fields }: Frontmatter, key: string): string | undefined {
  const value = fields.get(key);
  if (value === undefined) return undefined;
  if (value.kind !== "scalar") throw new InvalidContent(`\`${key}\` must be one text, not a list or a map`);
  return value.plain && NULL.test(value.text) ? undefined : wellFormedText(value.text);
}

/** The entries of a list as they are written; none when the key is absent or null. Not trimmed. */
export function listOf({ fields }: Frontmatter, key: string): string[] {
  const value = fields.get(key);
  if (value === undefined || (value.kind === "scalar" && value.plain && NULL.test(value.text))) return [];
  if (value.kind !== "list") throw new InvalidContent(`\`${key}\` must be a list of texts`);
  return value.items.map((item) => {
    if (item.kind !== "scalar") throw new InvalidContent(`\`${key}\` must be a list of texts, and one of its entries is none`);
    return wellFormedText(item.text);
  });
}
