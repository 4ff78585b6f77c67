/** The example workers of `iii-directory start`, each a process of its own, which is started again when it dies. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { packageFile } from "./package.js";

/** What an example says on its channel once the engine knows its functions. */
interface ExampleReady {
  readonly name: string;
  readonly functions: number;
}

const FIRST_DELAY_MS = 500;
/** An example that dies so often without having been ready will not get better by itself. */
const MOST_VAIN_STARTS = 3;
/** Small programs need little; without a limit each would take what the machine has. */
const MEMORY = ["--max-old-space-size=128", "--max-semi-space-size=2"];

export class ExampleWorkers {
  readonly #env: NodeJS.ProcessEnv;
  readonly #running = new Map<string, ChildProcess>();
  readonly #functions = new Map<string, number>();
  readonly #settled = new Set<string>();
  #entries: readonly string[] = [];
  #onSettled: () => void = () => {};
  #stopped = false;

  /** `dataFolder` is where they keep what they store. */
  constructor(env: NodeJS.ProcessEnv, url: string, dataFolder: string) {
    mkdirSync(dataFolder, { recursive: true });
    this.#env = { ...env, III_URL: url, III_WORKER_NAME: undefined, III_EXAMPLES_DATA: dataFolder };
  }

  /** Settles when each has registered its functions or was given up; gives how many workers and functions there are. */
  async start(): Promise<{ workers: number; functions: number }> {
    this.#entries = exampleEntries();
    const settled = new Promise<void>((resolve) => {
      this.#onSettled = resolve;
    });
    for (const entry of this.#entries) this.#run(entry, 0);
    if (this.#entries.length > 0) await settled;
    return { workers: this.#functions.size, functions: [...this.#functions.values()].reduce((sum, count) => sum + count, 0) };
  }

  stop(signal: NodeJS.Signals): void {
    this.#stopped = true;
    for (const child of this.#running.values()) child.kill(signal);
  }

  #run(entry: string, vainStarts: number): void {
    const name = basename(dirname(entry));
    let wasReady = false;
    const child = spawn(process.execPath, [...MEMORY, entry], {
      env: this.#env,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      detached: true,
      windowsHide: true,
    });
    this.#running.set(entry, child);
    child.on("error", (error) => console.error(`The example worker ${name} could not be started: ${error.message}`));
    child.on("message", ({ functions }: ExampleReady) => {
      wasReady = true;
      this.#functions.set(entry, functions);
      this.#settle(entry);
    });
    child.on("exit", (code, signal) => {
      this.#running.delete(entry);
      if (!this.#stopped) this.#again(entry, name, `${signal ?? `exit code ${code}`}`, wasReady ? 0 : vainStarts + 1);
    });
  }

  #again(entry: string, name: string, how: string, vainStarts: number): void {
    if (vainStarts >= MOST_VAIN_STARTS) {
      console.error(`The example worker ${name} doesn't start (${how}); it is left out.`);
      this.#settle(entry);
      return;
    }
    const delayMs = FIRST_DELAY_MS * 2 ** vainStarts;
    console.error(`The example worker ${name} died (${how}); starting it again in ${delayMs / 1000} s.`);
    setTimeout(() => !this.#stopped && this.#run(entry, vainStarts), delayMs);
  }

  #settle(entry: string): void {
    this.#settled.add(entry);
    if (this.#settled.size === this.#entries.length) this.#onSettled();
  }
}

function exampleEntries(): string[] {
  const folder = packageFile("dist", "examples");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name, "worker.js"))
    .filter((entry) => existsSync(entry))
    .sort();
}
