/** Catalogues of any size, made from the frozen one by recombination: the same in every run. */
import { readFileSync } from "node:fs";
import { frozenFunctions, type Registered } from "../test/harness/catalogue.js";
import { sharedFile } from "../test/harness/shared.js";

/**
 * The frozen catalogue, followed by crossings: the id of one function under a namespace of its own, the beginning of its description
 * with the end of another's, the arguments of both.
 */
export function synthesise(size: number): Registered[] {
  const frozen = frozenFunctions();
  const random = splitmix(size);
  const functions = frozen.slice(0, size);
  for (let at = functions.length; at < size; at++) {
    const one = frozen[at % frozen.length] as Registered;
    const other = frozen[Math.floor(random() * frozen.length)] as Registered;
    functions.push(cross(one, other, Math.floor(at / frozen.length)));
  }
  return functions;
}

function cross(one: Registered, other: Registered, generation: number): Registered {
  const [namespace = "", ...rest] = one.id.split("::");
  const head = (one.description ?? "").split(" ");
  const tail = (other.description ?? "").split(" ");
  const words = [...head.slice(0, Math.ceil(head.length / 2)), ...tail.slice(Math.ceil(tail.length / 2))];
  return {
    id: [`${namespace}${generation}`, ...rest].join("::"),
    description: words.join(" "),
    parameters: { type: "object", properties: { ...propertiesOf(one), ...propertiesOf(other) } },
  };
}

function propertiesOf({ parameters }: Registered): Record<string, unknown> {
  return (parameters as { properties?: Record<string, unknown> }).properties ?? {};
}

/** Numbers between 0 and 1, the same for the same seed. */
function splitmix(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** The capabilities of the judged cases, one at a time. */
export function capabilities(): string[] {
  const cases = readFileSync(sharedFile("bench-data", "iii_qrels.jsonl"), "utf8").trim().split("\n");
  return cases.flatMap((line) => (JSON.parse(line) as { capabilities: string[] }).capabilities);
}
