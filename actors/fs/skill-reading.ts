/** `list`, `get` and `index`. */
import { notFound } from "../../domain/refusal.js";
import { normaliseId, resolveId } from "../../domain/skill-id.js";
import { wellFormed } from "../../domain/well-formed.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { GetSkillRequest, ListSkillsRequest, SkillDocument, SkillRow } from "../../protocol/functions/skills.js";
import { type Fallback, fallbackFor, fallbackNote } from "./fallback.js";
import { type SkillLibrary, type SkillView, shownId } from "./skill-library.js";
import type { SkillFile } from "./skill-scan.js";
import { similarIds } from "./suggestions.js";

export const LOOK_AROUND =
  "call directory::skills::list to see what there is; or call directory::skills::index to read the overviews.";

export async function listSkills(library: SkillLibrary, view: SkillView, request: ListSkillsRequest): Promise<SkillRow[]> {
  const { prefix, type, search } = request;
  const withDescription = request.include_description !== false;
  const candidates = typeof prefix === "string" ? view.visible.filter(({ id }) => id.startsWith(prefix)) : view.visible;
  const rows = await library.rows(candidates, view);
  const needle = search?.toLowerCase();
  return rows
    .filter((row) => typeof type !== "string" || row.type === type)
    .filter((row) => needle === undefined || searchedText(row, withDescription).some((text) => text.toLowerCase().includes(needle)))
    .map((row) => (withDescription ? row : { ...row, description: "" }))
    .map(wellFormed);
}

function searchedText({ id, title, description }: SkillRow, withDescription: boolean): string[] {
  return withDescription ? [id, title, description] : [id, title];
}

/** `installed` may be unknown; what nobody knows can't redirect. */
export async function getSkill(
  library: SkillLibrary,
  view: SkillView,
  { id: input, raw }: GetSkillRequest,
  installed: () => Promise<ReadonlySet<string> | undefined>,
): Promise<SkillDocument> {
  const id = normaliseId(input, LOOK_AROUND);
  const resolved = resolveId(id, (candidate) => view.byId.has(candidate));
  const skill = resolved === undefined ? undefined : view.byId.get(resolved);
  if (skill !== undefined) return wellFormed(await document(library, view, skill, raw === true));
  const fallback = fallbackFor(id, (await installed()) ?? new Set(), new Set(view.byId.keys()));
  const served = fallback?.id === undefined ? undefined : view.byId.get(fallback.id);
  if (fallback === undefined || served === undefined) throw missing(id, view, fallback);
  const overview = await document(library, view, served, raw === true);
  return wellFormed({ ...overview, body: fallbackNote(id, fallback) + overview.body });
}

async function document(library: SkillLibrary, view: SkillView, skill: SkillFile, raw: boolean): Promise<SkillDocument> {
  const { facts, parsed } = await library.look(skill);
  if (parsed.error !== undefined) throw parsed.error;
  const id = shownId(skill, view);
  return {
    id,
    title: parsed.fields.title || id,
    type: parsed.fields.type,
    function_id: parsed.fields.functionId,
    disable_model_invocation: parsed.fields.disableModelInvocation,
    path: skill.path,
    body: parsed.body,
    modified_at: facts?.modifiedAt ?? "",
    ...(raw ? { raw: parsed.text } : {}),
  };
}

function missing(id: string, view: SkillView, fallback: Fallback | undefined): DirectoryError {
  if (fallback?.kind === "engine") {
    const { worker } = fallback;
    return new DirectoryError(
      "D110",
      `not_found: there is no skill "${id}": the worker ${worker} is installed and has no pages. Next: call engine::workers::info { "name": "${worker}" } or engine::functions::list { "worker": "${worker}" } to see what it offers.`,
    );
  }
  const shown = similarIds(
    id,
    view.visible.map((skill) => skill.id),
  ).flatMap((candidate) => {
    const skill = view.byId.get(candidate);
    return skill === undefined ? [] : [shownId(skill, view)];
  });
  return notFound("D110", "skill", id, shown, [
    ["directory::skills::list", "see what there is"],
    ["directory::skills::index", "read the overviews"],
  ]);
}
