/** Holds the reranker: starts it when it is first wanted, and says why there is none. Nothing else depends on it. */
import type { Logger } from "../../border/log.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { ModelSource } from "./model-choice.js";
import { Reranker, type RerankerOptions } from "./reranker.js";

export interface RerankerHostOptions extends RerankerOptions {
  /** Where its files would be; undefined when local models are off. */
  readonly source: () => ModelSource | undefined;
  readonly log: Logger;
}

export class RerankerHost {
  readonly #options: RerankerHostOptions;
  #starting: Promise<Reranker> | undefined;

  constructor(options: RerankerHostOptions) {
    this.#options = options;
  }

  /** Rejects with `invalid_request` when its files aren't there or are damaged, and says so in the log once. */
  get(): Promise<Reranker> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Gives its memory back. The next who wants it looks at the files again. */
  async reset(): Promise<void> {
    const previous = this.#starting;
    this.#starting = undefined;
    await previous?.then(
      (reranker) => reranker.close(),
      () => {},
    );
  }

  async #start(): Promise<Reranker> {
    const { source, log } = this.#options;
    try {
      const found = source();
      if (found === undefined) throw new Error("local models are off (function_search_model_path is null)");
      return await Reranker.start(found, this.#options);
    } catch (error) {
      const line = `there is no reranker: ${(error as Error).message}`;
      log.warn(`${line}. Searches are ranked without it`);
      throw new DirectoryError("invalid_request", line);
    }
  }
}
