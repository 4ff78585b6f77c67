/** The skills section: documents on disk that say how a need is met. */
import { slimDescription } from "../../../domain/function-contract.js";
import { cutText } from "../../../domain/text.js";
import type { SkillSearchRow } from "../../../protocol/actors/fs.js";
import type { SkillMatch } from "../../../protocol/functions/search.js";
import type { SearchCall } from "../search-call.js";
import { rankSideSection, SIDE_DOCUMENT_BYTES } from "./pool.js";

export async function findSkills(call: SearchCall): Promise<SkillMatch[]> {
  if (call.lanes.texts.length === 0) return [];
  const { rows } = await call.peers.fs.searchRows({}, call.context);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const documents = rows.map((row) => ({ id: row.id, text: documentOf(row) }));
  const judged = documents.map(({ id, text }) => ({ id, description: text }));
  const ids = await rankSideSection(call, { corpus: "skills", documents, judged });
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ id, title: row.title, description: slimDescription(row.description) }];
  });
}

function documentOf({ title, description }: SkillSearchRow): string {
  return cutText(`${title}: ${description}`, SIDE_DOCUMENT_BYTES);
}
