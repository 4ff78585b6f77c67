/** What the registry publishes, as rows that hold nothing but what they should. A row that makes no sense is left out, not guessed at. */
import type { RegistryPagination, RegistryWorker } from "../../protocol/functions/registry.js";

type Fields = Readonly<Record<string, unknown>>;

export interface PublishedEntry {
  readonly name: string;
  readonly description: string | null;
  /** Request schema of a function; absent for triggers. */
  readonly requestSchema?: unknown;
  readonly isInternal: boolean;
}

/** All that is known of one worker: what the search looks through, and what a card is made of. */
export interface WorkerRecord {
  readonly worker: RegistryWorker;
  readonly functions: readonly PublishedEntry[];
  readonly triggers: readonly PublishedEntry[];
  readonly skillPaths: readonly string[];
  readonly readme?: string;
}

export function workersOf(body: unknown): RegistryWorker[] {
  return listOf(fieldsOf(body)["workers"]).flatMap((row) => workerOf(row) ?? []);
}

export function paginationOf(body: unknown): RegistryPagination {
  const { next_cursor, has_more, page_size } = fieldsOf(fieldsOf(body)["pagination"]);
  const wellFormed =
    (next_cursor == null || typeof next_cursor === "string") && (has_more == null || typeof has_more === "boolean");
  if (!wellFormed) return { next_cursor: null, has_more: false, page_size: 0 };
  return { next_cursor: next_cursor ?? null, has_more: has_more ?? false, page_size: countOf(page_size) ?? 0 };
}

/** The detail may be wrapped in `worker`, or be the worker itself. */
export function recordOf(name: string, detail: unknown, skills: unknown): WorkerRecord {
  const outer = fieldsOf(detail);
  const inner = "worker" in outer ? fieldsOf(outer["worker"]) : outer;
  const readme = inner["readme"] ?? outer["readme"];
  return {
    worker: workerOf(inner) ?? bareWorker(name),
    functions: entriesOf(inner["functions"] ?? outer["functions"]),
    triggers: entriesOf(inner["triggers"] ?? outer["triggers"]),
    skillPaths: listOf(fieldsOf(skills)["skills"]).flatMap((entry) => stringOf(fieldsOf(entry)["path"]) ?? []),
    ...(typeof readme === "string" ? { readme } : {}),
  };
}

/** Undefined for a row that doesn't fit. Null stands for a missing value everywhere. */
export function workerOf(row: unknown): RegistryWorker | undefined {
  const fields = fieldsOf(row);
  const { name, config, image, total_downloads: downloads, author } = fields;
  if (typeof name !== "string") return undefined;
  const texts = ["description", "type", "version", "repo", "image"].map((key) => fields[key]);
  if (texts.some((text) => text != null && typeof text !== "string")) return undefined;
  const targets = fields["supported_targets"] ?? [];
  const dependencies = fields["dependencies"] ?? [];
  if (!Array.isArray(targets) || targets.some((target) => typeof target !== "string")) return undefined;
  if (!Array.isArray(dependencies) || dependencies.some((each) => !isDependency(each))) return undefined;
  const count = downloads == null ? 0 : countOf(downloads);
  const by = author == null ? null : authorOf(author);
  if (count === undefined || by === undefined) return undefined;
  return {
    ...bareWorker(name),
    description: stringOf(fields["description"]) ?? null,
    type: stringOf(fields["type"]) ?? null,
    version: stringOf(fields["version"]) ?? null,
    repo: stringOf(fields["repo"]) ?? null,
    config: config ?? {},
    supported_targets: targets as string[],
    total_downloads: count,
    dependencies: (dependencies as { name: string; version: string }[]).map((each) => ({ name: each.name, version: each.version })),
    author: by,
    ...(typeof image === "string" ? { image } : {}),
  };
}

function bareWorker(name: string): RegistryWorker {
  return {
    name,
    description: null,
    type: null,
    version: null,
    repo: null,
    config: {},
    supported_targets: [],
    total_downloads: 0,
    dependencies: [],
    author: null,
  };
}

function authorOf(author: unknown): NonNullable<RegistryWorker["author"]> | undefined {
  if (typeof author !== "object") return undefined;
  const { name, pfp, verified } = fieldsOf(author);
  if ([name, pfp].some((text) => text != null && typeof text !== "string")) return undefined;
  if (verified != null && typeof verified !== "boolean") return undefined;
  return { name: stringOf(name) ?? null, pfp: stringOf(pfp) ?? null, verified: verified ?? false };
}

function isDependency(given: unknown): boolean {
  const { name, version } = fieldsOf(given);
  return typeof name === "string" && typeof version === "string";
}

function entriesOf(list: unknown): PublishedEntry[] {
  return listOf(list).flatMap((entry) => {
    const { name, description, request_schema: requestSchema, metadata } = fieldsOf(entry);
    if (typeof name !== "string" || (description != null && typeof description !== "string")) return [];
    const isInternal = fieldsOf(metadata)["internal"] === true;
    return { name, description: stringOf(description) ?? null, isInternal, ...(requestSchema == null ? {} : { requestSchema }) };
  });
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
