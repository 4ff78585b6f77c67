/** A catalogue and the cases judged over it, read and checked. A case that names what isn't there measures nothing. */
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { type Static, Type } from "typebox";
import { isExcludedFunction } from "../../domain/function-id.js";
import type { Registered } from "../../test/harness/catalogue.js";

/** One line of a catalogue. What else it says is left aside. */
const CatalogueLine = Type.Object({
  name: Type.String({ minLength: 1 }),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  parameters: Type.Optional(Type.Unknown()),
  response: Type.Optional(Type.Unknown()),
  worker: Type.Optional(Type.String()),
});

const Qrel = Type.Object({
  function_id: Type.String({ minLength: 1 }),
  grade: Type.Integer({ minimum: 1, maximum: 3 }),
  /** Places of the capabilities that it serves; absent: of the only one. */
  covers: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }))),
});

const Case = Type.Object({
  id: Type.String({ minLength: 1 }),
  kind: Type.Union([Type.Literal("match"), Type.Literal("multi"), Type.Literal("no_match")]),
  capabilities: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 18 }),
  qrels: Type.Array(Qrel),
});

export type JudgedCase = Static<typeof Case>;

const ajv = new Ajv();
const isLine = ajv.compile<Static<typeof CatalogueLine>>(CatalogueLine);
const isCase = ajv.compile<JudgedCase>(Case);

/** JSON Lines, a function each: `{ name, description?, parameters?, response?, worker? }`. Throws a readable line. */
export function readCatalogue(path: string): Registered[] {
  const functions = readLines(path).map(({ value, line }) => {
    if (!isLine(value)) throw new Error(`${path}, line ${line}: ${fault(isLine.errors)}`);
    const { name, description, parameters, response, worker } = value;
    return {
      id: name,
      ...(typeof description === "string" ? { description } : {}),
      ...(parameters === undefined ? {} : { parameters }),
      ...(response === undefined ? {} : { response }),
      ...(worker === undefined ? {} : { worker }),
    };
  });
  const ids = functions.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`${path}: ${twice} is there twice`);
  if (functions.length === 0) throw new Error(`${path}: there is no function in it`);
  return functions;
}

/** JSON Lines, a case each, over the functions of `catalogue`. Throws a readable line. */
export function readJudgedCases(path: string, catalogue: readonly Registered[]): JudgedCase[] {
  const known = new Set(catalogue.map(({ id }) => id).filter((id) => !isExcludedFunction(id)));
  const cases = readLines(path).map(({ value, line }) => {
    if (!isCase(value)) throw new Error(`${path}, line ${line}: ${fault(isCase.errors)}`);
    const wrong = contradiction(value, known);
    if (wrong !== undefined) throw new Error(`${path}, case ${value.id}: ${wrong}`);
    return value;
  });
  if (cases.length === 0) throw new Error(`${path}: there is no case in it`);
  return cases;
}

function contradiction({ kind, capabilities, qrels }: JudgedCase, known: ReadonlySet<string>): string | undefined {
  const unknown = qrels.find(({ function_id }) => !known.has(function_id));
  if (unknown !== undefined) return `${unknown.function_id} isn't among the functions that can be found`;
  if ((kind === "no_match") !== (qrels.length === 0)) return `a case of kind ${kind} with ${qrels.length} judgements`;
  if (kind !== "multi") return undefined;
  const covered = new Set(qrels.flatMap(({ covers = [0] }) => covers));
  const bare = capabilities.findIndex((_, at) => !covered.has(at));
  return bare < 0 ? undefined : `no judgement covers capability ${bare}`;
}

function readLines(path: string): { readonly value: unknown; readonly line: number }[] {
  return readText(path)
    .split("\n")
    .map((text, at) => ({ text: text.trim(), line: at + 1 }))
    .filter(({ text }) => text !== "")
    .map(({ text, line }) => {
      try {
        return { value: JSON.parse(text) as unknown, line };
      } catch (error) {
        throw new Error(`${path}, line ${line}: not JSON: ${(error as Error).message}`);
      }
    });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}`);
  }
}

function fault(errors: Ajv["errors"]): string {
  const [first] = errors ?? [];
  return `${first?.instancePath ?? ""} ${first?.message ?? "not as it should be"}`.trim();
}
