/**
 * What a term is worth in a document, apart from how rare it is. It depends on the document alone: how often the term occurs in each
 * field, and how long the fields are beside a typical length that is fixed here. So a change of one document changes nothing about the
 * others, and an index kept up to date equals one built afresh. Average lengths of the catalogue, which is what BM25 usually takes,
 * ranked no better on the judged sets.
 */
export interface Field {
  /** Of one occurrence, beside one in a field of weight 1. */
  readonly weight: number;
  /** Terms in a typical document: a longer field dilutes what is found in it. */
  readonly typicalLength: number;
  /** Occurrences of one term that count: where a text is written to be found, repeating a word should gain nothing. */
  readonly mostOccurrences?: number;
}

/** Saturation of repeated terms, and share of an impact that depends on the length of the field. */
export const K1 = 1.2;
const B = 0.5;

/** The most that any number of occurrences is worth. */
export const HIGHEST_IMPACT = K1 + 1;

/**
 * BM25F: occurrences are weighed and summed over the fields before they saturate, so a term in three fields is worth less than three
 * terms in one each. Between 0 and `HIGHEST_IMPACT`.
 * @param frequencies occurrences of the term, a field each
 * @param lengths terms in the document, a field each
 */
export function impact(fields: readonly Field[], frequencies: readonly number[], lengths: readonly number[]): number {
  let occurrences = 0;
  for (const [at, { weight, typicalLength, mostOccurrences = Number.POSITIVE_INFINITY }] of fields.entries()) {
    const frequency = frequencies[at] ?? 0;
    if (frequency > 0)
      occurrences += (weight * Math.min(frequency, mostOccurrences)) / (1 - B + (B * (lengths[at] ?? 0)) / typicalLength);
  }
  return (occurrences * (K1 + 1)) / (occurrences + K1);
}

/** Rarity of a term: documents in all, documents that hold it. Always positive. */
export function inverseDocumentFrequency(documents: number, holding: number): number {
  return Math.log((documents - holding + 0.5) / (holding + 0.5) + 1);
}
