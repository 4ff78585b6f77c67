/** Units by quantity, each as a factor to the base unit of its quantity; temperatures have a shift too. */

interface Unit {
  readonly factor: number;
  readonly shift?: number;
}

export const QUANTITIES: Readonly<Record<string, Readonly<Record<string, Unit>>>> = {
  length: {
    mm: { factor: 0.001 },
    cm: { factor: 0.01 },
    m: { factor: 1 },
    km: { factor: 1000 },
    in: { factor: 0.0254 },
    ft: { factor: 0.3048 },
    yd: { factor: 0.9144 },
    mi: { factor: 1609.344 },
    nmi: { factor: 1852 },
  },
  mass: {
    mg: { factor: 1e-6 },
    g: { factor: 0.001 },
    kg: { factor: 1 },
    t: { factor: 1000 },
    oz: { factor: 0.028349523125 },
    lb: { factor: 0.45359237 },
  },
  volume: {
    ml: { factor: 0.001 },
    l: { factor: 1 },
    m3: { factor: 1000 },
    tsp: { factor: 0.00492892159375 },
    tbsp: { factor: 0.01478676478125 },
    cup: { factor: 0.2365882365 },
    pint: { factor: 0.473176473 },
    gal: { factor: 3.785411784 },
  },
  time: {
    ms: { factor: 0.001 },
    s: { factor: 1 },
    min: { factor: 60 },
    h: { factor: 3600 },
    day: { factor: 86_400 },
    week: { factor: 604_800 },
  },
  temperature: { C: { factor: 1, shift: 273.15 }, K: { factor: 1 }, F: { factor: 5 / 9, shift: 459.67 * (5 / 9) } },
  area: {
    m2: { factor: 1 },
    km2: { factor: 1e6 },
    ha: { factor: 10_000 },
    acre: { factor: 4046.8564224 },
    ft2: { factor: 0.09290304 },
  },
  speed: { "m/s": { factor: 1 }, "km/h": { factor: 1 / 3.6 }, mph: { factor: 0.44704 }, kn: { factor: 1852 / 3600 } },
  data: {
    bit: { factor: 0.125 },
    B: { factor: 1 },
    kB: { factor: 1e3 },
    MB: { factor: 1e6 },
    GB: { factor: 1e9 },
    KiB: { factor: 1024 },
    MiB: { factor: 1024 ** 2 },
    GiB: { factor: 1024 ** 3 },
  },
};

export interface Conversion {
  readonly value: number;
  readonly quantity: string;
}

export function convert(value: number, from: string, to: string): Conversion {
  for (const [quantity, units] of Object.entries(QUANTITIES)) {
    const source = Object.hasOwn(units, from) ? units[from] : undefined;
    if (source === undefined) continue;
    const target = Object.hasOwn(units, to) ? units[to] : undefined;
    if (target === undefined)
      throw new Error(`invalid_request: ${from} is a ${quantity}; it converts to ${Object.keys(units).join(", ")}`);
    const base = value * source.factor + (source.shift ?? 0);
    return { value: significant((base - (target.shift ?? 0)) / target.factor), quantity };
  }
  throw new Error(`invalid_request: there is no unit ${JSON.stringify(from)}; calc::list-units has them all`);
}

/** Twelve digits: what lies behind them is an artefact of binary fractions. */
export function significant(value: number): number {
  if (!Number.isFinite(value)) throw new Error("undefined_result: the result is not a finite number");
  return Number(value.toPrecision(12));
}
