/** The actors of a hybrid search under their supervisor, over a list of functions. */
import type { Supervisor } from "../supervisor/supervisor.js";
import { FakeEngine, type Registered } from "../test/harness/catalogue.js";
import { newContext } from "../test/harness/context.js";
import { PATIENT_PULSE, supervised } from "../test/harness/supervised.js";

export const PATIENCE_MS = 600_000;

export interface Worker {
  readonly engine: FakeEngine;
  readonly supervisor: Supervisor;
  readonly search: (needs: readonly string[]) => Promise<unknown>;
}

export async function start(functions: readonly Registered[], processes: number): Promise<Worker> {
  const engine = new FakeEngine(functions);
  const supervisor = supervised({
    actors: ["catalog", "embedding", "search"],
    functions,
    engine,
    pulse: PATIENT_PULSE,
    options: { embedding: { processes }, catalog: { ownFunctionIds: [] } },
  });
  await supervisor.ready("search");
  await supervisor.actors.catalog.refresh({}, newContext(PATIENCE_MS));
  await embedded(supervisor);
  const search = (needs: readonly string[]): Promise<unknown> =>
    supervisor.actors.search.searchFunctions({ capabilities: [...needs] }, newContext(PATIENCE_MS));
  return { engine, supervisor, search };
}

export async function embedded(supervisor: Supervisor, everyMs = 50): Promise<void> {
  for (;;) {
    const { functions, embedded: there } = await supervisor.actors.catalog.report({}, newContext(PATIENCE_MS));
    if (functions > 0 && there === functions) return;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
