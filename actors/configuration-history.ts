/**
 * The configurations an actor knows. The supervisor hands over each new one before any call that names it, and a call keeps the one
 * it came in with, on its way through every actor: a reload never mixes two configurations in one answer.
 */
import { concealed } from "../domain/concealed.js";
import type { CallContext } from "../protocol/call.js";
import type { Configuration, ConfigurationSnapshot } from "../protocol/configuration.js";

/** Reloads that may happen while one call is under way. */
const KEPT = 256;

export class ConfigurationHistory {
  readonly #snapshots = new Map<number, ConfigurationSnapshot>();
  readonly #listeners: ((next: Readonly<Configuration>, previous: Readonly<Configuration>) => void)[] = [];
  #newest: ConfigurationSnapshot;

  constructor(first: ConfigurationSnapshot) {
    this.#newest = { ...first, values: concealed(first.values) };
    this.#snapshots.set(first.generation, this.#newest);
  }

  /** For work outside any call. */
  get current(): Readonly<Configuration> {
    return this.#newest.values;
  }

  /** The configuration of a call; the current one when the call names none. */
  of(context: CallContext): Readonly<Configuration> {
    return context.configuration === undefined ? this.current : (this.#snapshots.get(context.configuration) ?? this.#newest).values;
  }

  /** Called after each reload, in the order of the reloads. */
  onChange(listener: (next: Readonly<Configuration>, previous: Readonly<Configuration>) => void): void {
    this.#listeners.push(listener);
  }

  add(given: ConfigurationSnapshot): void {
    const previous = this.#newest;
    if (given.generation <= previous.generation) return;
    const snapshot = { ...given, values: concealed(given.values) };
    this.#newest = snapshot;
    this.#snapshots.set(snapshot.generation, snapshot);
    for (const generation of this.#snapshots.keys()) {
      if (this.#snapshots.size <= KEPT) break;
      this.#snapshots.delete(generation);
    }
    for (const listener of this.#listeners) listener(snapshot.values, previous.values);
  }
}
