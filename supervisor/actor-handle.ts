/**
 * What the rest of the worker holds instead of a thread. A handle outlives every incarnation of its actor: callers see a call
 * that takes a little longer, or a DirectoryError, and never a dead port.
 *
 *   starting ──ready──▶ running ──death──▶ waiting ──delay──▶ starting        too many deaths ──▶ degraded ──probe is ready──▶ running
 */
import type { ActorContract, CallContext, MethodContract } from "../protocol/call.js";
import type { ConfigurationSnapshot } from "../protocol/configuration.js";
import { DirectoryError } from "../protocol/errors.js";
import { Call } from "./call.js";
import type { Ending, EndReason, Incarnation } from "./incarnation.js";
import { LatencyRecord, type MethodLatency } from "./latency.js";
import { Mailbox } from "./mailbox.js";
import type { ThreadMemory } from "./pulse.js";
import type { RestartPolicy } from "./restart-policy.js";

export type ActorState = "starting" | "running" | "waiting" | "degraded" | "stopped";

export interface HandleOptions {
  readonly name: string;
  readonly contract: Omit<ActorContract<unknown>, "methods"> & { readonly methods: Readonly<Record<string, MethodContract>> };
  readonly policy: RestartPolicy;
  readonly spawn: () => Incarnation;
  /** After all places in the window are overdue for this long, the actor counts as stuck though its event loop turns. */
  readonly stuckAfterMs: number;
  /** Milliseconds until the first start; calls wait for it as they wait for a restart. */
  readonly startAfterMs?: number;
  /** Told of every death and of what is done about it; for the log. */
  readonly onEnded?: (ending: Ending, next: string) => void;
}

export interface ActorStatus {
  readonly state: ActorState;
  readonly restarts: number;
  readonly inFlight: number;
  readonly methods: Readonly<Record<string, MethodLatency>>;
  readonly lastEnding?: Ending;
  /** Of the living thread. */
  readonly memory?: ThreadMemory;
}

export class ActorHandle {
  readonly #options: HandleOptions;
  readonly #mailbox: Mailbox;
  readonly #latency = new LatencyRecord();
  #state: ActorState = "starting";
  #incarnation: Incarnation | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #stuckTimer: NodeJS.Timeout | undefined;
  #restarts = 0;
  #lastEnding: Ending | undefined;
  #firstReady!: Promise<void>;
  #markReady!: () => void;

  constructor(options: HandleOptions) {
    this.#options = options;
    this.#mailbox = new Mailbox(options.contract.mailboxLimit, options.contract.window);
    this.#firstReady = new Promise((resolve) => {
      this.#markReady = resolve;
    });
    const { startAfterMs = 0 } = options;
    if (startAfterMs === 0) this.#start();
    else this.#restartTimer = setTimeout(() => this.#start(), startAfterMs);
  }

  /** Settles at the deadline of the context at the latest; rejects with a DirectoryError and nothing else. */
  call(method: string, request: unknown, context: CallContext): Promise<unknown> {
    const { name, contract } = this.#options;
    const { idempotent } = contract.methods[method] ?? { idempotent: false };
    const call = new Call({ actor: name, method, idempotent }, request, context, (settled) => this.#settled(settled));
    if (this.#state === "stopped") call.fail("shutting_down", "was asked while the worker stops");
    else if (this.#state === "degraded") call.fail("actor_degraded", "is unavailable: its actor keeps dying", this.#lastEnding);
    else if (this.#mailbox.full) call.fail("busy", `has ${this.#mailbox.size} calls before this one`);
    else this.#mailbox.post(call);
    this.#pump();
    return call.answer;
  }

  get status(): ActorStatus {
    return {
      state: this.#state,
      restarts: this.#restarts,
      inFlight: this.#mailbox.size,
      methods: this.#latency.summary(),
      ...(this.#lastEnding === undefined ? {} : { lastEnding: this.#lastEnding }),
      ...(this.#incarnation === undefined ? {} : { memory: this.#incarnation.memory }),
    };
  }

  get idle(): boolean {
    return this.#mailbox.idle;
  }

  /** Ends the thread; the next one starts at once, and nothing of this counts against the actor or its calls. */
  restart(): void {
    this.#incarnation?.end("requested");
  }

  /** Settles when a thread is ready for the first time; never when none ever is. */
  get ready(): Promise<void> {
    return this.#firstReady;
  }

  /** Hands a message to the living thread, outside the mailbox: the next thread gets the newest configuration at its start. */
  configure(snapshot: ConfigurationSnapshot): void {
    this.#incarnation?.configure(snapshot);
  }

  /** Lets the thread write what must not be lost, then ends it. */
  async stop(drainMs = 0): Promise<void> {
    if (this.#state === "running" && drainMs > 0) await this.#incarnation?.drain(drainMs);
    this.#state = "stopped";
    clearTimeout(this.#restartTimer);
    clearTimeout(this.#stuckTimer);
    for (const call of this.#mailbox.empty()) call.fail("shutting_down", "was not sent before the worker stopped");
    this.#incarnation?.end("stopped");
    await this.#incarnation?.ended;
  }

  #start(): void {
    if (this.#state !== "degraded") this.#state = "starting";
    const incarnation = this.#options.spawn();
    this.#incarnation = incarnation;
    void incarnation.ended.then((ending) => this.#ended(ending));
    void incarnation.ready.then(() => {
      if (this.#incarnation !== incarnation || this.#state === "stopped") return;
      this.#state = "running";
      this.#markReady();
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#state !== "running" || this.#incarnation === undefined) return;
    for (let call = this.#mailbox.take(); call !== undefined; call = this.#mailbox.take()) void this.#send(call, this.#incarnation);
  }

  async #send(call: Call, incarnation: Incarnation): Promise<void> {
    call.sentAt = Date.now();
    const settle = await incarnation.send(call.target.method, call.request, call.context).then(
      (value) => () => call.succeed(value),
      (error: unknown) => () =>
        call.failWith(error instanceof DirectoryError ? error : new DirectoryError("invalid_request", String(error))),
    );
    if (this.#incarnation !== incarnation) return; // the call was settled or sent again when this thread died
    this.#mailbox.answered(call);
    this.#latency.add(call.target.method, Date.now() - call.sentAt);
    settle();
    this.#pump();
  }

  /** Also reached by calls at their deadline: those in the mailbox leave it, those sent are watched for a stuck actor. */
  #settled(call: Call): void {
    this.#mailbox.withdraw(call);
    if (this.#stuckTimer !== undefined || !this.#mailbox.stuck) return;
    const incarnation = this.#incarnation;
    this.#stuckTimer = setTimeout(() => {
      this.#stuckTimer = undefined;
      if (this.#incarnation === incarnation && this.#mailbox.stuck) incarnation?.end("stuck");
    }, this.#options.stuckAfterMs).unref();
  }

  #ended(ending: Ending): void {
    this.#incarnation = undefined;
    this.#lastEnding = ending;
    for (const call of this.#mailbox.lose()) this.#afterLoss(call, ending);
    if (this.#state === "stopped") {
      this.#options.onEnded?.(ending, "stopped");
      return;
    }
    this.#restarts++;
    const { kind, delayMs } = this.#nextStart(ending.reason);
    this.#state = kind === "probe" ? "degraded" : "waiting";
    if (kind === "probe")
      for (const call of this.#mailbox.empty()) call.fail("actor_degraded", "is unavailable: its actor keeps dying", ending);
    this.#options.onEnded?.(
      ending,
      kind === "probe" ? `degraded, probed in ${delayMs} ms` : `started again in ${Math.round(delayMs)} ms`,
    );
    this.#restartTimer = setTimeout(() => this.#start(), delayMs);
  }

  #nextStart(reason: EndReason | undefined): { kind: "restart" | "probe"; delayMs: number } {
    return reason === "requested" ? { kind: "restart", delayMs: 0 } : this.#options.policy.afterDeath(Date.now());
  }

  #afterLoss(call: Call, ending: Ending): void {
    if (call.settled) return;
    if (ending.reason !== "requested") call.deaths++;
    const again = call.target.idempotent && call.deaths < 2 && this.#state !== "stopped";
    if (again) this.#mailbox.sendAgain(call);
    else call.fail("actor_restarted", call.deaths < 2 ? "was in flight when its actor died" : "killed its actor twice", ending);
  }
}
