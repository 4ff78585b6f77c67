/**
 * Vectors of texts: from the file, from what was embedded before, else from the model in the background. Whoever wants a vector is called
 * when it is there; nobody waits. Failures of the model are tried again with growing pauses, without end.
 */
import { join } from "node:path";
import type { Logger } from "../../../border/log.js";
import type { EmbedReply } from "../../../protocol/actors/embedding.js";
import type { Timer } from "../timer.js";
import type { BackgroundBank } from "./background-bank.js";
import { type EmbeddedText, keyOf } from "./embedded-text.js";
import { DIMENSIONS } from "./scan-memory.js";
import { type KeyedText, readVectorFile, writeVectorFile } from "./vector-file.js";

/** Texts a request: few enough that a text somebody waits for isn't far behind. */
const BATCH = 32;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;
/** Between the last embedded text and the writing of the file. */
const WRITE_AFTER_MS = 5_000;
/** Failures in a row before it is worth a line: an actor that starts again takes a moment. */
const QUIET_FAILURES = 4;
/** Vectors kept that nothing live uses: what comes back, or belongs to another worker with the same cache. */
const SPARE = 8_192;

export interface TextVectorsOptions {
  readonly embed: (texts: readonly string[]) => Promise<EmbedReply>;
  readonly bank: BackgroundBank;
  readonly directory: string;
  readonly timer: Timer;
  readonly random: () => number;
  readonly log: Logger;
}

export type Deliver = (embedded: EmbeddedText) => void;

/** What holds vectors of its own. */
export interface VectorHolder {
  /** All of its vectors are of another model from now on: it has to drop them, and to want them again. */
  restart(): void;
  /** What it holds, for the file. */
  held(): Iterable<KeyedText>;
  readonly size: number;
}

interface Wanted {
  readonly text: string;
  readonly deliver: Deliver[];
}

export class TextVectors {
  readonly #options: TextVectorsOptions;
  readonly #holders: VectorHolder[] = [];
  readonly #spare = new Map<string, EmbeddedText>();
  readonly #urgent = new Map<string, Wanted>();
  readonly #wanted = new Map<string, Wanted>();
  #model: string | undefined;
  #on = false;
  #working: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failures = 0;
  #dirty = false;
  #cancelPause: (() => void) | undefined;
  #cancelWrite: (() => void) | undefined;

  constructor(options: TextVectorsOptions) {
    this.#options = options;
  }

  /** Identity of the model whose vectors these are; undefined until one has answered. */
  get model(): string | undefined {
    return this.#on ? this.#model : undefined;
  }

  /** True while the model answers: then it is worth waiting for a vector for a moment. */
  get isServing(): boolean {
    return this.model !== undefined && this.#failures === 0;
  }

  /** Texts that still have to be embedded. */
  get backlog(): number {
    return this.#urgent.size + this.#wanted.size;
  }

  addHolder(holder: VectorHolder): void {
    this.#holders.push(holder);
  }

  switch(on: boolean): void {
    this.#on = on;
    if (on) this.#work();
    else this.#cancelPause?.();
  }

  /** A query of this model was seen: if it isn't ours, the model has changed behind our back. */
  noticeModel(model: string): void {
    if (this.#model !== undefined && this.#model !== model && this.#failures === 0) this.#work({ ask: true });
  }

  /** Calls `deliver` now when the vector is there, else some time later. `urgent`: somebody waits. */
  want(text: string, deliver: Deliver, { urgent = false, key = keyOf(text) }: { urgent?: boolean; key?: string } = {}): void {
    const known = this.#spare.get(key);
    if (known !== undefined) {
      deliver(known);
      return;
    }
    const wanted = this.#urgent.get(key) ?? this.#wanted.get(key) ?? { text, deliver: [] };
    wanted.deliver.push(deliver);
    if (urgent) this.#wanted.delete(key);
    if (urgent) this.#urgent.set(key, wanted);
    else if (!this.#urgent.has(key)) this.#wanted.set(key, wanted);
    this.#work();
  }

  /** Nothing wants this text any more. */
  forget(key: string): void {
    this.#wanted.delete(key);
  }

  peek(key: string): EmbeddedText | undefined {
    const known = this.#spare.get(key);
    // The least recently used one goes first.
    if (known !== undefined) this.keep(key, known);
    return known;
  }

  /** The vector is now with a holder. */
  release(key: string): void {
    this.#spare.delete(key);
  }

  keep(key: string, embedded: EmbeddedText): void {
    this.#spare.delete(key);
    this.#spare.set(key, embedded);
  }

  /** Writes what isn't written yet, and does nothing more. */
  async close(): Promise<void> {
    this.switch(false);
    this.#cancelWrite?.();
    await this.#working;
    await this.#write();
  }

  #work({ ask = false } = {}): void {
    if (!this.#on || this.#working !== undefined) return;
    if (!ask && this.#model !== undefined && this.backlog === 0) return;
    this.#working = this.#workOff(ask).finally(() => {
      this.#working = undefined;
      // What was wanted between the last look and now.
      if (this.backlog > 0) this.#work();
    });
  }

  async #workOff(ask: boolean): Promise<void> {
    let unanswered = ask;
    while (this.#on && (unanswered || this.#model === undefined || this.backlog > 0)) {
      try {
        await this.#embedSome();
        unanswered = false;
        this.#failures = 0;
      } catch (error) {
        await this.#pause(error);
      }
    }
  }

  async #embedSome(): Promise<void> {
    const batch = this.#model === undefined ? [] : this.#nextBatch();
    const reply = await this.#options.embed(batch.map(([, { text }]) => text));
    if (reply.model !== this.#model) {
      await this.#adopt(reply.model);
      return;
    }
    for (const [at, [key, wanted]] of batch.entries()) {
      const vector = reply.vectors.slice(at * DIMENSIONS, (at + 1) * DIMENSIONS);
      this.#deliver(key, wanted, this.#options.bank.measure(vector));
    }
    this.#trim();
    if (batch.length > 0) this.#planWrite();
  }

  #nextBatch(): [string, Wanted][] {
    const batch = [...take(this.#urgent, BATCH)];
    return [...batch, ...take(this.#wanted, BATCH - batch.length)];
  }

  #deliver(key: string, { deliver }: Wanted, embedded: EmbeddedText): void {
    if (!this.#urgent.has(key) && !this.#wanted.has(key)) return;
    this.#urgent.delete(key);
    this.#wanted.delete(key);
    this.keep(key, embedded);
    for (const each of deliver) each(embedded);
  }

  /** Vectors of different models can't be compared: from here on everything is of this one. */
  async #adopt(model: string): Promise<void> {
    this.#model = undefined;
    this.#dirty = false;
    this.#spare.clear();
    for (const holder of this.#holders) holder.restart();
    const { bank, log } = this.#options;
    try {
      await readVectorFile(this.#path(model), { model, bank: bank.identity }, (key, embedded) => this.#spare.set(key, embedded));
    } catch (error) {
      log.debug({ err: error }, "the file of vectors could not be read: texts are embedded again");
    }
    this.#model = model;
    for (const [key, wanted] of [...this.#urgent, ...this.#wanted]) {
      const known = this.#spare.get(key);
      if (known !== undefined) this.#deliver(key, wanted, known);
    }
  }

  async #pause(error: unknown): Promise<void> {
    this.#failures++;
    const { log, timer, random } = this.#options;
    const level = this.#failures === QUIET_FAILURES ? "warn" : "debug";
    log[level](
      { err: error, attempt: this.#failures },
      "texts could not be embedded, trying on: terms alone rank what has no vector",
    );
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 20)) * (0.75 + 0.5 * random());
    await new Promise<void>((resolve) => {
      const cancel = timer(ms, resolve);
      this.#cancelPause = () => {
        cancel();
        resolve();
      };
    });
  }

  #trim(): void {
    const live = this.#holders.reduce((sum, { size }) => sum + size, 0);
    const most = Math.max(SPARE, live);
    for (const key of this.#spare.keys()) {
      if (this.#spare.size <= most) return;
      this.#spare.delete(key);
    }
  }

  #planWrite(): void {
    this.#dirty = true;
    this.#cancelWrite?.();
    this.#cancelWrite = this.#options.timer(WRITE_AFTER_MS, () => void this.#write());
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNow());
    return this.#writing;
  }

  async #writeNow(): Promise<void> {
    const model = this.#model;
    if (!this.#dirty || model === undefined) return;
    this.#dirty = false;
    try {
      await writeVectorFile(this.#path(model), { model, bank: this.#options.bank.identity }, this.#all());
    } catch (error) {
      this.#dirty = true;
      this.#options.log.warn({ err: error }, "the vectors could not be written: the next start embeds them again");
    }
  }

  *#all(): Generator<KeyedText> {
    yield* this.#spare;
    for (const holder of this.#holders) yield* holder.held();
  }

  #path(model: string): string {
    return join(
      this.#options.directory,
      `vectors-${keyOf(model)
        .replace(/[^A-Za-z0-9]/g, "")
        .slice(0, 16)}.bin`,
    );
  }
}

function* take(wanted: ReadonlyMap<string, Wanted>, most: number): Generator<[string, Wanted]> {
  let taken = 0;
  for (const entry of wanted) {
    if (taken++ >= most) return;
    yield entry;
  }
}
