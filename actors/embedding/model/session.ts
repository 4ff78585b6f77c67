/**
 * One network of onnxruntime in this thread. `run` computes in the thread that calls it and can't be interrupted, so nothing here may be
 * used in a thread that has something else to do.
 *
 * The runtime is a native addon and imported when the first network is loaded: where there is none for the platform, only that fails.
 */
import type { InferenceSession } from "onnxruntime-node";
import type { Encoded } from "./tokens.js";

export class Session {
  readonly #runtime: typeof import("onnxruntime-node");
  readonly #session: InferenceSession;

  private constructor(runtime: typeof import("onnxruntime-node"), session: InferenceSession) {
    this.#runtime = runtime;
    this.#session = session;
  }

  /** One processor a network: the pool is what uses the processors, and it knows how many there are. */
  static async load(modelFile: string): Promise<Session> {
    const runtime = await import("onnxruntime-node");
    const options = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: "sequential" } as const;
    return new Session(runtime, await runtime.InferenceSession.create(modelFile, { ...options, graphOptimizationLevel: "all" }));
  }

  /** The first output for rows of tokens, padded to the longest of them; the mask keeps the padding out of the attention. */
  async run(rows: readonly Pick<Encoded, "ids" | "segments">[]): Promise<{ data: Float32Array; width: number }> {
    const width = Math.max(...rows.map(({ ids }) => ids.length));
    const [ids, mask, segments] = [0, 1, 2].map(() => new BigInt64Array(rows.length * width)) as [
      BigInt64Array,
      BigInt64Array,
      BigInt64Array,
    ];
    for (const [row, encoded] of rows.entries()) {
      for (const [at, id] of encoded.ids.entries()) {
        ids[row * width + at] = BigInt(id);
        mask[row * width + at] = 1n;
        segments[row * width + at] = BigInt(encoded.segments?.[at] ?? 0);
      }
    }
    const tensor = (data: BigInt64Array) => new this.#runtime.Tensor("int64", data, [rows.length, width]);
    const inputs = { input_ids: tensor(ids), attention_mask: tensor(mask), token_type_ids: tensor(segments) };
    const output = await this.#session.run(Object.fromEntries(this.#session.inputNames.map((name) => [name, pick(inputs, name)])));
    const [first] = this.#session.outputNames;
    const tensorOut = first === undefined ? undefined : output[first];
    if (!(tensorOut?.data instanceof Float32Array)) throw new Error("the network has no float32 output");
    return { data: tensorOut.data, width };
  }

  async release(): Promise<void> {
    await this.#session.release();
  }
}

function pick<Value>(inputs: Readonly<Record<string, Value>>, name: string): Value {
  const value = inputs[name];
  if (value === undefined) throw new Error(`the network wants an input ${name}, which no text has`);
  return value;
}
