/** Boot order and shutdown of the worker, readable top to bottom. Every step says what it needs from the ones before. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger, type Logger } from "../border/log.js";
import type { EngineOptions } from "../protocol/actors/engine.js";
import type { ActorName } from "../protocol/actors.js";
import { CONTRACTS } from "../protocol/actors.js";
import type { CallContext } from "../protocol/call.js";
import { DirectoryError } from "../protocol/errors.js";
import { RESTART_FUNCTION, STATUS_FUNCTION } from "../protocol/functions/administration.js";
import { FUNCTIONS } from "../protocol/functions/index.js";
import type { Surroundings } from "../protocol/thread.js";
import { type BootConfiguration, loadSeed } from "./configuration.js";
import { Doorbells } from "./doorbells.js";
import { chooseEngine, DEFAULT_ENGINE_PORT, type EngineMode } from "./engine-choice.js";
import { EngineConnection } from "./engine-connection.js";
import { type Binding, Presence } from "./presence.js";
import type { PulseLimits } from "./pulse.js";
import type { RestartLimits } from "./restart-policy.js";
import { type OwnHandlers, routeOf } from "./routes.js";
import { statusOf } from "./status.js";
import { Supervisor } from "./supervisor.js";
import { surroundingsOf } from "./surroundings.js";

export type { EngineMode } from "./engine-choice.js";

export interface WorkerOptions {
  readonly mode?: EngineMode;
  readonly url?: string | undefined;
  /** Of the embedded engine. */
  readonly port?: number;
  readonly configPath?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  readonly options?: Surroundings["options"];
  /** Called when the worker can't go on: another instance serves the same ids. */
  readonly onFatal?: (reason: string) => void;
  readonly execArgv?: readonly string[];
  readonly pulse?: PulseLimits;
  readonly restarts?: RestartLimits;
}

export interface RunningWorker {
  readonly url: string;
  readonly embedded: boolean;
  readonly version: string;
  readonly supervisor: Supervisor;
  /** Drains for at most 5 s; never rejects. */
  stop(): Promise<void>;
}

/** Everything but the embedded engine, which only some workers need. */
const ACTORS: readonly ActorName[] = ["catalog", "search", "embedding", "fs", "watcher", "registry", "jev"];

const DEFAULT_WORKER_NAME = "iii-directory";
const DESCRIPTION = "Directory of the engine: finds functions, skills, prompts and agent profiles for a need.";
/** What the worker wants to be told of. */
const BINDINGS: readonly Binding[] = [
  { triggerType: "engine::functions-available", functionId: "directory::on-functions-change", config: {} },
];
const PRESENCE_EVERY_MS = 10_000;
const FIRST_CATALOG_MS = 10_000;
/** A predecessor that was killed needs a moment to be forgotten by the engine. */
const COMPETITOR_PATIENCE_MS = 2_000;

export async function startWorker(options: WorkerOptions = {}): Promise<RunningWorker> {
  const env = options.env ?? process.env;
  const startedAt = Date.now();
  const choice = await chooseEngine({ mode: options.mode ?? "external", url: options.url, environmentUrl: env["III_URL"] });
  const workerName = env["III_WORKER_NAME"]?.trim() || DEFAULT_WORKER_NAME;
  const surroundings = surroundingsOf(env, withEngineOptions(options, env));
  const log = createLogger("supervisor", surroundings.logLevel);
  const seed: BootConfiguration = await loadSeed(options.configPath, log);

  const doorbells = new Doorbells(log);
  let connection: EngineConnection | undefined;
  const bus = {
    call: async (...call: Parameters<EngineConnection["call"]>): Promise<unknown> => {
      if (connection === undefined)
        throw new DirectoryError("engine_error", "the engine is not connected yet", { code: "NOT_CONNECTED" });
      return connection.call(...call);
    },
  };
  const supervisor = new Supervisor({
    actors: choice.embedded ? ["engine", ...present(ACTORS)] : present(ACTORS),
    configuration: { generation: 1, values: seed.values },
    surroundings,
    services: { bus, doorbells },
    log,
    ...(options.execArgv === undefined ? {} : { execArgv: options.execArgv }),
    ...(options.pulse === undefined ? {} : { pulse: options.pulse }),
    ...(options.restarts === undefined ? {} : { restarts: options.restarts }),
  });

  const url = choice.embedded ? await embeddedUrl(supervisor) : choice.url;
  log.info(
    { url },
    choice.embedded ? `started the embedded engine at ${url}: ${choice.because}` : `using the engine at ${url}: ${choice.because}`,
  );
  const engine = new EngineConnection({ url, workerName, workerDescription: DESCRIPTION });
  connection = engine;

  const own: OwnHandlers = {
    [STATUS_FUNCTION.id]: () =>
      statusOf({
        supervisor,
        version: surroundings.version,
        startedAt,
        engine: { url, connected: engine.connected, embedded: choice.embedded },
        reports: () => reportsOf(supervisor),
      }),
    [RESTART_FUNCTION.id]: async (request) => restartActor(supervisor, (request as { actor: string }).actor),
  };
  const register = (id: string): void => {
    const definition = FUNCTIONS.find((candidate) => candidate.id === id);
    if (definition === undefined) return;
    engine.register(
      definition,
      routeOf(definition, { actors: supervisor.actors, own, generation: () => supervisor.configuration.generation, log }),
    );
  };
  const ids = FUNCTIONS.map(({ id }) => id);
  const unbind = new Map<Binding, () => void>();
  const bind = (binding: Binding): void => {
    unbind.get(binding)?.();
    unbind.set(binding, engine.bind(binding.triggerType, binding.functionId, binding.config));
  };
  const presence = new Presence({
    bus: engine,
    workerName,
    workerId: () => engine.workerId,
    functionIds: () => ids,
    bindings: () => BINDINGS,
    registerAgain: register,
    bindAgain: bind,
    log,
  });

  const stop = async (): Promise<void> => {
    clearInterval(watching);
    await supervisor.stop().catch((error: unknown) => log.warn({ err: error }, "stopping the actors failed"));
    await Promise.race([engine.close().catch(() => {}), sleep(1_000)]);
  };
  const giveWay = (reason: string): void => {
    log.fatal(`${reason}; this one ends. Stop the other, or set III_WORKER_NAME and another engine or namespace.`);
    options.onFatal?.(reason);
  };
  const look = async (): Promise<void> => {
    try {
      const reason = await presence.competitor(ids);
      if (reason !== undefined) return giveWay(reason);
      await presence.repair();
    } catch (error) {
      log.debug({ err: error }, "the engine could not be asked about us");
    }
  };
  const watching = setInterval(() => void look(), PRESENCE_EVERY_MS).unref();
  engine.onReconnect(() => {
    log.info({ url }, "the engine is back");
    void look();
    void refreshCatalog(supervisor, log);
  });

  doorbells.offerTo(engine);
  const competitor = await firstCompetitor(presence, ids, log, url);
  if (competitor !== undefined) {
    await stop();
    throw new DirectoryError(
      "invalid_request",
      `${competitor}. Stop it first, or give this one another III_WORKER_NAME and engine.`,
    );
  }
  for (const id of ids) register(id);
  for (const binding of BINDINGS) bind(binding);
  await refreshCatalog(supervisor, log);
  return { url, embedded: choice.embedded, version: surroundings.version, supervisor, stop };
}

/** The embedded engine alone, for `iii-directory engine`. Rejects with a DirectoryError when its port is in use. */
export async function startEngineOnly(
  options: EngineOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const surroundings = surroundingsOf(env, { engine: options });
  const log = createLogger("supervisor", surroundings.logLevel);
  const { values } = await loadSeed(undefined, log);
  const supervisor = new Supervisor({
    actors: ["engine"],
    configuration: { generation: 1, values },
    surroundings,
    services: { bus: { call: async () => undefined }, doorbells: { ring: async () => {} } },
    log,
  });
  try {
    return { url: await embeddedUrl(supervisor), stop: () => supervisor.stop() };
  } catch (error) {
    await supervisor.stop(0);
    throw error;
  }
}

/** An actor may be missing from a partial build; the rest serves. */
function present(actors: readonly ActorName[]): ActorName[] {
  return actors.filter((name) => existsSync(new URL(`../actors/${name}/actor.js`, import.meta.url)));
}

function withEngineOptions({ options = {}, port }: WorkerOptions, env: NodeJS.ProcessEnv): Surroundings["options"] {
  const { projectBase } = surroundingsOf(env);
  const engine: EngineOptions = {
    port: port ?? DEFAULT_ENGINE_PORT,
    configurationDirectory: join(projectBase, "data", "configuration"),
  };
  return { ...options, engine: { ...engine, ...(options.engine as Partial<EngineOptions> | undefined) } };
}

async function embeddedUrl(supervisor: Supervisor): Promise<string> {
  const context: CallContext = { requestId: "boot", deadline: Date.now() + CONTRACTS.engine.methods.address.timeoutMs };
  const { url } = await supervisor.actors.engine.address({}, context);
  return url;
}

/** Waits until the engine answers, however long that takes: it says so once, and again when it has changed. */
async function firstCompetitor(presence: Presence, ids: readonly string[], log: Logger, url: string): Promise<string | undefined> {
  let found: string | undefined;
  let patienceEnds = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      found = await presence.competitor(ids);
      if (found === undefined) return undefined;
      if (patienceEnds === 0) patienceEnds = Date.now() + COMPETITOR_PATIENCE_MS;
      if (Date.now() > patienceEnds) return found;
    } catch (error) {
      if (attempt === 1)
        log.warn({ url }, `the engine at ${url} doesn't answer; trying until it does (${(error as Error).message})`);
    }
    await sleep(250);
  }
}

/** A catalog that can't be read now is read later: the actor tries on by itself, and the engine tells of changes. */
async function refreshCatalog(supervisor: Supervisor, log: Logger): Promise<void> {
  try {
    await supervisor.actors.catalog.refresh({}, { requestId: "boot", deadline: Date.now() + FIRST_CATALOG_MS });
  } catch (error) {
    log.warn({ err: error }, "the functions of the engine could not be read yet; search starts empty and the catalog tries again");
  }
}

async function restartActor(supervisor: Supervisor, actor: string): Promise<{ ok: true; actor: string }> {
  if (supervisor.restart(actor)) return { ok: true, actor };
  throw new DirectoryError(
    "invalid_request",
    `there is no actor ${JSON.stringify(actor)}; there are ${supervisor.names.join(", ")}`,
  );
}

/** Asks every actor that has a `report` method; a slow one is left out rather than waited for. */
async function reportsOf(supervisor: Supervisor): Promise<Record<string, unknown>> {
  const reports: Record<string, unknown> = {};
  const context: CallContext = { requestId: "status", deadline: Date.now() + 1_000 };
  await Promise.all(
    supervisor.names.map(async (name) => {
      const actor = supervisor.actors[name] as unknown as Record<
        string,
        ((request: unknown, context: CallContext) => Promise<unknown>) | undefined
      >;
      if (actor["report"] === undefined) return;
      reports[name] = await actor["report"]({}, context).catch(() => undefined);
    }),
  );
  return reports;
}
