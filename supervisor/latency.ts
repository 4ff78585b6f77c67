/** How long the calls of each method took lately, for the status: a ring of the last answers, read as percentiles when asked. */

export interface MethodLatency {
  readonly calls: number;
  /** Milliseconds over the last `KEPT` calls. */
  readonly p50: number;
  readonly p95: number;
}

const KEPT = 256;

interface Ring {
  calls: number;
  readonly times: Float64Array;
}

export class LatencyRecord {
  readonly #rings = new Map<string, Ring>();

  add(method: string, milliseconds: number): void {
    let ring = this.#rings.get(method);
    if (ring === undefined) {
      ring = { calls: 0, times: new Float64Array(KEPT) };
      this.#rings.set(method, ring);
    }
    ring.times[ring.calls % KEPT] = milliseconds;
    ring.calls++;
  }

  summary(): Record<string, MethodLatency> {
    return Object.fromEntries(
      [...this.#rings].map(([method, { calls, times }]) => {
        const sorted = times.slice(0, Math.min(calls, KEPT)).sort();
        const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
        return [method, { calls, p50: at(0.5), p95: at(0.95) }];
      }),
    );
  }
}
