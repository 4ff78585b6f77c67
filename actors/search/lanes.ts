/** From capabilities to lanes: each prepared capability that isn't intrinsic is ranked for itself. */
import { isIntrinsic, prepareCapability } from "../../domain/capability.js";

/** Capabilities that share a budget of results. */
export const BATCH_SIZE = 6;

/** A batch is a run of lanes: `lanes.slice(begin, end)`. */
export interface Batch {
  readonly begin: number;
  readonly end: number;
}

export interface Lanes {
  readonly texts: readonly string[];
  /** Without those that hold no lane. */
  readonly batches: readonly Batch[];
}

/** Batches are cut before intrinsic capabilities are taken out, so one that is ignored moves no other into another batch. */
export function prepareLanes(searched: readonly string[]): Lanes {
  const texts: string[] = [];
  const batches: Batch[] = [];
  for (let at = 0; at < searched.length; at += BATCH_SIZE) {
    const begin = texts.length;
    texts.push(
      ...searched
        .slice(at, at + BATCH_SIZE)
        .map(prepareCapability)
        .filter((text) => !isIntrinsic(text)),
    );
    if (texts.length > begin) batches.push({ begin, end: texts.length });
  }
  return { texts, batches };
}
