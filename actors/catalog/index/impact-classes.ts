import type { ImpactModel } from "./impact-model.js";

interface ImpactClass {
  readonly frequencies: readonly number[];
  readonly lengths: readonly number[];
  readonly siblings: Map<number | string, number>;
  readonly key: number | string;
  readonly lengthsKey: string;
  postings: number;
}

/** The impact classes in use, numbered densely, with the saturation of each under the current averages. */
export class ImpactClasses {
  readonly #model: ImpactModel;
  readonly #classes: (ImpactClass | undefined)[] = [];
  readonly #free: number[] = [];
  /** By lengths, then by frequencies: a document looks its lengths up once. */
  readonly #byLengths = new Map<string, Map<number | string, number>>();
  #saturations = new Float64Array(64);
  #averages: readonly number[] | undefined;

  constructor(model: ImpactModel) {
    this.#model = model;
  }

  get size(): number {
    return this.#classes.length - this.#free.length;
  }

  /** Gives the classes of one document: call the result once for each of its terms. */
  forDocument(lengths: readonly number[]): (frequencies: readonly number[]) => number {
    const lengthsKey = lengths.join(",");
    let siblings = this.#byLengths.get(lengthsKey);
    if (siblings === undefined) {
      siblings = new Map();
      this.#byLengths.set(lengthsKey, siblings);
    }
    const known = siblings;
    return (frequencies) => {
      const key = frequencies.length === 1 ? (frequencies[0] as number) : frequencies.join(",");
      const number = known.get(key) ?? this.#make({ frequencies, lengths, siblings: known, key, lengthsKey, postings: 0 });
      (this.#classes[number] as ImpactClass).postings++;
      return number;
    };
  }

  release(number: number): void {
    const released = this.#classes[number] as ImpactClass;
    if (--released.postings > 0) return;
    released.siblings.delete(released.key);
    if (released.siblings.size === 0) this.#byLengths.delete(released.lengthsKey);
    this.#classes[number] = undefined;
    this.#free.push(number);
  }

  /** Saturation by class number. Valid until the next change. */
  saturations(averages: readonly number[]): Float64Array {
    if (this.#averages === averages) return this.#saturations;
    if (this.#saturations.length < this.#classes.length) this.#saturations = new Float64Array(this.#classes.length * 2);
    for (const [number, impactClass] of this.#classes.entries()) {
      if (impactClass === undefined) continue;
      this.#saturations[number] = this.#model.saturation(impactClass.frequencies, impactClass.lengths, averages);
    }
    this.#averages = averages;
    return this.#saturations;
  }

  #make(made: ImpactClass): number {
    const number = this.#free.pop() ?? this.#classes.length;
    this.#classes[number] = made;
    made.siblings.set(made.key, number);
    this.#averages = undefined;
    return number;
  }
}
