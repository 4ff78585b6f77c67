/** The model in this thread: what a model process does, without a pool. For benches, research and comparisons. */
import { dirname } from "node:path";
import { type BatchLimits, cutBatches } from "./batches.js";
import { DIMENSIONS, poolRows } from "./pooling.js";
import { Session } from "./session.js";
import { type Encoded, Tokens } from "./tokens.js";

const LIMITS: BatchLimits = { rows: 8, tokens: 1_024 };

export class Encoder {
  readonly tokens: Tokens;
  readonly #session: Session;

  private constructor(tokens: Tokens, session: Session) {
    this.tokens = tokens;
    this.#session = session;
  }

  /** `tokenizerFolder`: by default the folder of the model file. */
  static async load(modelFile: string, tokenizerFolder: string = dirname(modelFile)): Promise<Encoder> {
    return new Encoder(new Tokens(tokenizerFolder), await Session.load(modelFile));
  }

  /** One row of `DIMENSIONS` a text, in the order of the texts, also for texts that the model can't read. */
  async embed(texts: readonly string[]): Promise<Float32Array> {
    const encoded = texts.map((text) => this.tokens.encode(text));
    const vectors = new Float32Array(texts.length * DIMENSIONS);
    for (const batch of cutBatches(
      encoded.map(({ ids }) => ids.length),
      LIMITS,
    )) {
      const rows = batch.map((at) => encoded[at]).filter((row) => row !== undefined);
      const pooled = await this.embedTokens(rows);
      for (const [row, at] of batch.entries()) {
        vectors.set(pooled.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS), at * DIMENSIONS);
      }
    }
    return vectors;
  }

  /** One batch, as it is. */
  async embedTokens(rows: readonly Pick<Encoded, "ids">[]): Promise<Float32Array> {
    const { data, width } = await this.#session.run(rows);
    return poolRows(
      data,
      width,
      rows.map(({ ids }) => ids.length),
    );
  }

  async release(): Promise<void> {
    await this.#session.release();
  }
}
