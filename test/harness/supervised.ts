/** All actors under a supervisor, over an engine that is a table: for tests that kill what a real engine would only hide. */
import { createLogger } from "../../border/log.js";
import { DEFAULT_CONFIGURATION } from "../../domain/configuration.js";
import type { ActorName } from "../../protocol/actors.js";
import type { Configuration } from "../../protocol/configuration.js";
import type { Surroundings } from "../../protocol/thread.js";
import type { PulseLimits } from "../../supervisor/pulse.js";
import type { RestartLimits } from "../../supervisor/restart-policy.js";
import { Supervisor } from "../../supervisor/supervisor.js";
import { FakeEngine, type Registered } from "./catalogue.js";
import { LOAD_FAULTS } from "./faults.js";
import { ROOT } from "./shared.js";
import { temporaryFolder } from "./temporary.js";

/** Short, so that a test of many deaths ends; filling a heap is one long turn too, and needs the longer one. */
export const QUICK_PULSE: PulseLimits = { beatMs: 50, hangAfterMs: 600, bootMs: 20_000 };
export const PATIENT_PULSE: PulseLimits = { ...QUICK_PULSE, hangAfterMs: 8_000 };
export const QUICK_RESTARTS: RestartLimits = {
  firstDelayMs: 20,
  longestDelayMs: 200,
  intensity: 1_000,
  windowMs: 60_000,
  probeMs: 300,
};

export interface SupervisedOptions {
  readonly actors: readonly ActorName[];
  readonly functions: readonly Registered[];
  /** In place of `functions`: for those who change them. */
  readonly engine?: FakeEngine;
  /** Settings of single actors, in place of those that `testSurroundings` has. */
  readonly options?: Surroundings["options"];
  readonly pulse?: PulseLimits;
  readonly configuration?: Partial<Configuration>;
  /** Entries of threads that take the place of actors. */
  readonly entries?: Readonly<Partial<Record<ActorName, URL>>>;
}

export function supervised({
  actors,
  functions,
  engine = new FakeEngine(functions),
  options,
  pulse = QUICK_PULSE,
  configuration = {},
  entries = {},
}: SupervisedOptions): Supervisor {
  return new Supervisor({
    actors,
    configuration: {
      generation: 1,
      values: { ...DEFAULT_CONFIGURATION, auto_download: false, registry_search: false, ...configuration },
    },
    surroundings: { ...testSurroundings(), ...(options === undefined ? {} : { options }) },
    services: { bus: engine, doorbells: { ring: async () => {} } },
    log: createLogger("supervisor", "silent"),
    pulse,
    restarts: QUICK_RESTARTS,
    execArgv: LOAD_FAULTS,
    entries,
  });
}

/** A world of its own for every supervisor: an empty folder is home, project and cache. */
export function testSurroundings(): Surroundings {
  const base = temporaryFolder();
  return {
    packageRoot: ROOT,
    projectBase: base,
    homeDirectory: base,
    cacheDirectory: base,
    version: "0.0.0",
    logLevel: "silent",
    options: { catalog: { ownFunctionIds: [] } },
  };
}
