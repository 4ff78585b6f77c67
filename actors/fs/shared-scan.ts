/**
 * A scan that begins now or later. A running one may have passed a file that was written since, so callers wait for the next; all of
 * them share it.
 */
export class SharedScan<Result> {
  readonly #scan: () => Promise<Result>;
  #running: Promise<Result> | undefined;
  #queued: Promise<Result> | undefined;

  constructor(scan: () => Promise<Result>) {
    this.#scan = scan;
  }

  run(): Promise<Result> {
    if (this.#queued !== undefined) return this.#queued;
    if (this.#running === undefined) return this.#begin();
    this.#queued = this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#queued;
  }

  #begin(): Promise<Result> {
    this.#queued = undefined;
    const scan = this.#scan().finally(() => {
      if (this.#running === scan) this.#running = undefined;
    });
    this.#running = scan;
    return scan;
  }
}
