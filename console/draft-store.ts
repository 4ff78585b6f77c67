/** Where drafts are kept: the browser's local storage. */
import { type Draft, type Drafts, parseDraft } from "./drafts.js";

/** Storage can be off, full or forbidden: then there are no drafts, and everything else works. */
export class DraftStore implements Drafts {
  readonly #key: string;

  constructor(prefix: string) {
    this.#key = `${prefix}:draft`;
  }

  read(): Draft | undefined {
    try {
      return parseDraft(localStorage.getItem(this.#key));
    } catch {
      return undefined;
    }
  }

  apply(decision: Draft | "clear" | "keep"): boolean {
    try {
      if (decision === "clear") localStorage.removeItem(this.#key);
      else if (decision !== "keep") localStorage.setItem(this.#key, JSON.stringify(decision));
      return true;
    } catch {
      return false;
    }
  }
}
