/** Deaths of model processes, and whether there are so many that starting more is pointless. */

/** More deaths than this within the window: degraded. The same intensity as for actors. */
const MOST_DEATHS = 5;
const WINDOW_MS = 60_000;
/** While degraded one task goes through so often. */
const PROBE_MS = 30_000;

export class CrashLoop {
  readonly #now: () => number;
  #deaths: number[] = [];
  /** Of the next probe; undefined: not degraded. */
  #probeAt: number | undefined;
  #recoveredAt = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  get isDegraded(): boolean {
    return this.#probeAt !== undefined;
  }

  died(): void {
    const now = this.#now();
    this.#deaths = [...this.#deaths.filter((at) => at > now - WINDOW_MS), now];
    const relapsed = this.#recoveredAt > now - WINDOW_MS;
    if (this.#deaths.length > MOST_DEATHS || this.isDegraded || relapsed) this.#probeAt = now + PROBE_MS;
  }

  /** A probe that came back ends the degradation at once; a death before a quiet minute begins it again. */
  served(): void {
    if (this.#probeAt === undefined) return;
    this.#probeAt = undefined;
    this.#recoveredAt = this.#now();
  }

  /** May a task be sent? While degraded, one each 30 s. */
  admits(): boolean {
    if (this.#probeAt === undefined) return true;
    if (this.#now() < this.#probeAt) return false;
    this.#probeAt = this.#now() + PROBE_MS;
    return true;
  }
}
