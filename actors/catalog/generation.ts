/**
 * What is published: all functions of one list of the engine. A generation is never changed, the next one takes its place, so whoever
 * ranks sees one list, whole.
 */
import { compareContracts, contractFingerprint, FingerprintHash } from "../../domain/function-contract.js";
import { namespaceOf } from "../../domain/function-id.js";
import { compareBytes } from "../../domain/text.js";
import { breathe } from "./breathe.js";
import type { FunctionContract } from "./contract.js";

export interface Generation {
  /** False in the one that stands before the engine has been read. */
  readonly known: boolean;
  /** Of the contracts, for session memory. Changes of text beyond the first sentence leave it as it is. */
  readonly fingerprint: string;
  /** By id, in byte order of the ids. */
  readonly contracts: ReadonlyMap<string, FunctionContract>;
  readonly namespaces: readonly string[];
}

/** How one generation differs from the one before. A function that changed in any of its texts is in both lists. */
export interface Difference {
  readonly removed: readonly string[];
  readonly added: readonly FunctionContract[];
}

/** Something that ranks and has to follow the catalog: an index, a matrix of vectors. */
export interface CatalogFollower {
  /**
   * Makes ready for the next generation, without showing it. What comes back is called with all others in one go with the
   * publication: it must be quick, and it isn't called when the preparation of another failed.
   */
  prepare(next: Generation, difference: Difference): Promise<() => void>;
}

export const NOTHING_KNOWN: Generation = {
  known: false,
  fingerprint: contractFingerprint([]),
  contracts: new Map(),
  namespaces: [],
};

/** Hashed and sorted in slices: at fifty thousand functions, all at once would hold up a search. */
export async function makeGeneration(contracts: readonly FunctionContract[]): Promise<Generation> {
  const sorted = [...contracts].sort(compareContracts);
  const hash = new FingerprintHash();
  const byId = new Map<string, FunctionContract>();
  const namespaces = new Set<string>();
  for (let begin = 0; begin < sorted.length; begin += SLICE) {
    const slice = sorted.slice(begin, begin + SLICE);
    hash.update(slice);
    for (const contract of slice) {
      byId.set(contract.functionId, contract);
      const namespace = namespaceOf(contract.functionId);
      if (namespace !== undefined) namespaces.add(namespace);
    }
    if (sorted.length > SLICE) await breathe();
  }
  return { known: true, fingerprint: hash.digest(), contracts: byId, namespaces: [...namespaces].sort(compareBytes) };
}

const SLICE = 4_000;

/** Contracts are compared as objects: whoever reads one again keeps the old object when every text is the same. */
export async function difference(before: Generation, after: Generation): Promise<Difference> {
  const removed: string[] = [];
  const added: FunctionContract[] = [];
  for (const [id, contract] of before.contracts) {
    if (after.contracts.get(id) !== contract) removed.push(id);
  }
  await breathe();
  for (const [id, contract] of after.contracts) {
    if (before.contracts.get(id) !== contract) added.push(contract);
  }
  return { removed, added };
}

/** True when these are the functions of the generation, in whatever order. */
export function isGeneration({ known, contracts }: Generation, functions: readonly FunctionContract[]): boolean {
  return known && contracts.size === functions.length && functions.every((each) => contracts.get(each.functionId) === each);
}
