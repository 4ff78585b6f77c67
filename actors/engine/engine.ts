/**
 * The embedded engine: the worker protocol of the iii engine on a loopback port, for one person on one machine and for tests. Workers
 * can't tell it from the real one (docs/engine.md lists what it leaves out).
 *
 *     listener → connection → ┬ calls          invoke, result
 *                             ├ registrations  functions, trigger types, triggers
 *                             └ built-ins      introspection, worker metadata, configuration
 */
import type { WebSocket } from "ws";
import type { Logger } from "../../border/log.js";
import { DirectoryError } from "../../protocol/errors.js";
import { Announcements } from "./announcements.js";
import type { BuiltinFunction } from "./builtin.js";
import { Calls } from "./calls.js";
import { Channels } from "./channels.js";
import { ConfigurationFolder } from "./configuration/folder.js";
import { configurationFunctions } from "./configuration/functions.js";
import { ConfigurationNotices } from "./configuration/notices.js";
import { ConfigurationStore } from "./configuration/store.js";
import { Connection, ConnectionTable } from "./connections.js";
import { offerConsoleTypes, readPages } from "./console-pages.js";
import { decodeFrame, type WorkerFrame } from "./frames.js";
import { functionIntrospection } from "./function-introspection.js";
import { FunctionRegistry } from "./function-registry.js";
import { InvocationTable } from "./invocation-table.js";
import { Ledger } from "./ledger.js";
import { type EngineLimits, LIMITS } from "./limits.js";
import { Listener } from "./listener.js";
import { logFunctions } from "./log-functions.js";
import { OutboundTotal } from "./outbox.js";
import { Registrations } from "./registrations.js";
import type { EngineState, Generation } from "./state.js";
import { triggerFunctions } from "./trigger-functions.js";
import { triggerIntrospection } from "./trigger-introspection.js";
import { TriggerStore } from "./trigger-store.js";
import { connectionSocket } from "./web-socket.js";
import { workerIntrospection } from "./worker-introspection.js";
import { workerRegistration } from "./worker-registration.js";

export interface EngineSetting {
  /** On 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** Default `0.23`. */
  readonly generation?: Generation | undefined;
  /** How long registrations wait for the metadata call, in milliseconds; default 5 000. Only from 0.23 on. */
  readonly registrationGraceMs?: number | undefined;
  /** How often the set of functions is compared with the last one, in milliseconds; default 5 000. */
  readonly functionsPollMs?: number | undefined;
  /** How long `engine::register_trigger` waits for the provider of the type, in milliseconds; default 10 000. */
  readonly providerAnswerMs?: number | undefined;
  readonly limits?: Partial<EngineLimits> | undefined;
  /** Absolute. Without it configuration values are gone when the engine ends. */
  readonly configurationDirectory?: string | undefined;
  /** Where placeholders in configuration values are looked up; default the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Folder of the console's pages; absent: none, and nobody takes what workers inject. */
  readonly consoleFolder?: string | undefined;
  /** Shown as the version of the workers inside the engine. */
  readonly version: string;
  readonly log: Logger;
}

export interface RunningEngine {
  readonly url: string;
  close(): Promise<void>;
}

/** Rejects with one readable line when the port can't be had. */
export async function startEngine(setting: EngineSetting): Promise<RunningEngine> {
  const engine = new Engine(setting);
  try {
    return { url: await engine.open(setting.port), close: () => engine.close() };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

class Engine {
  readonly #state: EngineState;
  readonly #calls: Calls;
  readonly #registrations: Registrations;
  readonly #announcements: Announcements;
  readonly #configuration: ConfigurationStore;
  readonly #channels: Channels;
  readonly #listener: Listener;
  readonly #outbound = new OutboundTotal();
  readonly #graceMs: number;

  constructor(setting: EngineSetting) {
    const { generation, registrationGraceMs, functionsPollMs, limits: changed, version, log } = setting;
    const limits = { ...LIMITS, ...changed };
    this.#graceMs = registrationGraceMs ?? 5_000;
    this.#state = {
      hasNamespaces: (generation ?? "0.23") !== "0.22",
      version,
      startedAtMs: Date.now(),
      limits,
      log,
      connections: new ConnectionTable(),
      functions: new FunctionRegistry(),
      triggers: new TriggerStore(),
      invocations: new InvocationTable(),
      ledger: new Ledger(limits.retainedBytes, limits.retainedTotalBytes),
    };
    this.#calls = new Calls(this.#state);
    this.#registrations = new Registrations(this.#state, (connection) => this.#disconnect(connection));
    this.#channels = new Channels(this.#outbound, limits);
    const notices = new ConfigurationNotices(this.#state, this.#calls);
    this.#configuration = configurationStore(setting, notices);
    for (const builtin of this.#builtins(setting.providerAnswerMs ?? 10_000)) this.#state.functions.addBuiltin(builtin);
    this.#announcements = new Announcements(this.#state, this.#calls, functionsPollMs ?? 5_000);
    const pages = readPages(setting.consoleFolder);
    if (pages.size > 0) offerConsoleTypes(this.#state.triggers);
    this.#listener = new Listener(
      (url) => {
        if (url.pathname === "/") return (socket, request) => this.#connect(socket, request.socket.remoteAddress ?? null);
        return url.pathname === "/otel" ? swallow : this.#channels.route(url);
      },
      limits,
      pages,
    );
  }

  async open(port: number): Promise<string> {
    await this.#configuration.open().catch((error: Error) => {
      throw new DirectoryError(
        "engine_error",
        `the configuration folder can't be used: ${error.message}; choose another with --config-dir`,
      );
    });
    return this.#listener.listen(port);
  }

  async close(): Promise<void> {
    this.#announcements.close();
    this.#channels.close();
    await this.#listener.close();
    await this.#configuration.close();
  }

  #builtins(providerAnswerMs: number): BuiltinFunction[] {
    return [
      ...functionIntrospection(this.#state),
      ...triggerIntrospection(this.#state),
      ...workerIntrospection(this.#state),
      ...triggerFunctions(this.#state, this.#registrations, providerAnswerMs),
      ...configurationFunctions(this.#configuration),
      ...this.#channels.functions(),
      ...logFunctions(),
      workerRegistration(this.#state, {
        retire: (connection) => this.#disconnect(connection),
        release: (connection) => this.#registrations.release(connection),
        updated: (connection) => this.#announcements.worker("worker_metadata_updated", connection),
      }),
    ];
  }

  #connect(socket: WebSocket, remoteAddress: string | null): void {
    const { limits, log, connections, hasNamespaces } = this.#state;
    const connection = new Connection(connectionSocket(socket, remoteAddress), this.#outbound, limits, Date.now(), (reason) => {
      log.warn({ worker: connection.metadata?.name ?? connection.id }, `disconnected a worker: ${reason}`);
      this.#disconnect(connection);
      socket.terminate();
    });
    if (hasNamespaces) {
      connection.held = [];
      connection.grace = setTimeout(() => this.#registrations.release(connection), this.#graceMs).unref();
    }
    connections.add(connection);
    socket.on("message", (message: Buffer, isBinary) => this.#receive(connection, message, isBinary));
    socket.on("close", () => this.#disconnect(connection));
    connection.send({ type: "workerregistered", worker_id: connection.id, reattach_token: connection.token });
    this.#announcements.worker("worker_connected", connection);
  }

  #receive(connection: Connection, message: Buffer, isBinary: boolean): void {
    if (connection.isGone) return;
    const frame = decodeFrame(message, isBinary);
    if (frame === undefined) {
      if (message.length > 0) this.#state.log.debug({ worker: connection.id, bytes: message.length }, "dropped a frame");
      return;
    }
    try {
      this.#handle(connection, frame, message.length);
    } catch (error) {
      this.#state.log.error({ err: error, frame: frame.type }, "a frame failed");
    }
  }

  #handle(connection: Connection, frame: WorkerFrame, bytes: number): void {
    switch (frame.type) {
      case "invokefunction":
        this.#calls.invoke(connection, frame);
        break;
      case "invocationresult":
        this.#calls.result(connection, frame);
        break;
      case "triggerregistrationresult":
        this.#registrations.triggerResult(connection, frame);
        break;
      case "reattach":
        this.#reattach(connection, frame.previous_worker_id, frame.reattach_token ?? undefined);
        break;
      case "ping":
        connection.send({ type: "pong" }, connection);
        break;
      case "pong":
        break;
      default:
        this.#registrations.receive(connection, frame, bytes);
        break;
    }
  }

  /** A worker that came back proves who it was; what is left of its former connection goes before its next frame is read. */
  #reattach(connection: Connection, previousId: string, token: string | undefined): void {
    const previous = this.#state.connections.get(previousId);
    if (previous === undefined || previous === connection || token !== previous.token) return;
    this.#disconnect(previous);
    previous.close(1000, "the worker has connected again");
  }

  /** Forgets a connection. Its socket may still be open or closing; nothing it says counts any more. */
  #disconnect(connection: Connection): void {
    if (connection.isGone) return;
    connection.isGone = true;
    this.#state.connections.remove(connection);
    connection.outbox.close();
    this.#registrations.disconnected(connection);
    this.#calls.disconnected(connection.id);
    this.#announcements.worker("worker_disconnected", connection);
  }
}

function configurationStore(setting: EngineSetting, notices: ConfigurationNotices): ConfigurationStore {
  const { configurationDirectory: directory, environment, log } = setting;
  return new ConfigurationStore({
    folder: directory === undefined ? undefined : new ConfigurationFolder(directory, log),
    environment: environment ?? process.env,
    log,
    changed: (event) => notices.tell(event),
  });
}

/** Telemetry has no reader here. */
function swallow(): void {}
