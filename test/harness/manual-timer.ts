/** Time that passes when a test says so. */
export class ManualTimer {
  #now = 0;
  #next = 0;
  readonly #due = new Map<number, { readonly at: number; readonly callback: () => void }>();

  /** Milliseconds of the timers that wait, in the order in which they are due. */
  get waiting(): number[] {
    return [...this.#due.values()].map(({ at }) => at - this.#now).sort((left, right) => left - right);
  }

  readonly set = (ms: number, callback: () => void): (() => void) => {
    const number = this.#next++;
    this.#due.set(number, { at: this.#now + ms, callback });
    return () => this.#due.delete(number);
  };

  /** Lets so many milliseconds pass, and everything that follows from each timer happen. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let first = this.#first(end); first !== undefined; first = this.#first(end)) {
      const [number, { at, callback }] = first;
      this.#due.delete(number);
      this.#now = at;
      callback();
      await settle();
    }
    this.#now = end;
  }

  #first(end: number): [number, { readonly at: number; readonly callback: () => void }] | undefined {
    return [...this.#due].filter(([, { at }]) => at <= end).sort(([, left], [, right]) => left.at - right.at)[0];
  }
}

/** Lets promises and immediates that are ready run, and those that follow from them. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}
