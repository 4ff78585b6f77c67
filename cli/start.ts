/**
 * `iii-directory start` (and `npm start`): a small launcher. It runs the worker in a process of its own and starts that again when it
 * dies as a whole, because some memory faults take all threads with them; and while the embedded engine is in charge it runs the
 * example workers, so that a first search finds something.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { DEFAULT_URL, withEngine } from "./engine-client.js";
import { CommandError, UsageError } from "./errors.js";
import { PACKAGE_ROOT, packageFile } from "./package.js";
import { DEFAULT_PORT, portOf } from "./port.js";
import type { ReadyMessage } from "./serve.js";
import { ExampleWorkers } from "./start-examples.js";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A worker that lived so long has proved itself: the next death starts with the short delay again. */
const PROVEN_MS = 60_000;
const SIGNAL_EXIT_MS = 8_000;
const TRY = 'npx iii-directory search "store a value under a key and read it back"';

export function addStartCommand(program: Command): void {
  program
    .command("start")
    .description("run the worker, with an engine and example workers of its own where no engine answers")
    .option("--config <path>", "YAML file of settings")
    .option("--url <url>", "address of the engine; else III_URL, else ws://127.0.0.1:49134")
    .option("--port <number>", `port of the embedded engine; else ${DEFAULT_PORT}; 0 takes a free one`)
    .option("--no-examples", "leave the example workers out")
    .action((options: StartOptions) => {
      if (options.port !== undefined && options.url !== undefined) {
        throw new UsageError("--port belongs to the embedded engine; with --url another one is used");
      }
      return new Launcher({ ...options, ...(options.port === undefined ? {} : { port: String(portOf(options.port)) }) }).run();
    });
}

interface StartOptions {
  readonly config?: string;
  readonly url?: string;
  readonly port?: string;
  readonly examples: boolean;
}

class Launcher {
  readonly #options: StartOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #base: string;
  #port: string | undefined;
  #worker: ChildProcess | undefined;
  #examples: ExampleWorkers | undefined;
  #delayMs = FIRST_DELAY_MS;
  #stopping = false;
  #wasReady = false;

  constructor(options: StartOptions) {
    this.#options = options;
    this.#port = options.port;
    this.#base = process.env["III_COMPOSE_DIR"]?.trim() || dataFolder();
    this.#env = { ...process.env, III_COMPOSE_DIR: this.#base };
    copySkills(this.#base);
  }

  /** Settles when the worker ended for good; rejects when it never could start. */
  run(): Promise<void> {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => this.#stop());
    // Whoever started this process with a channel and died can't stop it any more.
    process.once("disconnect", () => this.#stop());
    process.channel?.unref();
    process.on("exit", () => this.#kill("SIGKILL"));
    return new Promise((_, reject) => this.#startWorker(reject));
  }

  #startWorker(fail: (error: Error) => void): void {
    const { config, url } = this.#options;
    const flags = [
      "--engine",
      "auto",
      ...(config === undefined ? [] : ["--config", resolve(config)]),
      ...(url === undefined ? [] : ["--url", url]),
      ...(this.#port === undefined ? [] : ["--port", this.#port]),
    ];
    const startedAt = Date.now();
    // In a group of its own: Ctrl-C in a terminal reaches every process of a group, and a second signal would end the draining at once.
    const worker = spawn(process.execPath, [packageFile("dist", "cli", "main.js"), "serve", ...flags], {
      env: this.#env,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      detached: true,
      windowsHide: true,
    });
    this.#worker = worker;
    worker.on("message", (message) => void this.#ready(message as ReadyMessage));
    worker.on("error", (error) => fail(new CommandError(`The worker could not be started: ${error.message}`)));
    worker.on("exit", (code, signal) => this.#ended(code, signal, Date.now() - startedAt, fail));
  }

  async #ready({ url, embedded }: ReadyMessage): Promise<void> {
    if (this.#wasReady) return;
    this.#wasReady = true;
    if (embedded) this.#port = new URL(url).port;
    if (embedded) console.log(`Console: ${url.replace(/^ws:/, "http:")}/`);
    const isFoundWithoutFlag = url === (process.env["III_URL"]?.trim() || DEFAULT_URL);
    const command = `${TRY}${isFoundWithoutFlag ? "" : ` --url ${url}`}`;
    if (!embedded || !this.#options.examples) return console.log(`Try: ${command}`);
    console.log(`Starting the example workers. When they are there, try: ${command}`);
    await this.#startExamples(url);
  }

  /** What they offer is searchable when this settles: the directory is told, instead of waiting for the engine's next announcement. */
  async #startExamples(url: string): Promise<void> {
    this.#examples = new ExampleWorkers(this.#env, url, join(this.#base, "examples"));
    const { workers, functions } = await this.#examples.start();
    await withEngine({ url }, (engine) => engine.call("directory::on-functions-change", {})).catch(() => {});
    if (!this.#stopping)
      console.log(`${workers} example workers serve ${functions} functions. What they store is in ${this.#base}`);
  }

  #ended(code: number | null, signal: string | null, livedMs: number, fail: (error: Error) => void): void {
    this.#worker = undefined;
    if (this.#stopping || code === 0) return this.#exit(0);
    // A fault that was there from the beginning, such as a port in use, was said by the worker and will not go away.
    if (!this.#wasReady && code !== null) return this.#exit(code);
    if (livedMs > PROVEN_MS) this.#delayMs = FIRST_DELAY_MS;
    console.error(`The worker died (${signal ?? `exit code ${code}`}); starting it again in ${this.#delayMs / 1000} s.`);
    setTimeout(() => !this.#stopping && this.#startWorker(fail), this.#delayMs);
    this.#delayMs = Math.min(LONGEST_DELAY_MS, this.#delayMs * 2);
  }

  #stop(): void {
    // A second signal ends at once: somebody is in a hurry.
    if (this.#stopping) return this.#exit(0);
    this.#stopping = true;
    this.#kill("SIGTERM");
    setTimeout(() => this.#exit(0), SIGNAL_EXIT_MS).unref();
    if (this.#worker === undefined) this.#exit(0);
  }

  #kill(signal: NodeJS.Signals): void {
    this.#worker?.kill(signal);
    this.#examples?.stop(signal);
  }

  #exit(code: number): void {
    this.#kill("SIGTERM");
    process.exit(code);
  }
}

const BUNDLED_FOLDERS = ["system-prompts", "agents"];

/** An ignored folder of a checkout; an installed package must not write into itself. */
function dataFolder(): string {
  const isCheckout = existsSync(join(PACKAGE_ROOT, ".gitignore"));
  const folder = isCheckout ? join(PACKAGE_ROOT, ".data") : resolve(".iii-directory");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The worker's own pages, where a newcomer has none: the same bundle that a registry would bring. */
function copySkills(base: string): void {
  const pages = packageFile("skills");
  const target = join(base, "skills");
  const isEmpty = !existsSync(target) || readdirSync(target).length === 0;
  if (!existsSync(pages) || !isEmpty) return;
  mkdirSync(target, { recursive: true });
  // Bundled prompts and profiles are served from the package: a copy would stand before them for ever.
  const isPage = (path: string): boolean => !BUNDLED_FOLDERS.some((folder) => path === join(pages, folder));
  cpSync(pages, join(target, "iii-directory"), { recursive: true, filter: isPage });
}
