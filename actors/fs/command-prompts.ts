/** `directory::prompts::list` and `::get`: command prompts are written by hand and by downloads, never by callers. */
import { checkName } from "../../domain/content-name.js";
import { nearest } from "../../domain/nearest.js";
import { notFound } from "../../domain/refusal.js";
import { wellFormed } from "../../domain/well-formed.js";
import type { GetPromptRequest, PromptDocument, PromptRow } from "../../protocol/functions/prompts.js";
import type { PromptLibrary } from "./prompt-library.js";

const SUGGESTIONS = 3;

export async function listPrompts(library: PromptLibrary): Promise<PromptRow[]> {
  const { prompts } = await library.view();
  return prompts.map(({ name, description, facts }) => wellFormed({ name, description, modified_at: facts.modifiedAt }));
}

export async function getPrompt(library: PromptLibrary, { name }: GetPromptRequest): Promise<PromptDocument> {
  checkName("prompt name", name);
  const { prompts, byName } = await library.view();
  const served = byName.get(name);
  if (served === undefined) {
    const names = prompts.map((prompt) => prompt.name);
    // Callers of this older function look for the two words "not found".
    throw notFound("D210", "prompt", name, nearest(name, names, SUGGESTIONS), [
      ["directory::prompts::list", "see what there is instead of the name that was not found"],
    ]);
  }
  if (served.error !== undefined) throw served.error;
  const { description, body, facts } = served;
  return wellFormed({ name, description, body, modified_at: facts.modifiedAt });
}
