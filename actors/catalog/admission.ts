/**
 * Does anything fit? A fixed floor for cosines is a property of one catalogue, and some functions are near to everything. So a cosine
 * counts by how far it lies above what the same function has with a bank of needs from everywhere, and words that are really there are
 * added: all of one and the same function.
 */
export interface Evidence {
  /** Deviations of the cosine above its mean over the background bank. */
  readonly normalised: number;
  /** Lexical score, 0 to 1. */
  readonly score: number;
  /** Part of the capability's terms, by rarity, that the document holds. */
  readonly coverage: number;
}

/** In deviations. */
const WEIGHTS = { score: 2.5, coverage: 1 } as const;

/** In deviations. Between the judged needs that nothing serves and those that something serves: see docs/quality.md. */
const ENOUGH = 4.05;

/** Where the words of a capability are the function's own, vectors have no say. */
const SAID = { score: 0.45, coverage: 0.66 } as const;

/** True when one of the documents fits well enough for the lane to be shown. */
export function admits(documents: readonly Evidence[]): boolean {
  return documents.some((document) => isSaid(document) || deviations(document) >= ENOUGH);
}

function isSaid({ score, coverage }: Evidence): boolean {
  return score >= SAID.score && coverage >= SAID.coverage;
}

function deviations({ normalised, score, coverage }: Evidence): number {
  return normalised + WEIGHTS.score * score + WEIGHTS.coverage * coverage;
}
