/** Answers for the judge of the tests. */
import { tokenize } from "../../domain/tokenizer.js";
import type { Pair } from "./jev-request.js";
import type { JevAnswer, JevPolicy } from "./jev-server.js";

export const constant =
  (score: number): JevPolicy =>
  () => ({ score });

export const byCorpus =
  (answers: Readonly<Partial<Record<"functions" | "skills" | "triggers", JevAnswer>>>): JevPolicy =>
  ({ corpus }) =>
    answers[corpus] ?? {};

export const byPair =
  (score: (capability: string, id: string) => number): JevPolicy =>
  () => ({ score: ({ capability, id }) => score(capability, id) });

/** By the first document of a request. */
export const byFirstId =
  (answers: Readonly<Record<string, JevAnswer>>, otherwise: JevAnswer = {}): JevPolicy =>
  ({ firstId }) =>
    answers[firstId] ?? otherwise;

export const failing =
  (status: number, body = ""): JevPolicy =>
  () => ({ status, body });

/** How a service behaves that takes a while for a request and a little for each question. */
export const slowService =
  (baseMs: number, perQuestionMs: number, policy: JevPolicy = constant(0)): JevPolicy =>
  async (request) => ({ ...(await policy(request)), delayMs: baseMs + perQuestionMs * request.pairs.length });

const SYNONYMS: readonly (readonly string[])[] = [
  ["send", "deliver", "dispatch", "post"],
  ["mail", "email", "message", "letter"],
  ["read", "get", "fetch", "load", "retrieve"],
  ["write", "set", "store", "save", "put"],
  ["delete", "remove", "drop", "erase"],
  ["list", "find", "search", "browse"],
  ["run", "execute", "start", "launch"],
  ["create", "make", "add", "open", "new"],
];

/** For demonstrations: words that both sides share. It exercises the plumbing and says nothing about how well a real judge judges. */
export const plausible: JevPolicy = () => ({ score: overlap });

function overlap({ capability, id, document }: Pair): number {
  const wanted = new Set(tokenize(capability).map(general));
  const offered = new Set(tokenize([id, document.description, ...(document.parameter_names ?? [])].join(" ")).map(general));
  const shared = [...wanted].filter((term) => offered.has(term)).length;
  return wanted.size === 0 ? 0 : Math.round((shared / wanted.size) * 100) / 100;
}

function general(term: string): string {
  return SYNONYMS.find((group) => group.includes(term))?.[0] ?? term;
}
