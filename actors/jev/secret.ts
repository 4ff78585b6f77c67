/** A text that no log, error or dump can show by accident: it has to be asked for by name. */
import { inspect } from "node:util";

const REDACTED = "[REDACTED]";

export class Secret {
  readonly #value: string;

  private constructor(value: string) {
    this.#value = value;
  }

  /** Undefined when there is nothing but white space. */
  static of(value: string | null | undefined): Secret | undefined {
    const trimmed = value?.trim() ?? "";
    return trimmed === "" ? undefined : new Secret(trimmed);
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
