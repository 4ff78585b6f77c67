/** The judged cases: what they may say, and what has to agree. A case that contradicts itself measures nothing. */
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { type Static, Type } from "typebox";

const Strict = { additionalProperties: false } as const;

const Qrel = Type.Object(
  {
    acceptable_ids: Type.Array(Type.String()),
    /** One of each group is wanted. */
    required_groups: Type.Array(Type.Array(Type.String(), { minItems: 1 })),
    expect_empty: Type.Boolean(),
  },
  Strict,
);

const Case = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    split: Type.Union([Type.Literal("calibration"), Type.Literal("holdout")]),
    tags: Type.Array(Type.String()),
    source: Type.String(),
    capabilities: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 18, uniqueItems: true }),
    qrels: Type.Array(Qrel),
    /** In place of the catalogue's own. */
    description_overrides: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  Strict,
);

export type Qrel = Static<typeof Qrel>;
export type JudgedCase = Static<typeof Case>;

const validate = new Ajv({ allErrors: false }).compile<JudgedCase>(Case);

/** Throws a line that names the case and what is wrong with it. */
export function checkCase(given: unknown, known: ReadonlySet<string>): JudgedCase {
  const id = (given as { id?: unknown } | null)?.id;
  const fault = validate(given)
    ? contradiction(given, known)
    : `${validate.errors?.[0]?.instancePath} ${validate.errors?.[0]?.message}`;
  if (fault !== undefined) throw new Error(`case ${JSON.stringify(id)}: ${fault}`);
  return given as JudgedCase;
}

function contradiction(
  { capabilities, qrels, description_overrides = {} }: JudgedCase,
  known: ReadonlySet<string>,
): string | undefined {
  if (qrels.length !== capabilities.length) return `${capabilities.length} capabilities and ${qrels.length} qrels`;
  const named = [...qrels.flatMap(({ acceptable_ids }) => acceptable_ids), ...Object.keys(description_overrides)];
  const unknown = named.find((id) => !known.has(id));
  if (unknown !== undefined) return `${unknown} isn't in the catalogue`;
  for (const { acceptable_ids, required_groups, expect_empty } of qrels) {
    if (expect_empty !== (acceptable_ids.length === 0 && required_groups.length === 0)) return "expect_empty contradicts the ids";
    if (required_groups.flat().some((id) => !acceptable_ids.includes(id))) return "a required id isn't acceptable";
  }
  return undefined;
}

export function readCases(path: string, known: ReadonlySet<string>): JudgedCase[] {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => checkCase(JSON.parse(line), known));
}

/** Longer searches out of shorter ones: capabilities and their judgements side by side, each once. */
export function joinCases(id: string, cases: readonly JudgedCase[], limit: number): JudgedCase {
  const lanes = new Map<string, Qrel>();
  for (const { capabilities, qrels } of cases) {
    capabilities.forEach((capability, at) => {
      const qrel = qrels[at];
      if (qrel !== undefined && !lanes.has(capability) && lanes.size < limit) lanes.set(capability, qrel);
    });
  }
  return {
    id,
    split: cases.some(({ split }) => split === "holdout") ? "holdout" : "calibration",
    tags: ["joined"],
    source: cases.map((each) => each.id).join(", "),
    capabilities: [...lanes.keys()],
    qrels: [...lanes.values()],
  };
}
