/** Debian's chromium for the tests of the console, and one worker with the embedded engine for it to look at. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { ROOT } from "./shared.js";
import { temporaryFolder } from "./temporary.js";
import { WorkerProcess } from "./worker-process.js";

const EXECUTABLE = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path !== undefined && existsSync(path),
);

/** Says, once a file, what is left out without a browser. Use as `const check = needsBrowser(test, "console")`. */
export function needsBrowser<Test extends { skip: (...args: never[]) => void }>(test: Test, what: string): Test | Test["skip"] {
  if (EXECUTABLE !== undefined) return test;
  console.log(`skipped: ${what} (chromium is missing: apt-get install chromium)`);
  return test.skip;
}

export function launch(): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error("chromium is missing");
  // A container has no second user to shut the browser in; what it opens is only what we serve.
  return chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

export const AXE = join(ROOT, "node_modules", "axe-core", "axe.min.js");

/** A worker with the embedded engine, in a folder of its own, and a browser. */
export class ConsoleWorld {
  readonly folder = temporaryFolder();
  readonly worker: WorkerProcess;
  /** Address of the console. */
  url = "";
  /** What the pages complained of. */
  readonly complaints: string[] = [];
  #browser: Browser | undefined;

  constructor(
    settings = "function_search_mode: lexical\nfilter_unregistered: false\nauto_download: false\nregistry_search: false\n",
  ) {
    const seed = join(temporaryFolder(), "seed.yaml");
    writeFileSync(seed, settings);
    const flags = ["--engine", "embedded", "--port", "0", "--config", seed];
    this.worker = new WorkerProcess({ folder: this.folder, flags, env: { LOG_LEVEL: "warn" } });
  }

  async open(): Promise<void> {
    await this.worker.ready();
    this.url = (/ready on (ws:\/\/[\d.:]+)/.exec(this.worker.said)?.[1] ?? "").replace(/^ws/, "http");
    this.#browser = await launch();
  }

  /** A tab with a storage of its own. */
  async page(route: string, options: BrowserContextOptions = {}): Promise<Page> {
    if (this.#browser === undefined) throw new Error("the browser is not open");
    const context = await this.#browser.newContext({ viewport: { width: 1_280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    await page.goto(`${this.url}/#/${route}`);
    return page;
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    this.worker.signal("SIGKILL");
    await this.worker.ended;
  }
}
