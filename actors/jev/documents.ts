/** What of a document leaves the machine, and in which order. The last line of defence: whatever a caller hands over, no more than this. */
import { slimDescription } from "../../domain/function-contract.js";
import { isExcludedFunction } from "../../domain/function-id.js";
import { compareBytes, cutText } from "../../domain/text.js";
import { wellFormedText } from "../../domain/well-formed.js";
import type { JudgedCorpus, JudgedDocument } from "../../protocol/actors/jev.js";

/** UTF-8 bytes of the text of a skill or a trigger. */
const TEXT_BYTES = 300;

export interface SentDocument {
  readonly id: string;
  /** Compact, well-formed. */
  readonly json: string;
  readonly bytes: number;
}

/** Functions in the order of their ids, without those that no search may show; skills and triggers as they come. */
export function sentDocuments(corpus: JudgedCorpus, documents: readonly JudgedDocument[]): SentDocument[] {
  const eligible = corpus === "functions" ? documents.filter(({ id }) => !isExcludedFunction(id)).sort(byId) : documents;
  return eligible.map((document) => {
    const json = JSON.stringify(FORMS[corpus](document));
    return { id: document.id, json, bytes: Buffer.byteLength(json) };
  });
}

const FORMS: Readonly<Record<JudgedCorpus, (document: JudgedDocument) => unknown>> = {
  functions: ({ id, description, parameterNames = [] }) => ({
    function_id: wellFormedText(id),
    description: wellFormedText(slimDescription(description)),
    parameter_names: parameterNames.map(wellFormedText).sort(compareBytes),
  }),
  skills: ({ id, description }) => ({ skill_id: wellFormedText(id), description: textOf(description) }),
  // The id of a trigger says nothing to a judge, and steers it.
  triggers: ({ description }) => ({ description: textOf(description) }),
};

function textOf(description: string): string {
  return wellFormedText(cutText(description, TEXT_BYTES));
}

function byId(left: JudgedDocument, right: JudgedDocument): number {
  return compareBytes(left.id, right.id);
}
