/** Work that reads, decides and writes: one piece of it at a time, in the order of the calls, so that no decision is made on old facts. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
