/** The workers registry: its three endpoints, with answers that are kept for a while. */
import type { RegistryPagination, RegistryWorker } from "../../protocol/functions/registry.js";
import { AnswerCache } from "./answer-cache.js";
import { isMissing, notInRegistry, registryError } from "./registry-errors.js";
import { RegistryFailure, type RegistryHttp } from "./registry-http.js";
import { paginationOf, recordOf, type WorkerRecord, workersOf } from "./worker-rows.js";

export interface RegistrySettings {
  readonly registry_url: string;
  readonly registry_cache_ttl_ms: number;
  readonly download_timeout_ms: number;
}

export interface WorkerPage {
  readonly workers: readonly RegistryWorker[];
  readonly pagination: RegistryPagination;
}

/** Which version: exactly this one, or the one that a tag stands for. */
export type VersionSpec = { readonly version: string } | { readonly tag: string };

export function versionOf(spec: VersionSpec): string {
  return "version" in spec ? spec.version : spec.tag;
}

export interface PageQuery {
  readonly search: string;
  readonly cursor: string;
}

export class WorkersRegistry {
  readonly #http: RegistryHttp;
  readonly #cache: AnswerCache;

  constructor(http: RegistryHttp, cache = new AnswerCache()) {
    this.#http = http;
    this.#cache = cache;
  }

  /** Rejects with D320. */
  async list(query: PageQuery, settings: RegistrySettings): Promise<WorkerPage> {
    const ask = async (): Promise<WorkerPage> => {
      const body = await this.#get(["w"], { search: query.search, cursor: query.cursor }, settings);
      return { workers: workersOf(body), pagination: paginationOf(body) };
    };
    return this.#cache.get(listKey(query), settings.registry_cache_ttl_ms, ask).catch(rejected);
  }

  /** Rejects with D310 when there is no such worker or version, else with D320. A worker without a bundle has no skill paths. */
  async record(name: string, spec: VersionSpec, settings: RegistrySettings): Promise<WorkerRecord> {
    const ask = async (): Promise<WorkerRecord> => {
      const version = versionOf(spec);
      const [detail, skills] = await Promise.allSettled([
        this.#get(["w", name], { version }, settings),
        this.#get(["w", name, "skills"], { version }, settings),
      ]);
      if (detail.status === "rejected") throw isMissing(detail.reason) ? notInRegistry(`${name}@${version}`) : detail.reason;
      if (skills.status === "rejected" && !isMissing(skills.reason)) throw skills.reason;
      return recordOf(name, detail.value, skills.status === "fulfilled" ? skills.value : {});
    };
    return this.#cache.get(recordKey(name, spec), settings.registry_cache_ttl_ms, ask).catch(rejected);
  }

  /** What the last answer was, however old. */
  knownPage(query: PageQuery): WorkerPage | undefined {
    return this.#cache.peek(listKey(query));
  }

  knownRecord(name: string, spec: VersionSpec): WorkerRecord | undefined {
    return this.#cache.peek(recordKey(name, spec));
  }

  /** The bundle, always fresh. Rejects with a `RegistryFailure`. */
  bundle(name: string, spec: VersionSpec, settings: RegistrySettings): Promise<unknown> {
    return this.#get(["w", name, "skills"], { version: versionOf(spec) }, settings);
  }

  /** Another configuration: nothing that was asked under the old one counts any more. */
  forget(): void {
    this.#cache.clear();
  }

  #get(path: readonly string[], query: Readonly<Record<string, string>>, settings: RegistrySettings): Promise<unknown> {
    return this.#http.json(addressOf(settings.registry_url, path, query), { deadline: Date.now() + settings.download_timeout_ms });
  }
}

function listKey({ search, cursor }: PageQuery): readonly unknown[] {
  return ["list", search, cursor];
}

function recordKey(name: string, spec: VersionSpec): readonly unknown[] {
  return ["info", name, "version" in spec ? "version" : "tag", versionOf(spec)];
}

/** Blank values are left out. Whatever a value holds, it stays one value. */
function addressOf(base: string, path: readonly string[], query: Readonly<Record<string, string>>): URL {
  const text = `${base.trim().replace(/\/+$/, "")}/${path.map(encodeURIComponent).join("/")}`;
  if (!URL.canParse(text)) throw new RegistryFailure("unreachable");
  const address = new URL(text);
  if (address.protocol !== "http:" && address.protocol !== "https:") throw new RegistryFailure("unreachable");
  for (const [key, value] of Object.entries(query)) if (value !== "") address.searchParams.set(key, value);
  return address;
}

function rejected(failure: unknown): never {
  throw registryError(failure);
}
