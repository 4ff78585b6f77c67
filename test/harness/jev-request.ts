/** The form of a judging request, checked against the contract and not against the code that writes it. */

export type Corpus = "functions" | "skills" | "triggers";

export interface JevBody {
  readonly model: string;
  readonly state: { readonly capabilities: Readonly<Record<string, string>> } & Readonly<
    Partial<Record<Corpus, Readonly<Record<string, SentDocument>>>>
  >;
  readonly questions: Readonly<Record<string, Question>>;
}

export interface SentDocument {
  readonly function_id?: string;
  readonly skill_id?: string;
  readonly description: string;
  readonly parameter_names?: readonly string[];
}

export interface Question {
  readonly type: string;
  readonly instructions: string;
  readonly criteria: { readonly true: string; readonly false: string };
}

/** One question, with what it is about. */
export interface Pair {
  readonly question: string;
  readonly capability: string;
  /** Of a function or a skill; of a trigger its text, because its id isn't sent. */
  readonly id: string;
  readonly document: SentDocument;
}

const CORPORA: readonly Corpus[] = ["functions", "skills", "triggers"];
const FIELDS: Readonly<Record<Corpus, readonly string[]>> = {
  functions: ["description", "function_id", "parameter_names"],
  skills: ["description", "skill_id"],
  triggers: ["description"],
};

export const LIMITS = { body: 49_152, state: 16_384, documents: 16, capabilities: 6 } as const;

export function pairsOf({ state }: JevBody): { readonly corpus: Corpus; readonly pairs: Pair[] } {
  const corpus = CORPORA.find((name) => state[name] !== undefined) ?? "functions";
  const pairs = Object.entries(state.capabilities).flatMap(([c, capability]) =>
    Object.entries(state[corpus] ?? {}).map(([f, document]) => ({
      question: `${c}_${f}`,
      capability,
      id: document.function_id ?? document.skill_id ?? document.description,
      document,
    })),
  );
  return { corpus, pairs };
}

/** What is wrong with a request; undefined when nothing is. */
export function checkRequest(raw: string): string | undefined {
  const body = JSON.parse(raw) as JevBody;
  if (JSON.stringify(body) !== raw) return "the body isn't compact";
  if (Buffer.byteLength(raw) > LIMITS.body) return "the body is too large";
  if (!sameNames(body, ["model", "questions", "state"])) return "unexpected fields";
  const { state, questions } = body;
  const names = Object.keys(state).filter((name) => name !== "capabilities");
  const [corpus] = names;
  if (names.length !== 1 || !CORPORA.includes(corpus as Corpus)) return "not exactly one corpus";
  const { pairs } = pairsOf(body);
  if (!contiguous(state.capabilities, "c", LIMITS.capabilities)) return "capabilities aren't numbered from c0";
  if (!contiguous(state[corpus as Corpus] ?? {}, "f", LIMITS.documents)) return "documents aren't numbered from f0";
  if (pairs.some(({ document }) => !sameNames(document, FIELDS[corpus as Corpus]))) return "unexpected fields of a document";
  if (
    !sameNames(
      questions,
      pairs.map(({ question }) => question),
    )
  )
    return "questions aren't one for each pair";
  const largest = Math.max(...Object.values(questions).map((question) => Buffer.byteLength(JSON.stringify(question))));
  if (Buffer.byteLength(JSON.stringify(state)) + largest > LIMITS.state) return "the state is too large";
  const faulty = Object.entries(questions).find(([id, question]) => !isQuestion(id, corpus as Corpus, question));
  return faulty === undefined ? undefined : `question ${faulty[0]} is not well formed`;
}

function isQuestion(id: string, corpus: Corpus, { type, instructions, criteria }: Question): boolean {
  const [c, f] = id.split("_");
  const places = [`state.capabilities.${c} `, `state.${corpus}.${f} `].every((place) => instructions.includes(place));
  return type === "noul" && places && typeof criteria.true === "string" && typeof criteria.false === "string";
}

function contiguous(entries: object, letter: string, limit: number): boolean {
  const names = Object.keys(entries);
  return names.length > 0 && names.length <= limit && names.every((name, at) => name === `${letter}${at}`);
}

function sameNames(value: object, names: readonly string[]): boolean {
  return JSON.stringify(Object.keys(value).sort()) === JSON.stringify([...names].sort());
}
