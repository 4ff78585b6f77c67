/** Boot flow and reload of the configuration against a configuration worker that is a table: spec 07 §2.6, §2.7, field faults K1, K3, K4. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../border/log.js";
import { DEFAULT_CONFIGURATION } from "../../domain/configuration.js";
import type { EngineCall } from "../../protocol/actors/services.js";
import type { Actors } from "../../protocol/actors.js";
import type { Configuration } from "../../protocol/configuration.js";
import { DirectoryError } from "../../protocol/errors.js";
import { CONFIG_CHANGE_FUNCTION } from "../../protocol/functions/administration.js";
import { ConfigurationKeeper } from "../../supervisor/configuration.js";
import { HintBinding } from "../../supervisor/hint-binding.js";
import { routeOf } from "../../supervisor/routes.js";
import { temporaryFolder } from "../harness/temporary.js";

const LOG = createLogger("test", "silent");
type Answer = unknown | Error;

function engineError(code: string, message = code): DirectoryError {
  return new DirectoryError("engine_error", message, { code });
}

/** A configuration worker: answers in the order given, the last one for ever. */
function worker(answers: Readonly<Record<string, Answer[]>>): {
  calls: EngineCall[];
  bus: { call(request: EngineCall): Promise<unknown> };
} {
  const calls: EngineCall[] = [];
  const call = async (request: EngineCall): Promise<unknown> => {
    calls.push(request);
    const queue = answers[request.functionId] ?? [engineError("function_not_found")];
    const answer = queue.length > 1 ? queue.shift() : queue[0];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { calls, bus: { call } };
}

function keeper(bus: { call(request: EngineCall): Promise<unknown> }, seedPath?: string): ConfigurationKeeper {
  const bases = { home: "/h", projectBase: "/p" };
  return new ConfigurationKeeper({ bus, log: LOG, entryId: "iii-directory", seedPath, bases, pause: async () => {} });
}

const ids = (calls: readonly EngineCall[]): string[] => calls.map(({ functionId }) => functionId);
const payload = (calls: readonly EngineCall[], id: string): Record<string, unknown> =>
  (calls.find(({ functionId }) => functionId === id)?.payload ?? {}) as Record<string, unknown>;

test("ensure succeeds: one atomic call, then get", async () => {
  const { calls, bus } = worker({ "configuration::ensure": [{}], "configuration::get": [{ value: { skills_folder: "s" } }] });
  assert.is((await keeper(bus).boot()).skills_folder, "s");
  assert.equal(ids(calls), ["configuration::ensure", "configuration::get"]);
  assert.equal(payload(calls, "configuration::ensure")["initial_value"], DEFAULT_CONFIGURATION);
  assert.equal(payload(calls, "configuration::ensure")["metadata"], { ui_form: "iii-directory" });
});

const STORED: readonly [row: string, raw: Answer, seeds: boolean][] = [
  ["NOT_FOUND", engineError("NOT_FOUND"), true],
  ["null", { value: null }, true],
  ["false", { value: false }, false],
  ["0", { value: 0 }, false],
  ["empty text", { value: "" }, false],
  ["{}", { value: {} }, false],
];
for (const [row, raw, seeds] of STORED) {
  test(`spec 07 §11 case 18: without ensure, stored ${row}: ${seeds ? "seeded" : "kept"}`, async () => {
    const { calls, bus } = worker({ "configuration::get": [raw, { value: {} }], "configuration::register": [{}] });
    await keeper(bus).boot();
    assert.is("initial_value" in payload(calls, "configuration::register"), seeds);
  });
}

const COUNTS_AS_MISSING: readonly [row: string, error: Error, missing: boolean][] = [
  ["exact code", engineError("NOT_FOUND"), true],
  ["lower case", engineError("not_found"), false],
  ["another code that ends alike", engineError("RESOURCE_NOT_FOUND"), false],
  ["quoted in a message", engineError("ADAPTER_ERROR", "inner: NOT_FOUND"), false],
  ["no code at all", new DirectoryError("internal", "NOT_FOUND"), false],
];
for (const [row, error, missing] of COUNTS_AS_MISSING) {
  test(`spec 07 §10 configuration, error texts: ${row} ${missing ? "is" : "is not"} a missing entry`, async () => {
    const { bus } = worker({ "configuration::get": [error, error, error, { value: {} }], "configuration::register": [{}] });
    if (missing) return;
    await keeper(bus)
      .boot()
      .then(
        () => assert.unreachable(),
        (thrown: Error) => assert.match(thrown.message, "configuration::get failed 3 times"),
      );
  });
}

test("spec 07 §2.6: three attempts, a definitive code only one, and the last error names function and count", async () => {
  const flaky = worker({
    "configuration::ensure": [engineError("TIMEOUT"), engineError("TIMEOUT"), {}],
    "configuration::get": [{ value: {} }],
  });
  await keeper(flaky.bus).boot();
  assert.is(flaky.calls.length, 4);
  const definitive = worker({ "configuration::ensure": [{}], "configuration::get": [engineError("NOT_FOUND")] });
  const error = await keeper(definitive.bus)
    .boot()
    .catch((thrown: unknown) => thrown);
  assert.instance(error, DirectoryError);
  assert.is(definitive.calls.length, 2);
});

test("spec 07 §10 configuration, initialisation candidate: the seed if given", async () => {
  const seed = join(temporaryFolder(), "seed.yaml");
  writeFileSync(seed, "function_search_mode: lexical\n");
  const { calls, bus } = worker({ "configuration::ensure": [{}], "configuration::get": [{ value: {} }] });
  await keeper(bus, seed).boot();
  assert.is((payload(calls, "configuration::ensure")["initial_value"] as Configuration).function_search_mode, "lexical");
});

for (const [row, content] of [
  ["missing", undefined],
  ["broken YAML", "a: [1"],
  ["invalid value", "auto_download: 3"],
  ["list", "- a"],
] as const) {
  test(`field fault K4: seed ${row}: a warning, the stored entry counts, and reloads work afterwards`, async () => {
    const seed = join(temporaryFolder(), "seed.yaml");
    if (content !== undefined) writeFileSync(seed, content);
    const { bus } = worker({
      "configuration::ensure": [{}],
      "configuration::get": [{ value: {} }, { value: { inject_hint: true } }],
    });
    const kept = keeper(bus, seed);
    await kept.boot();
    const applied: Configuration[] = [];
    await kept.reload((values) => applied.push(values));
    assert.is(applied[0]?.inject_hint, true);
  });
}

/** A keeper that has booted with defaults, and what its reloads read, one answer each. */
async function booted(
  ...reads: Answer[]
): Promise<{ kept: ConfigurationKeeper; applied: Configuration[]; reload: () => Promise<unknown> }> {
  const { bus } = worker({ "configuration::ensure": [{}], "configuration::get": [{ value: {} }, ...reads] });
  const kept = keeper(bus);
  await kept.boot();
  const applied: Configuration[] = [];
  return { kept, applied, reload: () => kept.reload((values) => applied.push(values)) };
}

test("field fault K1: a deleted entry keeps the old configuration", async () => {
  const { applied, reload } = await booted(engineError("NOT_FOUND"));
  assert.is(await reload(), undefined);
  assert.equal(applied, []);
});

test("field fault K3: an invalid value is refused, the valid one after it is applied", async () => {
  const { applied, reload } = await booted({ value: { hint_min_workers: -1 } }, { value: { hint_min_workers: 7 } });
  await reload();
  assert.equal(applied, []);
  await reload();
  assert.is(applied[0]?.hint_min_workers, 7);
});

test("spec 07 §11 case 22: a mixed update changes nothing; undone, it is accepted again", async () => {
  const { applied, reload } = await booted({ value: { agents_folder: "/x", inject_hint: true } }, { value: { inject_hint: true } });
  assert.is(await reload(), undefined);
  assert.equal(applied, []);
  await reload();
  assert.is(applied.length, 1);
});

test("spec 07 §11 case 21: reloads apply in the order they were asked for", async () => {
  let release: (() => void) | undefined;
  let reads = 0;
  const bus = {
    call: async ({ functionId }: EngineCall): Promise<unknown> => {
      if (functionId !== "configuration::get") return {};
      const read = reads++;
      if (read === 1) await new Promise<void>((resolve) => (release = resolve));
      return { value: { hint_min_workers: read } };
    },
  };
  const kept = keeper(bus);
  await kept.boot();
  const applied: number[] = [];
  const slow = kept.reload((values) => applied.push(values.hint_min_workers));
  const quick = kept.reload((values) => applied.push(values.hint_min_workers));
  while (release === undefined) await new Promise((resolve) => setImmediate(resolve));
  release();
  await Promise.all([slow, quick]);
  assert.equal(applied, [1, 2]);
});

test("spec 07 §11 case 24: a value that is null at run time means the defaults", async () => {
  const { applied, reload } = await booted({ value: { hint_min_workers: 7 } }, { value: null });
  await reload();
  await reload();
  assert.equal(
    applied.map(({ hint_min_workers }) => hint_min_workers),
    [7, DEFAULT_CONFIGURATION.hint_min_workers],
  );
});

test("spec 07 §10 configuration, reload helper: every call runs, whatever else its payload holds", async () => {
  let reloads = 0;
  const own = {
    [CONFIG_CHANGE_FUNCTION.id]: async () => {
      reloads++;
      return { ok: true };
    },
  };
  const change = routeOf(CONFIG_CHANGE_FUNCTION, { actors: {} as Actors, own, generation: () => 1, log: LOG });
  for (const payload of [{}, null, undefined, { id: "iii-directory", event_type: "configuration:updated", new_value: { a: 1 } }]) {
    assert.equal(await change(payload, {}), { ok: true });
  }
  assert.is(reloads, 4);
});

test("spec 07 §10 configuration, binding slot: on once, off, repeated off, a failed bind leaves it empty", () => {
  let live = 0;
  let fails = false;
  const slot = new HintBinding(() => {
    if (fails) throw new Error("refused");
    live++;
    return () => live--;
  }, LOG);
  const counts = [true, true, false, false].map((wanted) => {
    slot.reconcile(wanted);
    return live;
  });
  assert.equal(counts, [1, 1, 0, 0]);
  fails = true;
  slot.reconcile(true);
  assert.is(slot.bound, false);
  fails = false;
  slot.reconcile(true);
  assert.is(live, 1, "the next event tries again");
});

test.run();
