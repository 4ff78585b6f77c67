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
export function eligibleDocuments(corpus: JudgedCorpus, documents: readonly JudgedDocument[]): readonly JudgedDocument[] {
  if (corpus !== "functions") return documents;
  return inOrder(
    documents.filter(({ id }) => !isExcludedFunction(id)),
    byId,
  );
}

/** More documents than these are forgotten in one go; the next search writes its own again. */
const KEPT = 50_000;

/** Documents in the form in which they are sent. One search after another sends the same ones, so they are kept. */
export class SentDocuments {
  readonly #kept = new Map<string, { readonly from: JudgedDocument; readonly sent: SentDocument }>();

  of(corpus: JudgedCorpus, documents: readonly JudgedDocument[]): SentDocument[] {
    if (this.#kept.size > KEPT) this.#kept.clear();
    return eligibleDocuments(corpus, documents).map((document) => {
      const name = `${corpus} ${document.id}`;
      const known = this.#kept.get(name);
      if (known !== undefined && isSame(known.from, document)) return known.sent;
      const sent = write(corpus, document);
      this.#kept.set(name, { from: document, sent });
      return sent;
    });
  }
}

function write(corpus: JudgedCorpus, document: JudgedDocument): SentDocument {
  const json = wellFormedJson(FORMS[corpus](document));
  return { id: document.id, json, bytes: Buffer.byteLength(json) };
}

function isSame(left: JudgedDocument, right: JudgedDocument): boolean {
  const [these = [], those = []] = [left.parameterNames, right.parameterNames];
  return left.description === right.description && these.length === those.length && these.every((name, at) => name === those[at]);
}

const FORMS: Readonly<Record<JudgedCorpus, (document: JudgedDocument) => object>> = {
  functions: ({ id, description, parameterNames = [] }) => ({
    function_id: id,
    description: slimDescription(description),
    parameter_names: inOrder(parameterNames, compareBytes),
  }),
  skills: ({ id, description }) => ({ skill_id: id, description: cutText(description, TEXT_BYTES) }),
  // The id of a trigger says nothing to a judge, and steers it.
  triggers: ({ description }) => ({ description: cutText(description, TEXT_BYTES) }),
};

/** Compact JSON with U+FFFD for half surrogate pairs, which JSON alone would write as escapes that some parsers refuse. */
export function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value);
  // Rare, and dear to look for in every text; the escape is quickly found.
  if (!json.includes("\\ud")) return json;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "string" ? wellFormedText(part) : part));
}

/** Mostly they are in order already. */
function inOrder<Item>(items: readonly Item[], compare: (left: Item, right: Item) => number): readonly Item[] {
  const ordered = items.every((item, at) => at === 0 || compare(items[at - 1] as Item, item) <= 0);
  return ordered ? items : [...items].sort(compare);
}

function byId(left: JudgedDocument, right: JudgedDocument): number {
  return compareBytes(left.id, right.id);
}
