/** Keeps account of the bytes that connections leave with the engine: registrations, held frames, bindings that nobody owns. */
export class Ledger {
  readonly #perOwner: number;
  readonly #overall: number;
  readonly #accounts = new Map<string, { total: number; readonly items: Map<string, number> }>();
  #total = 0;

  constructor(perOwner: number, overall: number) {
    this.#perOwner = perOwner;
    this.#overall = overall;
  }

  get totalBytes(): number {
    return this.#total;
  }

  /** Books an item, in place of an earlier one with the same key. False, and nothing is booked, when a limit would be passed. */
  charge(owner: string, key: string, bytes: number): boolean {
    const account = this.#accounts.get(owner) ?? { total: 0, items: new Map<string, number>() };
    const difference = bytes - (account.items.get(key) ?? 0);
    if (account.total + difference > this.#perOwner || this.#total + difference > this.#overall) return false;
    account.items.set(key, bytes);
    account.total += difference;
    this.#total += difference;
    this.#accounts.set(owner, account);
    return true;
  }

  refund(owner: string, key: string): void {
    const account = this.#accounts.get(owner);
    const bytes = account?.items.get(key);
    if (account === undefined || bytes === undefined) return;
    account.items.delete(key);
    account.total -= bytes;
    this.#total -= bytes;
  }

  close(owner: string): void {
    this.#total -= this.#accounts.get(owner)?.total ?? 0;
    this.#accounts.delete(owner);
  }
}
