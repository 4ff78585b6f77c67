/** `directory::registry::workers::info`: the request checked, and the record cut down to a card. */

import { isExcludedFunction } from "../../domain/function-id.js";
import { trimWhiteSpace } from "../../domain/text.js";
import { workerNameFault } from "../../domain/worker-name.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { WorkerInfoRequest, WorkerInfoResponse } from "../../protocol/functions/registry.js";
import { invalidName } from "./registry-errors.js";
import type { PublishedEntry, WorkerRecord } from "./worker-rows.js";
import type { VersionSpec } from "./workers-registry.js";

export interface CardRequest {
  readonly name: string;
  readonly spec: VersionSpec;
}

/** Throws before anything is asked. */
export function readCardRequest(request: WorkerInfoRequest): CardRequest {
  const name = trimWhiteSpace(request.name);
  if (name === "") throw new DirectoryError("invalid_request", "name must be non-empty: say which worker of the registry");
  const fault = workerNameFault(name);
  if (fault !== undefined) throw invalidName(fault);
  return { name, spec: readVersionSpec(request) };
}

/** Of a request with both, or with blank ones. */
export function readVersionSpec({ version, tag }: Pick<WorkerInfoRequest, "version" | "tag">): VersionSpec {
  const exact = trimWhiteSpace(version ?? "");
  const named = trimWhiteSpace(tag ?? "");
  if (exact !== "" && named !== "") throw new DirectoryError("invalid_request", "give either version OR tag, not the two together");
  return exact === "" ? { tag: named === "" ? "latest" : named } : { version: exact };
}

/** Names and descriptions; the schemas come with `directory::engine::functions::info` once the worker is installed. */
export function cardOf(record: WorkerRecord, withReadme: boolean): WorkerInfoResponse {
  return {
    worker: record.worker,
    api_reference: { functions: publicFunctions(record).map(shown), triggers: record.triggers.map(shown) },
    skills_tree: { skills: record.skillPaths.map((path) => ({ path })) },
    ...(withReadme && record.readme !== undefined ? { readme: record.readme } : {}),
  };
}

/** Those that a search may show. */
export function publicFunctions({ functions }: WorkerRecord): PublishedEntry[] {
  return functions.filter(({ name, isInternal }) => !isInternal && !isExcludedFunction(name));
}

function shown({ name, description }: PublishedEntry): { name: string; description: string | null } {
  return { name, description };
}
