/** Embedded documents by id: rows of a matrix that is scanned as a whole. A row that goes is filled by the last one. */
import type { EmbeddedText } from "./embedded-text.js";
import { ScanMemory } from "./scan-memory.js";

export class VectorMatrix {
  readonly #memory = new ScanMemory();
  readonly #rows = new Map<string, number>();
  readonly #ids: string[] = [];
  readonly #means: number[] = [];
  readonly #deviations: number[] = [];

  get size(): number {
    return this.#ids.length;
  }

  /** By row, as the cosines of a scan. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  row(id: string): number | undefined {
    return this.#rows.get(id);
  }

  /** Deviations that a cosine lies above what this row has with just anything. */
  normalised(row: number, cosine: number): number {
    const deviation = this.#deviations[row] ?? 0;
    return deviation > 0 ? (cosine - (this.#means[row] ?? 0)) / deviation : 0;
  }

  get(id: string): EmbeddedText | undefined {
    const row = this.#rows.get(id);
    if (row === undefined) return undefined;
    return { vector: this.#memory.get(row), mean: this.#means[row] ?? 0, deviation: this.#deviations[row] ?? 0 };
  }

  set(id: string, { vector, mean, deviation }: EmbeddedText): void {
    const row = this.#rows.get(id) ?? this.#ids.length;
    this.#memory.set(row, vector);
    this.#rows.set(id, row);
    this.#ids[row] = id;
    this.#means[row] = mean;
    this.#deviations[row] = deviation;
  }

  delete(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    const last = this.#ids.length - 1;
    const moved = this.#ids[last] as string;
    this.#memory.copy(last, row);
    this.#ids[row] = moved;
    this.#means[row] = this.#means[last] as number;
    this.#deviations[row] = this.#deviations[last] as number;
    this.#rows.set(moved, row);
    this.#rows.delete(id);
    this.#ids.pop();
    this.#means.pop();
    this.#deviations.pop();
  }

  /** One cosine a row. */
  cosines(query: Float32Array): Float32Array {
    return this.#memory.scan(query, this.#ids.length);
  }
}
