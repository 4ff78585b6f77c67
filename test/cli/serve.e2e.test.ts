/** `iii-directory serve` from its first to its last moment, as a process: spec 07 §11 cases 45 to 49, field faults I1, I2, T4. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CLI, freePort } from "../harness/embedded-engine-process.js";
import { startAnyEngine, startTestEngine } from "../harness/engine.js";
import { eventually, Peer } from "../harness/peer.js";
import { temporaryFolder } from "../harness/temporary.js";
import { withWorker } from "../harness/worker-process.js";

const SEARCH = "directory::search_functions";
/** Draining and what comes after it. */
const STOP_MS = 5_000;
/** What a loaded machine needs to end a process that has nothing to do any more. */
const GRACE_MS = 3_000;

async function withEngine(body: (engine: { readonly url: string }) => Promise<void>): Promise<void> {
  const engine = await startAnyEngine();
  try {
    await body(engine);
  } finally {
    await engine.close();
  }
}

function seed(text: string): string {
  const path = join(temporaryFolder(), "seed.yaml");
  writeFileSync(path, text);
  return path;
}

for (const [what, flags] of [
  ["without an engine", []],
  ["with a seed that is broken", ["--config", seed("skills_folder: [\n\t:")]],
  ["with a seed that is not there", ["--config", "/nowhere/seed.yaml"]],
] as const) {
  test(`spec 07 §11 case 45: --manifest ${what} is JSON, and nothing else, on standard output`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, "--manifest", ...flags], { encoding: "utf8" });
    assert.equal([status, stderr], [0, ""]);
    const { name, default_config } = JSON.parse(stdout) as { name: string; default_config: Record<string, unknown> };
    assert.is(name, "iii-directory");
    assert.is(default_config["skills_folder"], "skills");
    assert.not.match(stdout, /"\/(?!\/)/, "no absolute path");
  });
}

test("spec 07 §11 case 46: an engine that comes later is served; one that comes again is told everything once", async () => {
  const port = await freePort();
  await withWorker({ flags: ["--url", `ws://127.0.0.1:${port}`] }, async (worker) => {
    await worker.says(/doesn't answer; waiting for it/);
    const folder = temporaryFolder();
    const first = await startTestEngine({ port, configurationDirectory: folder });
    await worker.ready();
    const before = await registeredBy(first);
    assert.ok(
      before.functions.includes(SEARCH) && before.triggers.length >= 2 && before.types.length === 4,
      JSON.stringify(before),
    );
    await first.close();
    const second = await startTestEngine({ port, configurationDirectory: folder });
    try {
      await worker.says(/is back/);
      await eventually("everything is there again", async () => same(await registeredBy(second), before));
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.equal(await registeredBy(second), before, "and stays so, each once");
      assert.is((await worker.stop()).code, 0);
    } finally {
      await second.close();
    }
  });
});

interface Registered {
  readonly functions: readonly string[];
  readonly triggers: readonly string[];
  readonly types: readonly string[];
}

async function registeredBy(engine: { readonly url: string }): Promise<Registered> {
  const peer = await Peer.hello(engine.url, "looker");
  const { functions } = await peer.call<{ functions: { function_id: string; worker_name: string }[] }>("engine::functions::list", {
    include_internal: true,
  });
  const { registered_triggers } = await peer.call<{ registered_triggers: { trigger_type: string; function_id: string }[] }>(
    "engine::registered-triggers::list",
    { include_internal: true },
  );
  const { triggers } = await peer.call<{ triggers: { id: string }[] }>("engine::triggers::list", { include_internal: true });
  await peer.close();
  return {
    functions: functions
      .filter(({ worker_name }) => worker_name === "iii-directory")
      .map(({ function_id }) => function_id)
      .sort(),
    triggers: registered_triggers.map(({ trigger_type, function_id }) => `${trigger_type} → ${function_id}`).sort(),
    types: triggers
      .map(({ id }) => id)
      .filter((id) => id.startsWith("directory::"))
      .sort(),
  };
}

function same(left: Registered, right: Registered): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

test("spec 07 §11 case 47: SIGTERM while the engine is waited for ends it", async () => {
  await withWorker({ flags: ["--url", `ws://127.0.0.1:${await freePort()}`] }, async (worker) => {
    await worker.says(/doesn't answer; waiting for it/);
    const { code, took } = await worker.stop();
    assert.is(code, 0);
    assert.ok(took < GRACE_MS, `${took} ms`);
  });
});

test("spec 07 §11 case 47: SIGTERM while the configuration is tried again ends it", async () => {
  await withEngine(async (engine) => {
    const owner = await Peer.hello(engine.url, "configuration");
    await owner.serve("configuration::ensure", () => {
      throw Object.assign(new Error("not now"), { code: "ADAPTER_ERROR" });
    });
    await owner.serve("configuration::get");
    await withWorker({ flags: ["--url", engine.url] }, async (worker) => {
      await worker.says(/configuration::ensure failed, trying again/);
      const { code, took } = await worker.stop();
      assert.is(code, 0);
      assert.ok(took < GRACE_MS, `${took} ms`);
    });
    await owner.close();
  });
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`spec 07 §11 case 47: ${signal} lets a search that is under way finish`, async () => {
    await withEngine(async (engine) => {
      await withWorker({ flags: ["--url", engine.url] }, async (worker) => {
        await worker.ready();
        const slow = await Peer.hello(engine.url, "slow");
        await slow.serve("engine::registered-triggers::list");
        const caller = await Peer.hello(engine.url, "caller");
        const answer = caller.call<{ workers: unknown[] }>(SEARCH, { capabilities: ["store a value under a key"] });
        const held = await slow.expect("invokefunction", { function_id: "engine::registered-triggers::list" });
        worker.signal(signal);
        await new Promise((resolve) => setTimeout(resolve, 200));
        slow.answer(held, { result: { registered_triggers: [] } });
        assert.instance((await answer).workers, Array);
        const { code, errors } = await worker.ended;
        assert.is(code, 0);
        assert.not.match(errors, /"level":[56]0/);
        await Promise.all([slow.close(), caller.close()]);
      });
    });
  });
}

test("spec 07 §11 case 47: a second signal ends it at once", async () => {
  await withEngine(async (engine) => {
    await withWorker({ flags: ["--url", engine.url] }, async (worker) => {
      await worker.ready();
      const slow = await Peer.hello(engine.url, "slow");
      await slow.serve("engine::registered-triggers::list");
      const caller = await Peer.hello(engine.url, "caller");
      caller.invoke(SEARCH, { capabilities: ["store a value under a key"] });
      await slow.expect("invokefunction", { function_id: "engine::registered-triggers::list" });
      worker.signal("SIGTERM");
      await new Promise((resolve) => setTimeout(resolve, 200));
      worker.signal("SIGTERM");
      const { code, took } = await worker.ended;
      assert.is(code, 0);
      assert.ok(took < GRACE_MS, `${took} ms`);
      await Promise.all([slow.close(), caller.close()]);
    });
  });
});

test("field fault T4: SIGTERM with actors in endless loops and searches waiting for them: gone within 5 s", async () => {
  await withEngine(async (engine) => {
    await withWorker({ flags: ["--url", engine.url, "--config", seed("function_search_mode: lexical")] }, async (worker) => {
      await worker.ready();
      const caller = await Peer.hello(engine.url, "caller");
      for (const actor of ["search", "catalog", "fs"] as const) worker.order(actor, "endless loop");
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (let call = 0; call < 8; call++) caller.invoke(SEARCH, { capabilities: ["store a value under a key"] });
      await caller.sync();
      const { code, signal, took } = await worker.stop();
      assert.equal([code, signal], [0, null]);
      assert.ok(took < STOP_MS + GRACE_MS, `${took} ms`);
      await caller.close();
    });
  });
});

test("spec 07 §11 case 48: without auto_download nothing is bound to new workers and nothing serves them", async () => {
  await withEngine(async (engine) => {
    const provider = await Peer.hello(engine.url, "provider");
    await provider.provide("worker");
    await withWorker({ flags: ["--url", engine.url, "--config", seed("auto_download: false")] }, async (worker) => {
      await worker.ready();
      const { functions, triggers } = await registeredBy(engine);
      assert.ok(functions.includes(SEARCH));
      assert.not(functions.includes("directory::__on_worker_added"));
      assert.equal(
        triggers.filter((row) => row.startsWith("worker ")),
        [],
      );
      assert.is((await worker.stop()).code, 0);
    });
    await provider.close();
  });
});

test("spec 07 §11 case 49, field faults I1 and I2: a second worker says why it ends, the first serves on, and a third can follow it", async () => {
  await withEngine(async (engine) => {
    const caller = await Peer.hello(engine.url, "caller");
    const serves = (): Promise<unknown> => caller.call(SEARCH, { capabilities: ["store a value under a key"] });
    await withWorker({ flags: ["--url", engine.url] }, async (first) => {
      await first.ready();
      await withWorker({ flags: ["--url", engine.url], env: { LOG_LEVEL: "silent" } }, async (second) => {
        const { code, out, errors } = await second.ended;
        assert.equal([code, out], [1, ""]);
        assert.match(errors, /^a worker named iii-directory is connected already\. [^\n]+\n$/);
      });
      await serves();
      assert.is((await first.stop()).code, 0);
    });
    await withWorker({ flags: ["--url", engine.url] }, async (third) => {
      await third.ready();
      await serves();
      assert.is((await third.stop()).code, 0);
    });
    await caller.close();
  });
});

test.run();
