/** The worker as an operator starts it: `iii-directory serve` in a process and a world of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { ActorName } from "../../protocol/actors.js";
import { CLI } from "./embedded-engine-process.js";
import { foreignEngineUrl } from "./engine.js";
import type { Fault } from "./faults.js";
import { temporaryFolder } from "./temporary.js";

const LIMIT_MS = 30_000;
const running = new Set<ChildProcess>();

process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export interface WorkerProcessOptions {
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Another program than the command line's `serve`. */
  readonly program?: readonly string[];
  /** Its folder: home, project and cache. Default: an empty one. */
  readonly folder?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Standard output and standard error. */
  readonly out: string;
  readonly errors: string;
  /** Milliseconds from the last signal of the test, or from the start. */
  readonly took: number;
}

export class WorkerProcess {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #watchers = new Set<() => void>();
  #since = Date.now();
  #out = "";
  #errors = "";

  constructor({ flags = [], env = {}, program = [CLI, "serve"], folder = temporaryFolder() }: WorkerProcessOptions = {}) {
    // An engine that outlives the test must not hand its settings to the next one.
    const entry = foreignEngineUrl() === undefined ? undefined : `iii-directory-${randomUUID()}`;
    const world = {
      III_CONFIG_NAME: entry,
      HOME: folder,
      III_COMPOSE_DIR: folder,
      XDG_CACHE_HOME: folder,
      LOG_LEVEL: "info",
      III_URL: undefined,
    };
    const faults = new URL("./faults.js", import.meta.url).href;
    this.#child = spawn(process.execPath, ["--import", faults, ...program, ...flags], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { ...process.env, ...world, ...env },
    });
    running.add(this.#child);
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      this.#out += chunk.toString();
      this.#wake();
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#errors += chunk.toString();
      this.#wake();
    });
    this.ended = this.#ending();
  }

  /** What it wrote so far, both streams. */
  get said(): string {
    return this.#out + this.#errors;
  }

  /** Settles when it has said so; rejects with all that it said when it ends or takes too long. */
  async says(pattern: RegExp, limitMs = LIMIT_MS): Promise<void> {
    const until = Date.now() + limitMs;
    while (!pattern.test(this.said)) {
      const left = until - Date.now();
      if (this.#child.exitCode !== null || left <= 0) throw new Error(`it didn't say ${pattern}:\n${this.said}`);
      await this.#more(left);
    }
  }

  ready(): Promise<void> {
    return this.says(/is ready on ws:/);
  }

  signal(signal: NodeJS.Signals): void {
    this.#since = Date.now();
    this.#child.kill(signal);
  }

  /** As an operator does it. */
  stop(): Promise<Ended> {
    this.signal("SIGTERM");
    return this.ended;
  }

  order(actor: ActorName, fault: Fault): void {
    this.#child.send({ actor, fault });
  }

  async #ending(): Promise<Ended> {
    const [code, signal] = (await once(this.#child, "close")) as [number | null, NodeJS.Signals | null];
    running.delete(this.#child);
    this.#wake();
    return { code, signal, out: this.#out, errors: this.#errors, took: Date.now() - this.#since };
  }

  #wake(): void {
    for (const wake of this.#watchers) wake();
    this.#watchers.clear();
  }

  async #more(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#watchers.add(resolve);
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }
}

/** Starts one, gives it to the test, and ends it whatever happens. */
export async function withWorker(options: WorkerProcessOptions, body: (worker: WorkerProcess) => Promise<void>): Promise<void> {
  const worker = new WorkerProcess(options);
  try {
    await body(worker);
  } finally {
    worker.signal("SIGKILL");
    await worker.ended;
  }
}
