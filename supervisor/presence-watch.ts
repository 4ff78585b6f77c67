/** Looks from time to time, and after each reconnect, whether the engine still sees us, and acts on what it sees. */
import type { Logger } from "../border/log.js";
import type { Presence } from "./presence.js";

/** A single look can be unlucky; a socket that two looks in a row got nothing out of is dead, though it may not know. */
const SILENT_LOOKS = 2;

export interface PresenceWatchOptions {
  readonly presence: Pick<Presence, "competitor" | "repair">;
  readonly ids: () => readonly string[];
  readonly onCompetitor: (reason: string) => void;
  readonly onSilence: () => void;
  readonly log: Logger;
}

export class PresenceWatch {
  readonly #options: PresenceWatchOptions;
  #silentLooks = 0;
  #looking: Promise<void> | undefined;

  constructor(options: PresenceWatchOptions) {
    this.#options = options;
  }

  /** One look at a time: whoever asks during one waits for it. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { presence, ids, onCompetitor, onSilence, log } = this.#options;
    try {
      const reason = await presence.competitor(ids());
      if (reason !== undefined) return onCompetitor(reason);
      await presence.repair();
      this.#silentLooks = 0;
    } catch (error) {
      log.debug({ err: error }, "the engine could not be asked about us");
      this.#silentLooks++;
      if (this.#silentLooks % SILENT_LOOKS === 0) onSilence();
    }
  }
}
