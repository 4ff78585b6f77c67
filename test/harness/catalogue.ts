/** A catalog actor in this thread, over an engine that is nothing but a list of functions. */
import { readFileSync } from "node:fs";
import { buildCatalog, type CatalogOptions } from "../../actors/catalog/build.js";
import { ConfigurationHistory } from "../../actors/configuration-history.js";
import { createLogger } from "../../border/log.js";
import { DEFAULT_CONFIGURATION } from "../../domain/configuration.js";
import type { CatalogActor } from "../../protocol/actors/catalog.js";
import type { EmbeddingActor } from "../../protocol/actors/embedding.js";
import type { EngineBus, EngineCall } from "../../protocol/actors/services.js";
import type { Peers } from "../../protocol/actors.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { Surroundings } from "../../protocol/thread.js";
import { newContext } from "./context.js";
import { ROOT, sharedFile } from "./shared.js";

/** One registered function, as the engine would tell it. */
export interface Registered {
  readonly id: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly response?: unknown;
  readonly worker?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A function with arguments of these names. */
export function registered(id: string, description = "", ...argumentNames: string[]): Registered {
  const properties = Object.fromEntries(argumentNames.map((name) => [name, {}]));
  return { id, description, parameters: { type: "object", properties } };
}

/** Answers the introspection calls of the engine from `functions`, which a test may change, and counts them. */
export class FakeEngine implements EngineBus {
  #functions: readonly Registered[] = [];
  #byId: ReadonlyMap<string, Registered> = new Map();
  readonly workers = new Map<string, string>();
  readonly calls: EngineCall[] = [];
  /** Takes part of the call's place: returns the answer, throws, or returns undefined to let the call through. */
  intercept: (call: EngineCall) => unknown | Promise<unknown> = () => undefined;

  constructor(functions: readonly Registered[]) {
    this.functions = functions;
  }

  get functions(): readonly Registered[] {
    return this.#functions;
  }

  set functions(functions: readonly Registered[]) {
    this.#functions = functions;
    this.#byId = new Map(functions.map((registered) => [registered.id, registered]));
  }

  async call(request: EngineCall): Promise<unknown> {
    this.calls.push(request);
    return (await this.intercept(request)) ?? this.answer(request);
  }

  answer({ functionId, payload }: EngineCall): unknown {
    if (functionId === "engine::functions::list") return { functions: this.functions.map(listRow) };
    if (functionId === "engine::workers::list") {
      return { workers: [...this.workers].map(([name, description]) => ({ name, description })) };
    }
    if (functionId === "engine::functions::info") {
      const { function_ids } = payload as { function_ids: string[] };
      if (function_ids.length > 32) throw new DirectoryError("engine_error", "at most 32 ids", { code: "INVALID_ARGUMENTS" });
      return { functions: function_ids.map((id) => infoRow(id, this.#byId.get(id))) };
    }
    throw new DirectoryError("engine_error", `Function ${functionId} not found`, { code: "function_not_found" });
  }
}

function infoRow(id: string, found: Registered | undefined): unknown {
  if (found === undefined) return { function_id: id, error: "not_found" };
  return {
    ...listRow(found),
    ...(found.parameters === undefined ? {} : { request_schema: found.parameters }),
    ...(found.response === undefined ? {} : { response_schema: found.response }),
    registered_triggers: [],
  };
}

function listRow({ id, description, worker, metadata }: Registered): Record<string, unknown> {
  return {
    function_id: id,
    worker_name: worker ?? id.split("::")[0],
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

const SURROUNDINGS: Surroundings = {
  packageRoot: ROOT,
  projectBase: ROOT,
  homeDirectory: ROOT,
  cacheDirectory: ROOT,
  version: "0.0.0",
  logLevel: "silent",
  options: {},
};

export interface CatalogSetting extends CatalogOptions {
  /** With one, functions get vectors; without, terms alone rank. */
  readonly embedding?: Pick<EmbeddingActor, "embedDocuments">;
  /** For the vectors. */
  readonly cacheDirectory?: string;
  /** Waits for the vectors of all functions. */
  readonly untilEmbedded?: { readonly everyMs: number; readonly patienceMs: number };
}

export interface BuiltCatalog {
  readonly catalog: CatalogActor;
  readonly engine: FakeEngine;
  readonly stop: () => Promise<void>;
}

/** A catalog that has not read anything yet, unless its own first reading was quick. */
export async function buildOver(engine: FakeEngine, options: CatalogSetting = {}): Promise<BuiltCatalog> {
  return { ...(await buildOn(engine, options)), engine };
}

/** The same over any engine. */
export async function buildOn(
  engine: EngineBus,
  { embedding, cacheDirectory = ROOT, untilEmbedded: _, ...options }: CatalogSetting = {},
): Promise<Omit<BuiltCatalog, "engine">> {
  const drains: (() => Promise<void>)[] = [];
  const setting = {
    peers: { bus: engine, embedding } as unknown as Peers,
    configuration: new ConfigurationHistory({
      generation: 1,
      values: { ...DEFAULT_CONFIGURATION, function_search_mode: embedding === undefined ? "lexical" : "hybrid" },
    }),
    surroundings: { ...SURROUNDINGS, cacheDirectory },
    log: createLogger("catalog", "silent"),
    onDrain: (drain: () => Promise<void>) => drains.push(drain),
  };
  const catalog = await buildCatalog(setting, { ownFunctionIds: [], ...options, times: { gatherMs: 0, ...options.times } });
  const stop = async (): Promise<void> => {
    await Promise.all(drains.map((drain) => drain()));
  };
  return { catalog, stop };
}

/** A catalog that has read these functions, and looks no more by itself. */
export async function catalogOf(functions: readonly Registered[], options: CatalogSetting = {}): Promise<BuiltCatalog> {
  const built = await buildOver(new FakeEngine(functions), options);
  await built.catalog.refresh({}, newContext());
  if (options.untilEmbedded !== undefined) await untilEmbedded(built.catalog, options.untilEmbedded);
  else await built.stop();
  return built;
}

async function untilEmbedded(
  catalog: CatalogActor,
  { everyMs, patienceMs }: { everyMs: number; patienceMs: number },
): Promise<void> {
  for (const end = Date.now() + patienceMs; ; ) {
    const { functions, embedded } = await catalog.report({}, newContext());
    if (embedded === functions) return;
    if (Date.now() > end) throw new Error(`only ${embedded} of ${functions} functions have a vector after ${patienceMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** The frozen catalogue: 512 functions of 48 namespaces. Only where the shared folder is, see `needsShared`. */
export function frozenFunctions(): Registered[] {
  return readFileSync(sharedFile("bench-data", "iii_catalog.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { name: string; description: string; parameters: unknown })
    .map(({ name, description, parameters }) => ({ id: name, description, parameters }));
}

export async function frozenCatalog(options: CatalogSetting = {}): Promise<BuiltCatalog> {
  return catalogOf(frozenFunctions(), options);
}
