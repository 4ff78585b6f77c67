/** Holds the model that serves: starts it when it is first needed, and another in its place when a better one has arrived. */
import type { Logger } from "../../border/log.js";
import { DirectoryError } from "../../protocol/errors.js";
import { EmbeddingModel, type EmbeddingModelOptions } from "./embedding-model.js";
import type { ModelSource } from "./model-choice.js";

/** Time that calls under way get with a model that was replaced. */
const RETIRE_MS = 30_000;

export interface ModelHostOptions extends EmbeddingModelOptions {
  /** What may be loaded, best first. */
  readonly sources: () => Promise<readonly ModelSource[]>;
  readonly log: Logger;
  /** Called with the source that was passed over because it is damaged or doesn't work. */
  readonly onFault?: (source: ModelSource) => void;
}

export class ModelHost {
  readonly #options: ModelHostOptions;
  #model: EmbeddingModel | undefined;
  #starting: Promise<EmbeddingModel> | undefined;
  #reason: string | undefined;
  #closed = false;

  constructor(options: ModelHostOptions) {
    this.#options = options;
  }

  get model(): EmbeddingModel | undefined {
    return this.#model;
  }

  get isLoading(): boolean {
    return this.#starting !== undefined && this.#model === undefined && this.#reason === undefined;
  }

  /** Why there is none, after a start that failed. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** The model, started if need be. Rejects with `invalid_request` when there is none, and doesn't try a second time by itself. */
  get(): Promise<EmbeddingModel> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Looks at the sources again and takes the best. The old model serves until the new one is ready, and stays if none is. */
  async renew(): Promise<void> {
    const previous = this.#model;
    const next = this.#start();
    if (previous === undefined) this.#starting = next;
    const model = await next;
    this.#starting = Promise.resolve(model);
    if (previous !== undefined) retire(previous);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#model?.close();
  }

  async #start(): Promise<EmbeddingModel> {
    const { sources, log, onFault } = this.#options;
    const faults: string[] = [];
    for (const source of await sources()) {
      try {
        const model = await EmbeddingModel.start(source, this.#options);
        if (this.#closed) await model.close();
        log.info(
          { model: model.identity, origin: source.origin, processes: this.#options.processes },
          "the embedding model is ready",
        );
        this.#model = model;
        this.#reason = undefined;
        return model;
      } catch (error) {
        const line = `the ${source.origin} model in ${source.folder} cannot be used: ${(error as Error).message}`;
        log.warn(line);
        faults.push(line);
        onFault?.(source);
      }
    }
    this.#reason = faults.at(-1) ?? "there is no model";
    throw new DirectoryError("invalid_request", `no local model: ${this.#reason}`);
  }
}

function retire(model: EmbeddingModel): void {
  setTimeout(() => model.close().catch(() => {}), RETIRE_MS).unref();
}
