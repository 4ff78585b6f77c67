/**
 * A growing matrix of unit vectors in the memory of a WebAssembly module, which multiplies it with a query four components at a time.
 *
 *     │ query │ scores of one block │ row 0 │ row 1 │ ...        the matrix is at the end, so it grows in place
 */
import { SCAN } from "./scan-binary.js";

export const DIMENSIONS = 384;
const ROW_BYTES = DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
/** Rows a call of the module: bounds the space for scores. */
const BLOCK_ROWS = 4_096;
const QUERY_AT = 0;
const SCORES_AT = ROW_BYTES;
const MATRIX_AT = SCORES_AT + BLOCK_ROWS * Float32Array.BYTES_PER_ELEMENT;
const PAGE_BYTES = 65_536;
const MOST_PAGES = 65_536;

type Scan = (query: number, row: number, rows: number, scores: number) => void;

let compiled: WebAssembly.Module | undefined;

export class ScanMemory {
  readonly #memory: WebAssembly.Memory;
  readonly #scan: Scan;
  #floats: Float32Array;

  constructor(rows = 0) {
    compiled ??= new WebAssembly.Module(SCAN);
    this.#memory = new WebAssembly.Memory({ initial: pagesFor(rows), maximum: MOST_PAGES });
    const instance = new WebAssembly.Instance(compiled, { scan: { memory: this.#memory } });
    this.#scan = instance.exports["scan"] as Scan;
    this.#floats = new Float32Array(this.#memory.buffer);
  }

  set(row: number, vector: Float32Array): void {
    this.#reserve(row + 1);
    this.#floats.set(vector, floatOf(row));
  }

  /** A copy. */
  get(row: number): Float32Array {
    return this.#floats.slice(floatOf(row), floatOf(row) + DIMENSIONS);
  }

  copy(from: number, to: number): void {
    this.#floats.copyWithin(floatOf(to), floatOf(from), floatOf(from) + DIMENSIONS);
  }

  /** One cosine for each of the first `rows` rows. */
  scan(query: Float32Array, rows: number): Float32Array {
    this.#floats.set(query, QUERY_AT / Float32Array.BYTES_PER_ELEMENT);
    const scores = new Float32Array(rows);
    const scoresAt = SCORES_AT / Float32Array.BYTES_PER_ELEMENT;
    for (let begin = 0; begin < rows; begin += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, rows - begin);
      this.#scan(QUERY_AT, MATRIX_AT + begin * ROW_BYTES, count, SCORES_AT);
      scores.set(this.#floats.subarray(scoresAt, scoresAt + count), begin);
    }
    return scores;
  }

  #reserve(rows: number): void {
    const missing = pagesFor(rows) - this.#memory.buffer.byteLength / PAGE_BYTES;
    if (missing <= 0) return;
    // By half of what there is, so that filling a large matrix moves it only a few times.
    const spare = Math.ceil(this.#memory.buffer.byteLength / PAGE_BYTES / 2);
    const room = MOST_PAGES - this.#memory.buffer.byteLength / PAGE_BYTES;
    this.#memory.grow(Math.max(missing, Math.min(spare, room)));
    this.#floats = new Float32Array(this.#memory.buffer);
  }
}

function pagesFor(rows: number): number {
  return Math.ceil((MATRIX_AT + rows * ROW_BYTES) / PAGE_BYTES);
}

function floatOf(row: number): number {
  return (MATRIX_AT + row * ROW_BYTES) / Float32Array.BYTES_PER_ELEMENT;
}
