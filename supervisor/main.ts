/** Boot order and shutdown of the worker, readable top to bottom. Every step says what it needs from the ones before. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger, type Logger } from "../border/log.js";
import { DEFAULT_CONFIGURATION } from "../domain/configuration.js";
import type { EngineOptions } from "../protocol/actors/engine.js";
import type { JevOptions } from "../protocol/actors/jev.js";
import { type ActorName, CONTRACTS } from "../protocol/actors.js";
import type { CallContext } from "../protocol/call.js";
import { CONFIGURATION_ENTRY, type Configuration } from "../protocol/configuration.js";
import { DirectoryError } from "../protocol/errors.js";
import { CONFIG_CHANGE_FUNCTION, RESTART_FUNCTION, STATUS_FUNCTION } from "../protocol/functions/administration.js";
import { UI_CONTENT_FUNCTION } from "../protocol/functions/console.js";
import { FUNCTIONS } from "../protocol/functions/index.js";
import { CONSTANT_FUNCTION_IDS, INTERNAL_FUNCTION_IDS } from "../protocol/functions/own.js";
import type { Surroundings } from "../protocol/thread.js";
import { ConfigurationKeeper } from "./configuration.js";
import { assetFolderOf, ConsoleAssets } from "./console-assets.js";
import { Doorbells } from "./doorbells.js";
import { chooseEngine, DEFAULT_ENGINE_PORT, type EngineMode } from "./engine-choice.js";
import type { EngineConnection } from "./engine-connection.js";
import { jevOptionsOf } from "./environment.js";
import { EventLoopWatch } from "./event-loop.js";
import { HINT_CONFIG, HINT_TRIGGER, HintBinding } from "./hint-binding.js";
import type { Binding } from "./presence.js";
import { PresenceWatch } from "./presence-watch.js";
import type { PulseLimits } from "./pulse.js";
import { Registration } from "./registration.js";
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
  /** YAML file that seeds the configuration when nothing is stored. */
  readonly configPath?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  readonly options?: Surroundings["options"];
  /** Called when the worker can't go on: another instance serves the same ids. */
  readonly onFatal?: (reason: string) => void;
  /** For the threads; tests load their fault injection with it. */
  readonly execArgv?: readonly string[];
  readonly pulse?: PulseLimits;
  readonly restarts?: RestartLimits;
  /** Milliseconds between two looks at what the engine knows of us. */
  readonly presenceEveryMs?: number;
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
const PRESENCE_EVERY_MS = 10_000;
const FIRST_CATALOG_MS = 10_000;
/** The ready line waits for the catalog alone: it need not share the processors with six other threads that start. */
const CATALOG_FIRST_MS = 250;
/** A predecessor that was killed needs a moment to be forgotten by the engine. */
const COMPETITOR_PATIENCE_MS = 2_000;
const CLOSE_MS = 500;
const ENGINE_SILENCE_MS = 1_000;

export async function startWorker(options: WorkerOptions = {}): Promise<RunningWorker> {
  const env = options.env ?? process.env;
  const startedAt = Date.now();
  const surroundings = surroundingsOf(env, actorOptions(options, env));
  const log = createLogger("supervisor", surroundings.logLevel);
  const workerName = env["III_WORKER_NAME"]?.trim() || DEFAULT_WORKER_NAME;

  // 1. An engine: the one that is named or answers, else our own.
  const { mode = "external", url: wanted, port } = options;
  const choice = await chooseEngine({ mode, url: wanted, environmentUrl: env["III_URL"], port });
  const doorbells = new Doorbells(log);
  const connected: { engine?: EngineConnection } = {};
  const eventLoop = new EventLoopWatch();
  const supervisor = newSupervisor(options, surroundings, log, { bus: busOf(connected), doorbells });
  if (choice.embedded) supervisor.start("engine");
  // The SDK is read while the engine starts: each takes a third of a second.
  const [url, { EngineConnection: Connection }] = await Promise.all([
    choice.embedded ? embeddedUrl(supervisor) : choice.url,
    import("./engine-connection.js"),
  ]);
  log.info(
    choice.embedded ? `started the embedded engine at ${url}: ${choice.because}` : `using the engine at ${url}: ${choice.because}`,
  );

  // 2. A connection, and nobody else who serves the same.
  const engine = new Connection({ url, workerName, workerDescription: DESCRIPTION });
  connected.engine = engine;
  const administration: OwnHandlers = {
    [STATUS_FUNCTION.id]: () =>
      statusOf({
        supervisor,
        version: surroundings.version,
        startedAt,
        eventLoop,
        engine: { url, connected: engine.connected, embedded: choice.embedded },
        reports: () => reportsOf(supervisor),
      }),
    [RESTART_FUNCTION.id]: async (request) => restartActor(supervisor, (request as { actor: string }).actor),
    [CONFIG_CHANGE_FUNCTION.id]: async () => {
      await keeper.reload(apply);
      return { ok: true };
    },
  };
  const assets = new ConsoleAssets({
    engine,
    log,
    shipped: join(surroundings.packageRoot, "dist", "console"),
    watched: assetFolderOf(env, workerName),
  });
  const own: OwnHandlers = {
    ...administration,
    [UI_CONTENT_FUNCTION.id]: async (request) => assets.content((request as { path: string }).path),
  };
  const generation = (): number => supervisor.configuration.generation;
  const registration = new Registration({
    engine,
    workerName,
    handlerOf: (definition) => routeOf(definition, { actors: supervisor.actors, own, generation, log }),
    log,
  });
  const background = new Background(log);
  const stop = async (): Promise<void> => {
    background.stop();
    eventLoop.stop();
    assets.close();
    await supervisor.stop().catch((error: unknown) => log.warn({ err: error }, "stopping the actors failed"));
    await Promise.race([engine.close().catch(() => {}), sleep(CLOSE_MS)]);
  };
  const competitor = await firstCompetitor(registration, log, url);
  if (competitor !== undefined) {
    await stop();
    throw new DirectoryError("invalid_request", `${competitor}. Stop that one first, or run this one on another engine.`);
  }

  // 3. The configuration, which the actors need from their first moment.
  const keeper = newKeeper(engine, env, surroundings, log, options.configPath);
  let values: Configuration;
  try {
    values = await keeper.boot();
  } catch (error) {
    await stop();
    throw error;
  }
  supervisor.configure(values);
  for (const name of present(ACTORS)) supervisor.start(name, name === "catalog" ? 0 : CATALOG_FIRST_MS);

  // 4. What we offer: trigger types before functions, because whoever writes must find its subscribers.
  doorbells.offerTo(engine);
  for (const definition of FUNCTIONS) {
    if (definition.enabledBy === undefined || values[definition.enabledBy]) registration.add(definition);
  }
  assets.offer();
  const hint = new HintBinding(
    () => registration.bind({ triggerType: HINT_TRIGGER, functionId: "directory::pre-generate", config: HINT_CONFIG }),
    log,
  );
  function apply(next: Configuration): void {
    supervisor.configure(next);
    hint.reconcile(next.inject_hint);
  }
  hint.reconcile(values.inject_hint);
  for (const binding of bindingsOf(values, entryIdOf(env))) registration.bind(binding);
  // An update between the first read and the binding would be lost.
  background.run(keeper.reload(apply));

  // 5. What there is to find. A catalog that can't be read now is read later.
  await refreshCatalog(supervisor, log);
  const watch = new PresenceWatch({
    presence: registration.presence,
    ids: () => registration.ids,
    onCompetitor: (reason) => {
      log.fatal(`${reason}; this one ends.`);
      options.onFatal?.(reason);
    },
    onSilence: () => {
      log.warn(`the engine at ${url} doesn't answer any more; connecting again`);
      engine.dropSocket();
    },
    log,
  });
  background.every(options.presenceEveryMs ?? PRESENCE_EVERY_MS, () => watch.look());
  engine.onReconnect(() => {
    log.info(`the engine at ${url} is back`);
    background.run(watch.look());
    background.run(refreshCatalog(supervisor, log));
  });
  return { url, embedded: choice.embedded, version: surroundings.version, supervisor, stop };
}

/** The embedded engine alone, for `iii-directory engine`. Rejects with a DirectoryError when its port is in use. */
export async function startEngineOnly(
  options: EngineOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const surroundings = surroundingsOf(env, { engine: options });
  const log = createLogger("supervisor", surroundings.logLevel);
  const services = { bus: busOf({}), doorbells: { ring: async () => {} } };
  const supervisor = newSupervisor({}, surroundings, log, services);
  supervisor.start("engine");
  return { url: await embeddedUrl(supervisor), stop: () => supervisor.stop() };
}

function newSupervisor(
  { execArgv, pulse, restarts }: WorkerOptions,
  surroundings: Surroundings,
  log: Logger,
  services: ConstructorParameters<typeof Supervisor>[0]["services"],
): Supervisor {
  return new Supervisor({
    actors: [],
    configuration: { generation: 1, values: DEFAULT_CONFIGURATION },
    surroundings,
    services,
    log,
    ...(execArgv === undefined ? {} : { execArgv }),
    ...(pulse === undefined ? {} : { pulse }),
    ...(restarts === undefined ? {} : { restarts }),
  });
}

function busOf(connected: { readonly engine?: EngineConnection }): Pick<EngineConnection, "call"> {
  return {
    call: async (request, context) => {
      if (connected.engine !== undefined) return connected.engine.call(request, context);
      throw new DirectoryError("engine_error", "no engine is connected yet", { code: "NOT_CONNECTED" });
    },
  };
}

/** An actor may be missing from a partial build; the rest serves. */
function present(actors: readonly ActorName[]): ActorName[] {
  return actors.filter((name) => existsSync(new URL(`../actors/${name}/actor.js`, import.meta.url)));
}

function actorOptions({ options = {}, port }: WorkerOptions, env: NodeJS.ProcessEnv): Surroundings["options"] {
  const { projectBase } = surroundingsOf(env);
  const engine: EngineOptions = {
    port: port ?? DEFAULT_ENGINE_PORT,
    configurationDirectory: join(projectBase, "data", "configuration"),
  };
  return {
    ...options,
    catalog: { ownFunctionIds: CONSTANT_FUNCTION_IDS, ...(options.catalog as object | undefined) },
    search: { internalFunctionIds: INTERNAL_FUNCTION_IDS, ...(options.search as object | undefined) },
    engine: { ...engine, ...(options.engine as Partial<EngineOptions> | undefined) },
    jev: { ...jevOptionsOf(env), ...(options.jev as JevOptions | undefined) },
  };
}

function entryIdOf(env: NodeJS.ProcessEnv): string {
  return env["III_CONFIG_NAME"]?.trim() || CONFIGURATION_ENTRY.id;
}

function newKeeper(
  bus: EngineConnection,
  env: NodeJS.ProcessEnv,
  { homeDirectory: home, projectBase }: Surroundings,
  log: Logger,
  seedPath: string | undefined,
): ConfigurationKeeper {
  const composeDirectory = env["III_COMPOSE_DIR"]?.trim() ? projectBase : undefined;
  return new ConfigurationKeeper({ bus, log, entryId: entryIdOf(env), seedPath, composeDirectory, bases: { home, projectBase } });
}

/** What the worker wants to be told of. */
function bindingsOf({ auto_download }: Configuration, configuration_id: string): Binding[] {
  const bindings: Binding[] = [
    { triggerType: "engine::functions-available", functionId: "directory::on-functions-change", config: {} },
    {
      triggerType: "configuration",
      functionId: CONFIG_CHANGE_FUNCTION.id,
      config: { configuration_id, event_types: ["configuration:updated"] },
    },
  ];
  if (auto_download) {
    bindings.push({
      triggerType: "worker",
      functionId: "directory::__on_worker_added",
      config: { operations: ["add"], stages: ["done"] },
    });
  }
  return bindings.filter(({ functionId }) => FUNCTIONS.some(({ id }) => id === functionId));
}

async function embeddedUrl(supervisor: Supervisor): Promise<string> {
  const context: CallContext = { requestId: "boot", deadline: Date.now() + CONTRACTS.engine.methods.address.timeoutMs };
  try {
    const { url } = await supervisor.actors.engine.address({}, context);
    return url;
  } catch (error) {
    await supervisor.stop(0);
    throw error;
  }
}

/** Waits until the engine answers, however long that takes, and says so after a second. */
async function firstCompetitor({ presence }: Registration, log: Logger, url: string): Promise<string | undefined> {
  const ids = FUNCTIONS.map(({ id }) => id);
  const saying = setTimeout(() => log.warn(`the engine at ${url} doesn't answer; waiting for it`), ENGINE_SILENCE_MS);
  let patienceEnds = 0;
  for (;;) {
    try {
      const found = await presence.competitor(ids);
      clearTimeout(saying);
      if (found === undefined) return undefined;
      if (patienceEnds === 0) patienceEnds = Date.now() + COMPETITOR_PATIENCE_MS;
      if (Date.now() > patienceEnds) return found;
    } catch (error) {
      log.debug({ err: error }, "the engine could not be asked yet");
    }
    await sleep(250);
  }
}

async function refreshCatalog(supervisor: Supervisor, log: Logger): Promise<void> {
  try {
    await supervisor.actors.catalog.refresh({}, { requestId: "boot", deadline: Date.now() + FIRST_CATALOG_MS });
  } catch (error) {
    log.warn(`the functions of the engine could not be read yet, the catalog tries on: ${(error as Error).message}`);
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
  type Reporter = (request: unknown, context: CallContext) => Promise<unknown>;
  const reports: Record<string, unknown> = {};
  const context: CallContext = { requestId: "status", deadline: Date.now() + 1_000 };
  await Promise.all(
    supervisor.names.map(async (name) => {
      const { report } = supervisor.actors[name] as { report?: Reporter };
      if (report !== undefined) reports[name] = await report({}, context).catch(() => undefined);
    }),
  );
  return reports;
}

/** Work beside the requests that must end with the worker and whose failure is a line in the log. */
class Background {
  readonly #log: Logger;
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#log.warn({ err: error }, "background work failed"));
  }

  every(milliseconds: number, work: () => Promise<unknown>): void {
    this.#timers.push(setInterval(() => this.run(work()), milliseconds).unref());
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
}
