/**
 * Searches under load on the whole way: caller, embedded engine and worker are processes, and functions are registered as workers do it. And
 * how long a change takes from its announcement until a search shows it.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StatusResponse } from "../../protocol/functions/administration.js";
import type { SearchFunctionsResponse } from "../../protocol/functions/search.js";
import { Peer } from "../../test/harness/peer.js";
import { temporaryFolder } from "../../test/harness/temporary.js";
import { WorkerProcess } from "../../test/harness/worker-process.js";
import { Caller } from "./caller.js";
import { closedLoop } from "./closed-loop.js";
import { generate, needs, type Synthetic } from "./generator.js";
import { CHURN_MS, type LoadMode, type LoadRun, type Visibility } from "./load-result.js";
import { MEANINGS } from "./meanings.js";

export interface ThroughEngineRequest {
  readonly functions: number;
  readonly mode: LoadMode;
  readonly concurrencies: readonly number[];
  /** How long each run takes. */
  readonly milliseconds: number;
  /** Concurrency of runs with and without churn, one after the other; none: 0. */
  readonly churnAt: number;
  /** Changes whose way to a search is timed. */
  readonly changes: number;
}

export interface ThroughEngineResult {
  readonly runs: readonly LoadRun[];
  readonly visibility: readonly Visibility[];
}

const WARM_UP_MS = 1_000;
/** Different needs a run asks for; vectors of needs are kept, so hybrid runs add a number to make each a new one. */
const NEEDS = 400;
const PATIENCE_MS = 600_000;
const UNSEEN_AFTER_MS = 10_000;

export async function loadThroughEngine(request: ThroughEngineRequest): Promise<ThroughEngineResult> {
  const { functions, mode, concurrencies, milliseconds, churnAt, changes } = request;
  const site = await Site.open(generate(functions), mode);
  const about = { functions, mode, through: "engine" } as const;
  const runs: LoadRun[] = [];
  const measure = async (concurrency: number, churn: boolean): Promise<void> => {
    const run = await site.load(concurrency, milliseconds);
    runs.push({ ...about, churn, ...run });
  };
  for (const concurrency of concurrencies) await measure(concurrency, false);
  if (churnAt > 0) {
    const stop = site.churn();
    await measure(churnAt, true);
    await stop();
  }
  const visibility: Visibility[] = [];
  if (changes > 0 && mode !== "jev") {
    const byTerm = generate(changes, 77).map((added, at) => {
      const word = `novelty${at}quux`;
      return { added: { ...added, description: `Handles ${word} for everybody.` }, need: `handles ${word}` };
    });
    visibility.push({ ...about, found: "by a term", ...(await site.see(byTerm)) });
    if (mode === "hybrid") visibility.push({ ...about, found: "by meaning", ...(await site.see(MEANINGS.slice(0, changes))) });
  }
  await site.close();
  return { runs, visibility };
}

interface Change {
  readonly added: Synthetic;
  readonly need: string;
}

class Site {
  readonly #engine: ChildProcess;
  readonly #worker: WorkerProcess;
  readonly #judge: ChildProcess | undefined;
  readonly #offering: Peer;
  readonly #caller: Caller;
  readonly #needs: readonly string[] = needs(NEEDS);
  readonly #mode: LoadMode;
  #announced = 0;
  #asked = 0;

  private constructor(
    [engine, judge]: readonly [ChildProcess, ChildProcess | undefined],
    worker: WorkerProcess,
    offering: Peer,
    caller: Caller,
    mode: LoadMode,
  ) {
    this.#engine = engine;
    this.#worker = worker;
    this.#judge = judge;
    this.#offering = offering;
    this.#caller = caller;
    this.#mode = mode;
  }

  static async open(functions: readonly Synthetic[], mode: LoadMode): Promise<Site> {
    const engine = fork(fileURLToPath(new URL("engine-main.js", import.meta.url)), { stdio: "ignore" });
    const [{ url }] = (await once(engine, "message")) as [{ url: string }];
    const offering = await Peer.hello(url, "offering");
    for (const each of functions) offering.send(registration(each));
    await offering.sync();
    const { judge, endpoint } = mode === "jev" ? await startJudge() : { judge: undefined, endpoint: undefined };
    const worker = startWorker(url, mode, endpoint);
    await worker.ready();
    const site = new Site([engine, judge], worker, offering, await Caller.connect(url), mode);
    await site.#listen();
    await site.#until(({ functions: read, embedded }) => read >= functions.length && (mode !== "hybrid" || embedded === read));
    await closedLoop({ concurrency: 4, milliseconds: WARM_UP_MS, call: () => site.#search(site.#nextNeed()) });
    return site;
  }

  async load(concurrency: number, milliseconds: number): Promise<Omit<LoadRun, "functions" | "mode" | "churn" | "through">> {
    const search = (): Promise<unknown> => this.#search(this.#nextNeed());
    await closedLoop({ concurrency, milliseconds: WARM_UP_MS / 2, call: search });
    await this.#status();
    const loop = await closedLoop({ concurrency, milliseconds, call: search });
    const { event_loop_delay_ms: delay } = await this.#status();
    return { ...loop, delay };
  }

  /** A function comes and another one goes, again and again, until what comes back is called. */
  churn(): () => Promise<void> {
    const coming = generate(500, 99);
    let at = 0;
    const timer = setInterval(() => {
      const [added, removed] = [coming[at % coming.length], coming[(at + coming.length - 5) % coming.length]];
      at++;
      if (added !== undefined) this.#offering.send(registration(added));
      if (removed !== undefined) this.#offering.send({ type: "unregisterfunction", id: removed.id });
    }, CHURN_MS);
    return async () => {
      clearInterval(timer);
      for (const { id } of coming) this.#offering.send({ type: "unregisterfunction", id });
      await this.#offering.sync();
    };
  }

  async see(changes: readonly Change[]): Promise<Pick<Visibility, "times" | "unseen">> {
    const times: number[] = [];
    for (const { added, need } of changes) {
      this.#announced = 0;
      this.#offering.send(registration(added));
      const limit = performance.now() + UNSEEN_AFTER_MS;
      let isShown = false;
      while (!isShown && performance.now() < limit) isShown = shows(await this.#search(need), added.id);
      if (isShown && this.#announced > 0) times.push(performance.now() - this.#announced);
      this.#offering.send({ type: "unregisterfunction", id: added.id });
      await this.#offering.sync();
    }
    return { times, unseen: changes.length - times.length };
  }

  async close(): Promise<void> {
    this.#caller.close();
    await this.#worker.stop();
    await this.#offering.close();
    this.#engine.disconnect();
    this.#judge?.kill();
  }

  /** The engine announces to us what it announces to the worker. */
  async #listen(): Promise<void> {
    const listen = (): void => {
      if (this.#announced === 0) this.#announced = performance.now();
    };
    await this.#offering.serve("offering::heard", listen);
    await this.#offering.bind("offering-heard", "engine::functions-available", "offering::heard");
  }

  #nextNeed(): string {
    const number = this.#asked++;
    const need = this.#needs[number % NEEDS] ?? "";
    return this.#mode === "hybrid" ? `${need} ${number}` : need;
  }

  async #search(need: string): Promise<SearchFunctionsResponse> {
    return (await this.#caller.call("directory::search_functions", { capabilities: [need] })) as SearchFunctionsResponse;
  }

  async #status(): Promise<StatusResponse> {
    return (await this.#caller.call("iii-directory::status", {})) as StatusResponse;
  }

  async #until(holds: (catalog: { readonly functions: number; readonly embedded: number }) => boolean): Promise<void> {
    const limit = Date.now() + PATIENCE_MS;
    for (;;) {
      const report = (await this.#status()).actors["catalog"]?.report as Parameters<typeof holds>[0] | undefined;
      if (report !== undefined && holds(report)) return;
      if (Date.now() > limit) throw new Error(`the catalogue isn't read after ${PATIENCE_MS} ms: ${JSON.stringify(report)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function shows({ workers }: SearchFunctionsResponse, id: string): boolean {
  return workers.some(({ functions }) => functions.some(({ function_id }) => function_id === id));
}

function registration({ id, description, parameters }: Synthetic): object {
  return { type: "registerfunction", id, description, request_format: parameters };
}

function startWorker(url: string, mode: LoadMode, endpoint: string | undefined): WorkerProcess {
  const folder = temporaryFolder();
  const seed = join(folder, "seed.yaml");
  writeFileSync(seed, `function_search_mode: ${mode}\nregistry_search: false\nauto_download: false\n`);
  const env = { LOG_LEVEL: "error" };
  if (endpoint === undefined) return new WorkerProcess({ flags: ["--url", url, "--config", seed], folder, env });
  // The address of the real judge is fixed, so the worker that asks another one is a program of the tests.
  const program = [fileURLToPath(new URL("../../test/harness/jev-worker.js", import.meta.url))];
  return new WorkerProcess({ program, folder, env: { ...env, III_URL: url, JEV_ENDPOINT: endpoint, TYPESAFE_API_KEY: "bench" } });
}

/** Answers at once: what is measured is what judging costs us. */
async function startJudge(): Promise<{ judge: ChildProcess; endpoint: string }> {
  const program = fileURLToPath(new URL("../../test/harness/jev-main.js", import.meta.url));
  const judge = fork(program, ["--lenient", "--score", "0.1", "--base-ms", "0", "--question-ms", "0"], { stdio: "ignore" });
  const [{ endpoint }] = (await once(judge, "message")) as [{ endpoint: string }];
  return { judge, endpoint };
}
