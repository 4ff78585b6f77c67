/**
 * Kills each actor in each way while searches are in flight. Whatever the death: every search answers or gets a clear error within its
 * deadline, and the next one works. That this file reaches its end is the proof that the main thread lives. Field faults T1, T3, T4,
 * T6, T10 are deaths of this kind; thread-faults.e2e.test.ts has each of them alone.
 */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ActorName, Actors } from "../../protocol/actors.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { Supervisor } from "../../supervisor/supervisor.js";
import type { Registered } from "../harness/catalogue.js";
import { newContext } from "../harness/context.js";
import { FAULTS, type Fault, order } from "../harness/faults.js";
import { eventually } from "../harness/peer.js";
import { PATIENT_PULSE, QUICK_PULSE, supervised } from "../harness/supervised.js";

const IN_FLIGHT = 32;
const TIMEOUT_MS = 15_000;
const GRACE_MS = 500;
const NEED = "presign a temporary download url";
const EXPECTED = "storage::presignUrl";

const FUNCTIONS: readonly Registered[] = [
  {
    id: EXPECTED,
    description: "Presign a temporary URL to download an object.",
    parameters: { type: "object", properties: { key: {} } },
  },
  { id: "mail::send", description: "Send an email message.", parameters: { type: "object", properties: { to: {} } } },
  { id: "notes::write", description: "Save a note under a title.", parameters: { type: "object", properties: { title: {} } } },
];

const ACTORS = (["catalog", "search", "embedding", "fs", "watcher", "registry", "jev"] satisfies ActorName[]).filter((name) =>
  existsSync(new URL(`../../actors/${name}/actor.js`, import.meta.url)),
);

const kill = suite("kill");

interface Outcome {
  readonly lateMs: number;
  /** `ok`, the code of a DirectoryError, or what else came. */
  readonly result: string;
}

async function searchOnce(actors: Actors): Promise<Outcome> {
  const context = newContext(TIMEOUT_MS);
  const late = (): number => Date.now() - context.deadline;
  try {
    const { workers } = await actors.search.searchFunctions({ capabilities: [NEED] }, context);
    const [first] = workers.flatMap(({ functions }) => functions);
    // A catalog that was just started again may not have read the engine yet: an empty answer is right then.
    return {
      lateMs: late(),
      result: first === undefined || first.function_id === EXPECTED ? "ok" : `wrong answer ${first.function_id}`,
    };
  } catch (error) {
    return { lateMs: late(), result: error instanceof DirectoryError ? error.code : `foreign ${String(error)}` };
  }
}

/** Keeps searches in flight, wave after wave, until the death was seen. */
async function searchUntilRestarted(supervisor: Supervisor, actor: ActorName): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const limit = Date.now() + 30_000;
  const before = restartsOf(supervisor, actor);
  do outcomes.push(...(await Promise.all(Array.from({ length: IN_FLIGHT }, () => searchOnce(supervisor.actors)))));
  while (restartsOf(supervisor, actor) === before && Date.now() < limit);
  return outcomes;
}

function restartsOf(supervisor: Supervisor, actor: ActorName): number {
  return supervisor.status(actor)?.restarts ?? 0;
}

async function untilFound(supervisor: Supervisor): Promise<void> {
  const limit = Date.now() + 15_000;
  for (;;) {
    await supervisor.actors.catalog.refresh({}, newContext(TIMEOUT_MS)).catch(() => {});
    const answer = await supervisor.actors.search
      .searchFunctions({ capabilities: [NEED] }, newContext(TIMEOUT_MS))
      .catch(() => undefined);
    if (answer?.workers[0]?.functions[0]?.function_id === EXPECTED) return;
    if (Date.now() > limit) throw new Error(`nothing found afterwards: ${JSON.stringify(answer)}`);
    await sleep(50);
  }
}

const CLEAR = new Set(["ok", "actor_restarted", "actor_degraded", "busy", "deadline_exceeded"]);

/** One worker suffers all deaths of a group: starting seven threads for each would take longer than the deaths. */
for (const [pulse, faults] of [
  [QUICK_PULSE, FAULTS.filter((fault) => fault !== "heap exhaustion")],
  [PATIENT_PULSE, ["heap exhaustion"]],
] as const) {
  const group = suite<{ supervisor: Supervisor }>("kill", { supervisor: undefined as unknown as Supervisor });
  group.before(async (context) => {
    context.supervisor = supervised({ actors: ACTORS, functions: FUNCTIONS, pulse });
    await Promise.all(ACTORS.map((name) => context.supervisor.ready(name)));
  });
  group.after(({ supervisor }) => supervisor.stop());
  for (const actor of ACTORS) {
    for (const fault of faults) group(`${actor}: ${fault}`, ({ supervisor }) => dies(supervisor, actor, fault));
  }
  group.run();
}

async function dies(supervisor: Supervisor, actor: ActorName, fault: Fault): Promise<void> {
  // An order that comes while a thread still starts is heard by nobody.
  await eventually("all threads run", () => ACTORS.every((name) => supervisor.status(name)?.state === "running"), 20_000);
  await untilFound(supervisor);
  const before = new Map<ActorName, number>(ACTORS.map((name) => [name, restartsOf(supervisor, name)]));
  const load = searchUntilRestarted(supervisor, actor);
  await sleep(5);
  order(actor, fault);
  const outcomes = await load;
  assert.is.not(restartsOf(supervisor, actor), before.get(actor), `${actor} has died`);
  assert.equal(
    outcomes.filter(({ result }) => !CLEAR.has(result)),
    [],
  );
  const latest = Math.max(...outcomes.map(({ lateMs }) => lateMs));
  assert.ok(latest <= GRACE_MS, `settled within the deadline, the last ${latest} ms after it`);
  await untilFound(supervisor);
  for (const other of ACTORS) {
    if (other !== actor) assert.is(restartsOf(supervisor, other), before.get(other), `${other} was left alone`);
  }
}

kill("a supervisor that was blocked itself accuses nobody", async () => {
  const supervisor = supervised({ actors: ACTORS, functions: FUNCTIONS });
  try {
    await Promise.all(ACTORS.map((name) => supervisor.ready(name)));
    const until = Date.now() + 3 * QUICK_PULSE.hangAfterMs;
    while (Date.now() < until);
    await sleep(3 * QUICK_PULSE.beatMs);
    assert.equal(
      ACTORS.map((name) => supervisor.status(name)?.restarts),
      ACTORS.map(() => 0),
    );
  } finally {
    await supervisor.stop();
  }
});

kill("stopping lets calls in flight finish and refuses new ones", async () => {
  const supervisor = supervised({ actors: ACTORS, functions: FUNCTIONS });
  await untilFound(supervisor);
  const load = Promise.all(Array.from({ length: IN_FLIGHT }, () => searchOnce(supervisor.actors)));
  const stopped = supervisor.stop();
  assert.is((await searchOnce(supervisor.actors)).result, "shutting_down");
  assert.equal([...new Set((await load).map(({ result }) => result))], ["ok"]);
  await stopped;
});

kill("field fault T8: many calls add no listener", async () => {
  const warnings: string[] = [];
  const keep = (warning: Error): number => warnings.push(warning.message);
  process.on("warning", keep);
  const supervisor = supervised({ actors: ACTORS, functions: FUNCTIONS });
  try {
    for (let wave = 0; wave < 100; wave++) {
      await Promise.all(Array.from({ length: 100 }, () => supervisor.actors.catalog.snapshot({}, newContext(TIMEOUT_MS))));
    }
    assert.equal(warnings, []);
  } finally {
    await supervisor.stop();
    process.off("warning", keep);
  }
});

kill.run();
