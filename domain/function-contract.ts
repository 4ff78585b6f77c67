/** The slim form of a function's contract: what identifies it, what session memory depends on, and what is searched. */
import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical-json.js";
import { compareBytes, cutText, isWhiteSpace } from "./text.js";

/** UTF-8 bytes of a description in an answer. */
export const SLIM_DESCRIPTION_BYTES = 160;

/** Of the first line, the first sentence, at most 160 bytes. A text that begins with a line break has an empty first line. */
export function slimDescription(description: string): string {
  const newline = description.indexOf("\n");
  const line = newline < 0 ? description : description.slice(0, newline).replace(/\r$/, "");
  return cutText(line.slice(0, sentenceEnd(line)), SLIM_DESCRIPTION_BYTES);
}

/** Behind the first `.`, `?` or `!` that white space or nothing follows: `v1.2` goes on. */
function sentenceEnd(line: string): number {
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character !== "." && character !== "?" && character !== "!") continue;
    if (at + 1 === line.length || isWhiteSpace(line.charCodeAt(at + 1))) return at + 1;
  }
  return line.length;
}

/** Names of the arguments, top level only, in byte order. */
export function parameterNames(schema: unknown): string[] {
  const properties = isObject(schema) ? schema["properties"] : undefined;
  return isObject(properties) ? Object.keys(properties).sort(compareBytes) : [];
}

/** `<id> <slim description> <argument> <argument> ...`: what terms, vectors and rerankers see alike. */
export function searchableText(functionId: string, description: string, parameters: readonly string[]): string {
  const slim = slimDescription(description);
  return [functionId, slim, ...parameters].filter((part, at) => at === 0 || part !== "").join(" ");
}

/** One function in canonical JSON. Types of arguments, nested fields and later sentences leave it unchanged. */
export function canonicalContract(functionId: string, description: string, schema: unknown): string {
  const name = JSON.stringify(functionId);
  const slim = JSON.stringify(slimDescription(description));
  return `{"name":${name},"description":${slim},"parameters":${canonicalJson(slimParameters(schema))}}`;
}

function slimParameters(schema: unknown): Record<string, unknown> {
  const source = isObject(schema) ? schema : {};
  const { properties, required } = source;
  return {
    type: "object",
    ...(isObject(properties) ? { properties: Object.fromEntries(Object.keys(properties).map((key) => [key, {}])) } : {}),
    ...(Array.isArray(required) ? { required } : {}),
  };
}

/** A canonical contract with its id; the caller has left out what is excluded from search. */
export interface CanonicalContract {
  readonly functionId: string;
  readonly canonical: string;
}

/** Order of the contracts in a fingerprint. */
export function compareContracts(left: CanonicalContract, right: CanonicalContract): number {
  return compareBytes(left.functionId, right.functionId) || compareBytes(left.canonical, right.canonical);
}

/** Lower-case hex SHA-256 over all contracts, for who can't spare the time to hash tens of thousands in one go. */
export class FingerprintHash {
  readonly #hash = createHash("sha256").update("[");
  #separator = "";

  /** Contracts must come in their order, in parts of any size. */
  update(contracts: readonly CanonicalContract[]): void {
    if (contracts.length === 0) return;
    this.#hash.update(this.#separator + contracts.map((contract) => contract.canonical).join(","));
    this.#separator = ",";
  }

  digest(): string {
    return this.#hash.update("]").digest("hex");
  }
}

export function contractFingerprint(contracts: Iterable<CanonicalContract>): string {
  const hash = new FingerprintHash();
  hash.update([...contracts].sort(compareContracts));
  return hash.digest();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
