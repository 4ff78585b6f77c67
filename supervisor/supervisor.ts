/**
 * Owns the actor handles, gives every thread its peers and its configuration, and stops everything in order. One-for-one
 * supervision: the death of one actor is no reason to touch another.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../border/log.js";
import { SERVICE_METHODS, type SupervisorServices } from "../protocol/actors/services.js";
import { type ActorName, type Actors, CONTRACTS, type Peers } from "../protocol/actors.js";
import type { CallContext } from "../protocol/call.js";
import type { ConfigurationSnapshot } from "../protocol/configuration.js";
import { DirectoryError } from "../protocol/errors.js";
import type { Surroundings } from "../protocol/thread.js";
import { ActorHandle, type ActorStatus } from "./actor-handle.js";
import { type Ending, startThread } from "./incarnation.js";
import { DEFAULT_PULSE_LIMITS, type PulseLimits } from "./pulse.js";
import { DEFAULT_RESTART_LIMITS, type RestartLimits, RestartPolicy } from "./restart-policy.js";

export interface SupervisorOptions {
  /** The actors to start; the rest answers `actor_degraded`. */
  readonly actors: readonly ActorName[];
  readonly configuration: ConfigurationSnapshot;
  readonly surroundings: Surroundings;
  readonly services: SupervisorServices;
  readonly log: Logger;
  readonly pulse?: PulseLimits;
  readonly restarts?: RestartLimits;
  /** For each thread; absent: the options of this process. Tests load their fault injection with it. */
  readonly execArgv?: readonly string[];
  /** Entry modules that replace the shipped ones; for tests of the supervision itself. */
  readonly entries?: Readonly<Partial<Record<ActorName, URL>>>;
}

/** With closing the connection, which comes after it, five seconds in all. */
const DRAIN_MS = 4_500;
/** Of these, what the actors have for themselves, however long the calls take: a write that is begun must not be torn. */
const ACTOR_DRAIN_MS = 500;
const DRAIN_POLL_MS = 10;

type Ask = (method: string, request: unknown, context: CallContext) => Promise<unknown>;

export class Supervisor {
  /** For routes: refuses new work once the worker is stopping. */
  readonly actors: Actors;
  readonly #options: SupervisorOptions;
  readonly #handles = new Map<ActorName, ActorHandle>();
  readonly #peers: Peers;
  #configuration: ConfigurationSnapshot;
  #closing = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#configuration = options.configuration;
    // Actors finish what they have begun while the doors are closed, so their peers stay open until the end.
    this.#peers = { ...this.#facades((name, ...ask) => this.#ask(name, ...ask)), ...offered(options.services) };
    this.actors = this.#facades((name, ...ask) => this.#fromOutside(name, ...ask));
    for (const name of options.actors) this.#handles.set(name, this.#newHandle(name));
  }

  get configuration(): ConfigurationSnapshot {
    return this.#configuration;
  }

  /** Actors that were started, in the order of their start. */
  get names(): ActorName[] {
    return [...this.#handles.keys()];
  }

  status(name: ActorName): ActorStatus | undefined {
    return this.#handles.get(name)?.status;
  }

  /** Settles when the actor has been ready once. */
  async ready(name: ActorName): Promise<void> {
    await this.#handles.get(name)?.ready;
  }

  /** False when there is no such actor. */
  restart(name: string): boolean {
    const handle = this.#handles.get(name as ActorName);
    handle?.restart();
    return handle !== undefined;
  }

  /** Starts one more actor, at once or a little later, or does nothing when it runs. Calls may be made from now on. */
  start(name: ActorName, startAfterMs = 0): void {
    if (!this.#handles.has(name)) this.#handles.set(name, this.#newHandle(name, startAfterMs));
  }

  /** Every call that comes in from now on names the new configuration; those under way keep the one they came with. */
  configure(values: ConfigurationSnapshot["values"]): ConfigurationSnapshot {
    this.#configuration = { generation: this.#configuration.generation + 1, values };
    for (const handle of this.#handles.values()) handle.configure(this.#configuration);
    return this.#configuration;
  }

  /** Closes the doors, lets the calls in flight finish for at most `drainMs`, ends the threads. */
  async stop(drainMs = DRAIN_MS): Promise<void> {
    this.#closing = true;
    const handles = [...this.#handles.values()];
    const until = Date.now() + drainMs;
    const callsUntil = until - ACTOR_DRAIN_MS;
    while (Date.now() < callsUntil && !handles.every((handle) => handle.idle)) await sleep(DRAIN_POLL_MS);
    await Promise.all(handles.map((handle) => handle.stop(Math.max(until - Date.now(), ACTOR_DRAIN_MS))));
  }

  #facades(ask: (name: ActorName, ...ask: Parameters<Ask>) => Promise<unknown>): Actors {
    const names = Object.keys(CONTRACTS) as ActorName[];
    return Object.fromEntries(names.map((name) => [name, facade(name, (...call) => ask(name, ...call))])) as unknown as Actors;
  }

  #ask(name: ActorName, ...[method, request, context]: Parameters<Ask>): Promise<unknown> {
    const handle = this.#handles.get(name);
    if (handle === undefined)
      return Promise.reject(new DirectoryError("actor_degraded", `${name}.${method}: this worker runs without ${name}`));
    return handle.call(method, request, context);
  }

  #fromOutside(name: ActorName, ...[method, request, context]: Parameters<Ask>): Promise<unknown> {
    if (this.#closing)
      return Promise.reject(new DirectoryError("shutting_down", `${name}.${method} was asked while the worker stops`));
    return this.#ask(name, method, request, context);
  }

  #newHandle(name: ActorName, startAfterMs = 0): ActorHandle {
    const { pulse = DEFAULT_PULSE_LIMITS, restarts = DEFAULT_RESTART_LIMITS, execArgv, surroundings, entries, log } = this.#options;
    const contract = CONTRACTS[name];
    const memory = { heapKiB: contract.heapLimitMiB * 1024, bufferKiB: contract.bufferLimitMiB * 1024 };
    const entry = entries?.[name] ?? new URL(`../actors/${name}/actor.js`, import.meta.url);
    const { [name]: _itself, ...peers } = this.#peers;
    return new ActorHandle({
      startAfterMs,
      name,
      contract,
      policy: new RestartPolicy(restarts),
      spawn: () =>
        startThread({
          name,
          entry,
          peers: peers as Peers,
          pulse,
          memory,
          ...(execArgv === undefined ? {} : { execArgv }),
          surroundings,
          configuration: this.#configuration,
        }),
      stuckAfterMs: pulse.hangAfterMs,
      onEnded: (ending, next) => logEnding(log, name, ending, next),
    });
  }
}

function logEnding(log: Logger, actor: ActorName, { reason, cause }: Ending, next: string): void {
  if (reason === "stopped" || reason === "requested") log.debug({ actor, reason }, `${actor}: ${next}`);
  else log.error({ actor, reason, cause }, `${actor} died (${reason ?? cause}): ${next}`);
}

/** An object with the interface of the actor, one function for each method in its contract. */
function facade(name: ActorName, ask: Ask): object {
  const methods = Object.keys(CONTRACTS[name].methods);
  return Object.fromEntries(
    methods.map((method) => [method, (request: unknown, context: CallContext) => ask(method, request, context)]),
  );
}

/** Only the declared methods: comlink would offer whatever the objects have. */
function offered(services: SupervisorServices): SupervisorServices {
  const names = Object.keys(SERVICE_METHODS) as (keyof SupervisorServices)[];
  return Object.fromEntries(
    names.map((name) => {
      const service = services[name] as unknown as Readonly<
        Record<string, (request: unknown, context: CallContext) => Promise<unknown>>
      >;
      return [
        name,
        Object.fromEntries(
          SERVICE_METHODS[name].map((method) => [
            method,
            (request: unknown, context: CallContext) => service[method]?.(request, context),
          ]),
        ),
      ];
    }),
  ) as unknown as SupervisorServices;
}
