/** The state of the actor: the generation that is live, and the indexes that follow it. */

import type { FunctionContract } from "./contract.js";
import { type CatalogFollower, difference, type Generation, isGeneration, makeGeneration, NOTHING_KNOWN } from "./generation.js";

export class Catalog {
  readonly #followers: readonly CatalogFollower[];
  #live: Generation = NOTHING_KNOWN;

  constructor(followers: readonly CatalogFollower[]) {
    this.#followers = followers;
  }

  get live(): Generation {
    return this.#live;
  }

  /**
   * Makes the functions the live generation. Publications must not overlap. Nothing of the new generation is visible before the
   * promise settles, and all of it afterwards.
   */
  async publish(functions: readonly FunctionContract[]): Promise<{ readonly added: number; readonly removed: number }> {
    if (isGeneration(this.#live, functions)) return { added: 0, removed: 0 };
    const next = await makeGeneration(functions);
    const changes = await difference(this.#live, next);
    const commits = await Promise.all(this.#followers.map((follower) => follower.prepare(next, changes)));
    for (const commit of commits) commit();
    this.#live = next;
    return { added: changes.added.length, removed: changes.removed.length };
  }
}
