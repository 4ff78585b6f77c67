/**
 * What a term is worth in a document, apart from how rare it is. It depends on a few small integers (how often the term occurs in each
 * field, how long the fields are) and on the average lengths, so equal postings share an *impact class*: the index stores the number of
 * the class, and a change of the averages means computing some hundred classes again, not a million postings.
 */
export interface ImpactModel {
  /** Number of fields a document has. */
  readonly fields: number;
  /**
   * Not negative, growing with each frequency.
   * @param frequencies occurrences of the term, a field each
   * @param lengths terms in the document, a field each
   * @param averages mean length over all documents, a field each; 0 where every document has an empty field
   */
  saturation(frequencies: readonly number[], lengths: readonly number[], averages: readonly number[]): number;
}

const K1 = 1.2;
const B = 0.75;

/** Classic BM25 over one field, in the form with the factor `k1 + 1`. */
export const BM25: ImpactModel = {
  fields: 1,
  saturation([frequency = 0], [length = 0], [average = 0]) {
    return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / average));
  },
};

/** Rarity of a term: documents in all, documents that hold it. Always positive. */
export function inverseDocumentFrequency(documents: number, holding: number): number {
  return Math.log((documents - holding + 0.5) / (holding + 0.5) + 1);
}
