/**
 * What the engine says about functions, whatever shape it says it in. Engines and their proxies differ: a list comes bare or wrapped,
 * its entries as ids or as objects, and a contract names its schema in three ways.
 */
import { DirectoryError } from "../../protocol/errors.js";

export interface ListedFunction {
  readonly functionId: string;
  /** Empty when the list doesn't say. */
  readonly worker: string;
  /** Namespace of the engine, not the one of the id; empty: the default one. */
  readonly engineNamespace: string;
  readonly description: string;
  /** JSON; empty when the list has none. */
  readonly metadata: string;
}

/** Throws when the answer isn't a list of functions. */
export function readList(answer: unknown): ListedFunction[] {
  const rows = Array.isArray(answer) ? answer : arrayIn(answer, "functions", "items");
  if (rows === undefined) throw unreadable("the list of functions has none of the known shapes");
  return rows.map(readRow);
}

function readRow(row: unknown): ListedFunction {
  if (typeof row === "string" && row !== "") {
    return { functionId: row, worker: "", engineNamespace: "", description: "", metadata: "" };
  }
  const functionId = idOf(row);
  if (functionId === undefined) throw unreadable("the list of functions has an entry without an id");
  const entry = row as Readonly<Record<string, unknown>>;
  const engineNamespace = text(entry["namespace"]);
  return {
    functionId,
    worker: text(entry["worker_name"]),
    engineNamespace: engineNamespace === "default" ? "" : engineNamespace,
    description: text(entry["description"]),
    metadata: entry["metadata"] === undefined ? "" : JSON.stringify(entry["metadata"]),
  };
}

/** False: what the list says about the function has changed, so its contract has to be read again. */
export function saysTheSame(left: ListedFunction, right: ListedFunction): boolean {
  return left.worker === right.worker && left.description === right.description && left.metadata === right.metadata;
}

export interface FunctionInfo {
  readonly description: string;
  readonly worker: string;
  readonly requestSchema: unknown;
  readonly responseSchema: unknown;
}

/** `hidden`: nobody may see the function. `absent`: it was listed, but at the moment of the answer it wasn't there. */
export type InfoAnswer = FunctionInfo | "hidden" | "absent";

/** By id; an id without an entry got no answer. Throws when the answer as a whole has not the known shape. */
export function readInfo(answer: unknown): Map<string, InfoAnswer> {
  const rows = arrayIn(answer, "functions");
  if (rows === undefined) throw unreadable("the answer about functions has no list of them");
  const found = new Map<string, InfoAnswer>();
  for (const row of rows) {
    const functionId = idOf(row);
    if (functionId !== undefined) found.set(functionId, info(row as Readonly<Record<string, unknown>>));
  }
  return found;
}

function info(row: Readonly<Record<string, unknown>>): InfoAnswer {
  if ("error" in row) return row["error"] === "not_found" ? "absent" : "hidden";
  const metadata = row["metadata"];
  if (isObject(metadata) && metadata["internal"] === true) return "hidden";
  return {
    description: text(row["description"]),
    worker: text(row["worker_name"]),
    requestSchema: row["parameters"] ?? row["request_format"] ?? row["request_schema"] ?? { type: "object" },
    responseSchema: row["response_format"] ?? row["response_schema"],
  };
}

/** Descriptions of workers by name; nothing from an answer of an unknown shape, because they are an extra. */
export function readWorkers(answer: unknown): Map<string, string> {
  const described = new Map<string, string>();
  for (const row of arrayIn(answer, "workers", "items") ?? []) {
    if (!isObject(row)) continue;
    const [name, description] = [text(row["name"]), text(row["description"])];
    if (name !== "" && description !== "") described.set(name, description);
  }
  return described;
}

function idOf(row: unknown): string | undefined {
  if (!isObject(row)) return undefined;
  return [row["function_id"], row["id"], row["name"]].find((id) => typeof id === "string" && id !== "") as string | undefined;
}

function arrayIn(answer: unknown, ...keys: string[]): unknown[] | undefined {
  if (!isObject(answer)) return undefined;
  return keys.map((key) => answer[key]).find((value) => Array.isArray(value)) as unknown[] | undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unreadable(what: string): DirectoryError {
  return new DirectoryError("engine_error", `catalog_fetch_failed: ${what}`);
}
