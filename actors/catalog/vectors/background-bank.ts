/**
 * A bank of needs from everywhere, as vectors that the package carries. What a document's cosine to a query is worth depends on how near
 * the document is to needs in general: some are near to everything.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddedText } from "./embedded-text.js";
import { DIMENSIONS, ScanMemory } from "./scan-memory.js";

export class BackgroundBank {
  /** Changes with its content: what was computed over another bank can't be used. */
  readonly identity: string;
  readonly #memory: ScanMemory;
  readonly #size: number;

  /** `bytes`: little-endian floats, one row a need. */
  constructor(bytes: Uint8Array) {
    const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    this.#size = Math.floor(floats.length / DIMENSIONS);
    this.#memory = new ScanMemory(this.#size);
    for (let row = 0; row < this.#size; row++) this.#memory.set(row, floats.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS));
    this.identity = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  }

  static ofPackage(packageRoot: string): BackgroundBank {
    return new BackgroundBank(readFileSync(join(packageRoot, "models", "background", "vectors.bin")));
  }

  /** `vector` is of unit length, or zeros: then its deviation is zero too. */
  measure(vector: Float32Array): EmbeddedText {
    const cosines = this.#memory.scan(vector, this.#size);
    let sum = 0;
    for (const cosine of cosines) sum += cosine;
    const mean = this.#size === 0 ? 0 : sum / this.#size;
    let squares = 0;
    for (const cosine of cosines) squares += (cosine - mean) ** 2;
    return { vector, mean, deviation: this.#size === 0 ? 0 : Math.sqrt(squares / this.#size) };
  }
}
