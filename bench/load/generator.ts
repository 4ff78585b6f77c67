/**
 * Synthetic catalogues of any size, the same for the same seed, and needs that somebody might search them for. Words follow the skew of real
 * catalogues: few domains and verbs are everywhere, and the made names of products grow with the catalogue, so an index does too.
 */
import type { Registered } from "../../test/harness/catalogue.js";
import { ARGUMENTS, CIRCUMSTANCES, DOMAINS, type Domain, FURTHER, type Noun, SYLLABLES, VERBS, type Verb } from "./vocabulary.js";

export interface Synthetic extends Registered {
  readonly description: string;
  readonly parameters: object;
}

/** A company's worker has about so many functions. */
const FUNCTIONS_A_WORKER = 14;

/** The first functions of a larger catalogue are those of a smaller one with the same seed. */
export function generate(size: number, seed = 1): Synthetic[] {
  const random = numbers(seed);
  const functions: Synthetic[] = [];
  const taken = new Set<string>();
  while (functions.length < size) {
    const product = productOf(random);
    const domain = skewed(DOMAINS, random);
    const count = 1 + Math.floor(random() * 2 * FUNCTIONS_A_WORKER);
    for (let each = 0; each < count; each++) {
      const made = synthesise(product, domain, random);
      if (taken.has(made.id)) continue;
      taken.add(made.id);
      functions.push(made);
    }
  }
  return functions.slice(0, size);
}

/** Needs in the words of somebody who doesn't know the names; `seed` other than that of the catalogue. */
export function needs(count: number, seed = 2): string[] {
  const random = numbers(seed);
  return Array.from({ length: count }, () => {
    const verb = skewed(VERBS, random);
    const [name, called] = pick(pick(DOMAINS, random).objects, random);
    const object = random() < 0.6 ? name : called;
    const circumstance = random() < 0.5 ? ` ${pick(CIRCUMSTANCES, random)}` : "";
    return `${random() < 0.5 ? verb.name : verb.asked} ${object}${circumstance}`;
  });
}

function synthesise(product: string, domain: Domain, random: () => number): Synthetic {
  const verb = skewed(VERBS, random);
  const object = pick(domain.objects, random);
  const circumstance = pick(CIRCUMSTANCES, random);
  const variant = random() < 0.4 ? `_${circumstance.split(" ").at(-1)}` : "";
  return {
    id: `${product}-${domain.name}::${object[0]}::${verb.name}${variant}`,
    description: describe(verb, object, circumstance, product, random),
    parameters: parametersOf(object, random),
  };
}

function describe(verb: Verb, [name, called]: Noun, circumstance: string, product: string, random: () => number): string {
  const brand = product.charAt(0).toUpperCase() + product.slice(1);
  const first = `${verb.does} ${article(name)} ${name} ${circumstance}${random() < 0.4 ? ` in ${brand}` : ""}.`;
  const second = random() < 0.5 ? ` Use it to ${verb.asked} ${article(called)} ${called}.` : "";
  const third = random() < 0.7 ? ` ${pick(FURTHER, random)}` : "";
  return first + second + third;
}

function parametersOf([name]: Noun, random: () => number): object {
  const count = 1 + Math.floor(random() * 5);
  const chosen = Array.from({ length: count }, () => skewed(ARGUMENTS, random));
  const described = chosen.map(([argument, description]) => [argument, { type: "string", description }] as const);
  const properties = {
    [`${name}_id`]: { type: "string", description: `Which ${name} is meant.` },
    ...Object.fromEntries(described),
  };
  return { type: "object", properties, required: [`${name}_id`] };
}

/** Two to four syllables. */
function productOf(random: () => number): string {
  const count = 2 + Math.floor(random() * 3);
  return Array.from({ length: count }, () => pick(SYLLABLES, random)).join("");
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? "an" : "a";
}

function pick<Value>(from: readonly Value[], random: () => number): Value {
  return from[Math.floor(random() * from.length)] as Value;
}

/** The first ones often, the last ones seldom. */
function skewed<Value>(from: readonly Value[], random: () => number): Value {
  return from[Math.floor(random() ** 2 * from.length)] as Value;
}

/** Between 0 and 1, the same for the same seed: a xorshift, good enough for texts. */
export function numbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
