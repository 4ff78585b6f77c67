/** The state of the actor: the generation that is live, and the indexes that follow it. */

import type { FunctionContract } from "./contract.js";
import { type CatalogFollower, difference, type Generation, makeGeneration, NOTHING_KNOWN } from "./generation.js";

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
  async publish(functions: Iterable<FunctionContract>): Promise<{ readonly added: number; readonly removed: number }> {
    const next = makeGeneration(functions);
    const { added, removed } = difference(this.#live, next);
    const commits = await Promise.all(this.#followers.map((follower) => follower.prepare(next, { added, removed })));
    for (const commit of commits) commit();
    this.#live = next;
    return { added: added.length, removed: removed.length };
  }
}
