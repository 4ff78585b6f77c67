/**
 * What this worker wrote itself. It is known by what the write left behind, inode, size and times, and not by the path alone: however
 * many events a write gives, they are ours, and somebody else's edit right after it is not.
 */
import type { OwnWrite } from "../../protocol/actors/watcher.js";

const KEPT_MS = 5_000;

interface Kept {
  /** Undefined: the file was removed. */
  readonly identity: string | undefined;
  readonly until: number;
}

export class OwnWrites {
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(writes: readonly OwnWrite[]): void {
    const until = this.#now() + KEPT_MS;
    for (const [path, { until: end }] of this.#kept) if (end <= this.#now()) this.#kept.delete(path);
    for (const { path, identity } of writes) this.#kept.set(path, { identity, until });
  }

  /** Whether a file that looks like this now is what we left. */
  isOwn(path: string, identity: string | undefined): boolean {
    const kept = this.#kept.get(path);
    return kept !== undefined && kept.until > this.#now() && kept.identity === identity;
  }
}
