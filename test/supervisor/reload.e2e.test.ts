/** Reloads of the configuration under load: no search fails, none mixes two configurations, a refused one changes nothing. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../border/log.js";
import { DEFAULT_CONFIGURATION } from "../../domain/configuration.js";
import type { Configuration } from "../../protocol/configuration.js";
import { FUNCTIONS } from "../../protocol/functions/index.js";
import type { SearchFunctionsResponse } from "../../protocol/functions/search.js";
import { type RouteHandler, routeOf } from "../../supervisor/routes.js";
import type { Supervisor } from "../../supervisor/supervisor.js";
import { registered } from "../harness/catalogue.js";
import { newContext } from "../harness/context.js";
import { startTestEngine } from "../harness/engine.js";
import { eventually, Peer } from "../harness/peer.js";
import { supervised } from "../harness/supervised.js";
import { temporaryFolder } from "../harness/temporary.js";
import { withWorker } from "../harness/worker-process.js";

/** For threads to start on a crowded machine. */
const START_MS = 30_000;
const RELOADS = 200;
const IN_FLIGHT = 32;
const NEED = { capabilities: ["send an email message"] };

/** What becomes of searches that are always in flight, from now until `done`. */
class Load {
  readonly answers: SearchFunctionsResponse[] = [];
  readonly failures: string[] = [];
  readonly #search: () => Promise<unknown>;
  readonly #loops: Promise<void>[];
  #going = true;

  constructor(search: () => Promise<unknown>) {
    this.#search = search;
    this.#loops = Array.from({ length: IN_FLIGHT }, () => this.#loop());
  }

  async done(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#loops);
  }

  /** Settles when the searches have come so many answers further. */
  async progress(count: number): Promise<void> {
    const target = this.answers.length + this.failures.length + count;
    while (this.answers.length + this.failures.length < target) await sleep(1);
  }

  async #loop(): Promise<void> {
    while (this.#going) {
      try {
        this.answers.push((await this.#search()) as SearchFunctionsResponse);
      } catch (error) {
        this.failures.push(String(error));
      }
    }
  }
}

/** Two configurations that leave their marks in different stages of a search, and no mark in common. */
const MARKED: readonly [Partial<Configuration>, Partial<Configuration>] = [
  { function_search_mode: "jev", registry_search: false },
  { function_search_mode: "lexical", registry_search: true },
];
const marksOf = ({ search_mode, installable }: SearchFunctionsResponse): string =>
  `${search_mode}, ${installable?.length ?? 0} installable`;
const WHOLE = ["jev, 0 installable", "lexical, 1 installable"];

function newWorker(): { supervisor: Supervisor; search: RouteHandler } {
  const supervisor = supervised({
    actors: ["search", "catalog", "registry", "jev", "fs"],
    functions: [registered("mail::send", "Send an email message.", "to")],
    configuration: MARKED[0],
    entries: {
      jev: new URL("../harness/stub-jev-actor.js", import.meta.url),
      registry: new URL("../harness/stub-registry-actor.js", import.meta.url),
    },
  });
  const definition = FUNCTIONS.find(({ id }) => id === "directory::search_functions");
  if (definition === undefined) throw new Error("the search is not published");
  const generation = (): number => supervisor.configuration.generation;
  const search = routeOf(definition, { actors: supervisor.actors, own: {}, generation, log: createLogger("test", "silent") });
  return { supervisor, search };
}

test(`${RELOADS} reloads with ${IN_FLIGHT} searches in flight: none fails, none mixes two configurations`, async () => {
  const { supervisor, search } = newWorker();
  try {
    await supervisor.actors.catalog.refresh({}, newContext(START_MS));
    const load = new Load(() => search(NEED, {}));
    for (let reload = 1; reload <= RELOADS; reload++) {
      supervisor.configure({ ...DEFAULT_CONFIGURATION, ...MARKED[reload % 2 === 0 ? 0 : 1] });
      await load.progress(reload % 8 === 0 ? IN_FLIGHT : 1);
    }
    await load.done();
    assert.equal(load.failures, []);
    assert.equal([...new Set(load.answers.map(marksOf))].sort(), WHOLE);
    assert.equal(
      supervisor.names.map((name) => supervisor.status(name)?.restarts),
      supervisor.names.map(() => 0),
    );
    assert.is(marksOf((await search(NEED, {})) as SearchFunctionsResponse), WHOLE[0], "the newest counts");
  } finally {
    await supervisor.stop();
  }
});

interface Status {
  readonly configuration_generation: number;
}

test("over the engine: reloads under load, and a refused update that changes nothing and names the fields", async () => {
  const engine = await startTestEngine({ configurationDirectory: temporaryFolder() });
  const operator = await Peer.hello(engine.url, "operator");
  const flags = ["--url", engine.url];
  const status = async (): Promise<number> => (await operator.call<Status>("iii-directory::status", {})).configuration_generation;
  const stored = async (): Promise<Configuration> =>
    (await operator.call<{ value: Configuration }>("configuration::get", { id: "iii-directory", raw: true })).value;
  const set = (value: unknown): Promise<unknown> => operator.call("configuration::set", { id: "iii-directory", value });
  try {
    await withWorker({ flags }, async (worker) => {
      await worker.ready();
      await eventually("first reload", async () => (await status()) >= 3);
      const values = { ...(await stored()), registry_search: false };
      const load = new Load(() => operator.call("directory::search_functions", NEED));
      for (let reload = 0; reload < 20; reload++) {
        const before = await status();
        await set({ ...values, function_search_mode: reload % 2 === 0 ? "lexical" : "jev", hint_min_workers: reload });
        await eventually("reloaded", async () => (await status()) > before);
      }
      const before = await status();
      await set({ ...values, skills_folder: "elsewhere", auto_download: false, hint_min_workers: 99 });
      await worker.says(/"fields":\["skills_folder","auto_download"\]|"fields":\["auto_download","skills_folder"\]/);
      await worker.says(/restart the worker to change/);
      await load.progress(IN_FLIGHT);
      assert.is(await status(), before, "refused whole");
      await set({ ...values, hint_min_workers: 3 });
      await eventually("accepted again", async () => (await status()) > before);
      await load.done();
      assert.equal(load.failures, []);
      assert.ok(load.answers.length > IN_FLIGHT);
      assert.ok(load.answers.every(({ search_mode }) => search_mode === "lexical" || search_mode === "hybrid"));
    });
  } finally {
    await operator.close();
    await engine.close();
  }
});

test("spec 07 §11 case 17: inject_hint switched on, off and on again in a moment leaves one binding, which works", async () => {
  const engine = await startTestEngine({ configurationDirectory: temporaryFolder() });
  const harness = await Peer.hello(engine.url, "harness");
  await harness.provide("harness::hook::pre-generate");
  const bindings = async (): Promise<number> =>
    (
      await harness.call<{ registered_triggers: unknown[] }>("engine::registered-triggers::list", {
        function_id: "directory::pre-generate",
        include_internal: true,
      })
    ).registered_triggers.length;
  const set = (inject_hint: boolean): Promise<unknown> =>
    harness.call("configuration::set", { id: "iii-directory", value: { inject_hint, auto_download: false } });
  try {
    await withWorker({ flags: ["--url", engine.url, "--config", seedWithoutDownloads()] }, async (worker) => {
      await worker.ready();
      await eventually("not bound", async () => (await bindings()) === 0);
      for (const wanted of [true, false, true, false, true]) await set(wanted);
      await eventually("bound", async () => (await bindings()) === 1);
      await sleep(500);
      assert.is(await bindings(), 1, "and stays so");
      await set(false);
      await eventually("unbound", async () => (await bindings()) === 0);
    });
  } finally {
    await harness.close();
    await engine.close();
  }
});

function seedWithoutDownloads(): string {
  const path = join(temporaryFolder(), "seed.yaml");
  writeFileSync(path, "auto_download: false\n");
  return path;
}

test.run();
