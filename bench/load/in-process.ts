/**
 * Searches under load over catalogues that no engine holds: the supervisor and its threads in this process, over an engine that is a list,
 * with an embedding without a network. And what the threads hold.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "../../border/log.js";
import { DEFAULT_CONFIGURATION } from "../../domain/configuration.js";
import type { ActorName } from "../../protocol/actors.js";
import type { SearchFunctionsResponse } from "../../protocol/functions/search.js";
import { EventLoopWatch } from "../../supervisor/event-loop.js";
import { Supervisor } from "../../supervisor/supervisor.js";
import { newContext } from "../../test/harness/context.js";
import { testSurroundings } from "../../test/harness/supervised.js";
import { closedLoop } from "./closed-loop.js";
import { COLLECTING, collectEverywhere } from "./collecting.js";
import { generate, needs, type Synthetic } from "./generator.js";
import { ListedEngine } from "./listed-engine.js";
import { CHURN_MS, type Footprint, type LoadMode, type LoadRun, type ThreadFootprint, type Visibility } from "./load-result.js";

export interface InProcessRequest {
  readonly functions: number;
  readonly mode: Exclude<LoadMode, "jev">;
  readonly concurrencies: readonly number[];
  /** How long each run takes; 0: only what is held is measured. */
  readonly milliseconds: number;
  /** Concurrency of the run with churn; none: 0. */
  readonly churnAt: number;
  /** Changes whose way to a search is timed. */
  readonly changes: number;
}

export interface InProcessResult {
  readonly footprint: Footprint;
  readonly runs: readonly LoadRun[];
  readonly visibility: readonly Visibility[];
  /** Actors whose thread had to be started again, with the reason. */
  readonly restarts: readonly string[];
}

const ACTORS = ["catalog", "embedding", "search", "fs"] as const satisfies ActorName[];
const NEEDS = 400;
const WARM_UP_MS = 500;
const PATIENCE_MS = 1_200_000;
const CALL_MS = 10_000;
const UNSEEN_AFTER_MS = 20_000;
const MIB = 1_024;

export async function loadInProcess(request: InProcessRequest): Promise<InProcessResult> {
  const { functions, mode, concurrencies, milliseconds, churnAt, changes } = request;
  const about = { functions, mode, through: "process" } as const;
  const site = new Site(generate(functions), mode);
  const footprint = { functions, mode, ...(await site.settle(functions)) };
  const runs: LoadRun[] = [];
  const measure = async (concurrency: number, churn: boolean): Promise<void> => {
    runs.push({ ...about, churn, ...(await site.load(concurrency, milliseconds)) });
  };
  for (const concurrency of concurrencies) await measure(concurrency, false);
  if (churnAt > 0) {
    const stop = site.churn();
    await measure(churnAt, true);
    stop();
  }
  const visibility: Visibility[] = [];
  if (changes > 0) {
    visibility.push({ ...about, found: "by a term", ...(await site.see(changes, (at) => `handles novelty${at}quux`)) });
    if (mode === "hybrid") {
      visibility.push({ ...about, found: "by meaning", ...(await site.see(changes, (at) => `zb${at}1 zb${at}2 zb${at}3`)) });
    }
  }
  return { footprint, runs, visibility, restarts: await site.close() };
}

class Site {
  readonly #engine: ListedEngine;
  readonly #supervisor: Supervisor;
  readonly #watch = new EventLoopWatch();
  readonly #needs = needs(NEEDS);
  readonly #mode: LoadMode;
  #asked = 0;

  constructor(functions: readonly Synthetic[], mode: LoadMode) {
    this.#mode = mode;
    this.#engine = new ListedEngine(functions);
    this.#supervisor = new Supervisor({
      actors: ACTORS,
      configuration: {
        generation: 1,
        values: { ...DEFAULT_CONFIGURATION, function_search_mode: mode, auto_download: false, registry_search: false },
      },
      surroundings: testSurroundings(),
      services: { bus: this.#engine, doorbells: { ring: async () => {} } },
      log: createLogger("supervisor", "silent"),
      execArgv: COLLECTING,
      entries: { embedding: new URL("./synthetic-embedding.js", import.meta.url) },
    });
  }

  /** Waits until everything is read, and looks at what is held then. */
  async settle(functions: number): Promise<Omit<Footprint, "functions" | "mode">> {
    const begin = performance.now();
    await this.#until((report) => report.functions === functions);
    const readMs = performance.now() - begin;
    let embeddedMs: number | undefined;
    if (this.#mode === "hybrid") {
      await this.#until(({ embedded }) => embedded === functions);
      embeddedMs = performance.now() - begin;
    }
    await this.load(4, WARM_UP_MS);
    // Vectors are written five seconds after the last one.
    await sleep(7_000);
    for (let round = 0; round < 3; round++) {
      collectEverywhere();
      await sleep(700);
    }
    return {
      residentMiB: Math.round(process.memoryUsage.rss() / 2 ** 20),
      threads: this.#threads(),
      readMs: Math.round(readMs),
      ...(embeddedMs === undefined ? {} : { embeddedMs: Math.round(embeddedMs) }),
    };
  }

  async load(concurrency: number, milliseconds: number): Promise<Omit<LoadRun, "functions" | "mode" | "churn" | "through">> {
    const call = (): Promise<unknown> => this.#search(this.#needs[this.#asked++ % NEEDS] ?? "");
    await closedLoop({ concurrency, milliseconds: WARM_UP_MS, call });
    this.#watch.read();
    const loop = await closedLoop({ concurrency, milliseconds, call });
    return { ...loop, delay: this.#watch.read() };
  }

  /** A function comes and another one goes, again and again, until what comes back is called. */
  churn(): () => void {
    const coming = generate(500, 99);
    let at = 0;
    const timer = setInterval(() => {
      const [added, removed] = [coming[at % coming.length], coming[(at + coming.length - 5) % coming.length]];
      at++;
      if (added !== undefined) this.#engine.add(added);
      if (removed !== undefined) this.#engine.remove(removed.id);
      this.#announce();
    }, CHURN_MS);
    return () => {
      clearInterval(timer);
      for (const { id } of coming) this.#engine.remove(id);
    };
  }

  async see(changes: number, needOf: (at: number) => string): Promise<Pick<Visibility, "times" | "unseen">> {
    const times: number[] = [];
    for (const [at, made] of generate(changes, 77).entries()) {
      const need = needOf(at);
      // Another spelling of the same words, where they have one: see the synthetic embedding.
      const added = { ...made, description: `${need.replaceAll(/\bzb/g, "za")}.` };
      this.#engine.add(added);
      const announced = performance.now();
      this.#announce();
      let isShown = false;
      while (!isShown && performance.now() < announced + UNSEEN_AFTER_MS) isShown = await this.#shows(need, added.id);
      if (isShown) times.push(performance.now() - announced);
      this.#engine.remove(added.id);
    }
    return { times, unseen: changes - times.length };
  }

  /** The actors that died meanwhile. */
  async close(): Promise<string[]> {
    const died = ACTORS.flatMap((name) => {
      const { restarts = 0, lastEnding } = this.#supervisor.status(name) ?? {};
      return restarts === 0 ? [] : [`${name}: ${restarts} × (${lastEnding?.reason ?? lastEnding?.cause})`];
    });
    this.#watch.stop();
    await this.#supervisor.stop();
    return died;
  }

  #announce(): void {
    const event = "functions_changed";
    void this.#supervisor.actors.catalog.refresh({ event }, newContext(PATIENCE_MS)).catch(() => {});
  }

  /** A search that is late has shown nothing yet. */
  async #shows(need: string, id: string): Promise<boolean> {
    return this.#search(need).then(
      (answer) => shows(answer, id),
      () => false,
    );
  }

  #search(need: string): Promise<SearchFunctionsResponse> {
    return this.#supervisor.actors.search.searchFunctions({ capabilities: [need] }, newContext(CALL_MS));
  }

  #threads(): Record<string, ThreadFootprint> {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const threads: Record<string, ThreadFootprint> = { supervisor: footprint(heapUsed / MIB, arrayBuffers / MIB) };
    for (const name of ACTORS) {
      const { heapKiB = 0, bufferKiB = 0 } = this.#supervisor.status(name)?.memory ?? {};
      threads[name] = footprint(heapKiB, bufferKiB);
    }
    return threads;
  }

  async #until(holds: (report: { readonly functions: number; readonly embedded: number }) => boolean): Promise<void> {
    const limit = Date.now() + PATIENCE_MS;
    for (;;) {
      const report = await this.#supervisor.actors.catalog.report({}, newContext(CALL_MS)).catch(() => undefined);
      if (report !== undefined && holds(report)) return;
      if (Date.now() > limit) throw new Error(`the catalogue isn't read after ${PATIENCE_MS} ms: ${JSON.stringify(report)}`);
      await sleep(20);
    }
  }
}

function footprint(heapKiB: number, bufferKiB: number): ThreadFootprint {
  const rounded = (kibibytes: number): number => Math.round((kibibytes / MIB) * 10) / 10;
  return { heapMiB: rounded(heapKiB), buffersMiB: rounded(bufferKiB) };
}

function shows({ workers }: SearchFunctionsResponse, id: string): boolean {
  return workers.some(({ functions }) => functions.some(({ function_id }) => function_id === id));
}
