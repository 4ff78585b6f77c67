/** What badly behaved peers, and very many, can't do: crash the engine, fill its memory, or hold up the others. */
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { startTestEngine } from "../harness/engine.js";
import { eventually, type Frame, Peer } from "../harness/peer.js";

const MIB = 1024 * 1024;

test("malformed frames of every kind: no answer, no end, and the next call works", async () => {
  const engine = await startTestEngine();
  const peer = await Peer.hello(engine.url, "peer");
  await peer.serve("peer::echo", (data) => data);
  const types = fc.constantFrom(
    "registerfunction",
    "unregisterfunction",
    "registertriggertype",
    "registertrigger",
    "unregistertrigger",
    "triggerregistrationresult",
    "invokefunction",
    "invocationresult",
    "reattach",
    "registerservice",
    "pong",
    "bogus",
  );
  const text = fc.oneof(fc.constantFrom("x::f", "t", "engine::functions::list", "configuration", "__proto__", ""), fc.string());
  const frame = fc.record(
    {
      id: text,
      function_id: text,
      trigger_type: text,
      data: fc.jsonValue(),
      config: fc.jsonValue(),
      metadata: fc.jsonValue(),
      description: text,
      namespace: text,
      trigger_namespace: text,
      error: fc.jsonValue(),
      action: fc.jsonValue(),
      invocation_id: fc.oneof(fc.uuid(), fc.string()),
      previous_worker_id: fc.uuid(),
      baggage: text,
      traceparent: text,
    },
    { requiredKeys: [] },
  );
  const samples = fc.sample(fc.tuple(types, frame), 2_000);
  for (const [type, rest] of samples) peer.send({ ...rest, type });
  for (const bytes of fc.sample(fc.uint8Array({ maxLength: 100 }), 500)) peer.socket.send(bytes);
  await peer.sync();
  assert.equal(await peer.call("peer::echo", [1]), [1]);
  await engine.close();
});

test("15.9 MiB in one frame pass in both directions; 16.1 MiB end the connection of the sender only", async () => {
  const engine = await startTestEngine();
  const worker = await Peer.hello(engine.url, "worker");
  const caller = await Peer.hello(engine.url, "caller");
  await worker.serve("worker::length", (data) => (data as { text: string }).text.length);
  await worker.serve("worker::text", (data) => "x".repeat((data as { length: number }).length));
  const length = Math.floor(15.9 * MIB);
  assert.is(await caller.call("worker::length", { text: "x".repeat(length) }), length);
  assert.is((await caller.call<string>("worker::text", { length })).length, length);

  const lost = caller.fails("worker::text", { length: Math.floor(16.1 * MIB) });
  assert.is((await worker.closed).code, 1009);
  assert.is((await lost).code, "invocation_stopped");
  caller.invoke("worker::length", { text: "x".repeat(Math.floor(16.1 * MIB)) });
  assert.is((await caller.closed).code, 1009);
  const other = await Peer.hello(engine.url, "other");
  await other.sync();
  await engine.close();
});

test("a peer that stops reading is disconnected; who wrote to it, and everybody else, is served on", async () => {
  const engine = await startTestEngine({ limits: { pauseBytes: MIB, resumeBytes: MIB / 4, stallMs: 300 } });
  const stuck = await Peer.hello(engine.url, "stuck");
  const writer = await Peer.hello(engine.url, "writer");
  const other = await Peer.hello(engine.url, "other");
  await stuck.serve("stuck::f");
  await other.serve("other::f", (data) => data);
  stuck.socket.pause();
  const data = { text: "x".repeat(MIB / 2) };
  for (let index = 0; index < 60; index += 1) {
    writer.send({ type: "invokefunction", function_id: "stuck::f", data, action: { type: "void" } });
  }
  assert.equal(await other.call("other::f", [1]), [1]);
  await eventually("the stuck peer's function gone", async () => {
    const { functions } = await other.call<{ functions: unknown[] }>("engine::functions::list", { prefix: "stuck::" });
    return functions.length === 0;
  });
  assert.equal(await writer.call("other::f", [2]), [2]);
  await engine.close();
});

test("a peer that asks and asks without reading the answers is disconnected, not buffered for ever", async () => {
  const engine = await startTestEngine({ limits: { pauseBytes: MIB, resumeBytes: MIB / 4, stallMs: 300 } });
  const worker = await Peer.hello(engine.url, "worker");
  for (let index = 0; index < 200; index += 1)
    worker.send({ type: "registerfunction", id: `worker::${index}`, description: "d".repeat(1_000) });
  await worker.sync();
  const greedy = await Peer.hello(engine.url, "greedy");
  greedy.socket.pause();
  for (let index = 0; index < 2_000; index += 1) greedy.invoke("engine::functions::list", {});
  await eventually(
    "the greedy peer gone",
    async () => (await worker.fails("engine::workers::info", { name: "greedy" }).catch(() => undefined))?.code === "NOT_FOUND",
  );
  await engine.close();
});

test("a slow reader gets everything, in order", async () => {
  const engine = await startTestEngine({ limits: { pauseBytes: MIB, resumeBytes: MIB / 4 } });
  const reader = await Peer.hello(engine.url, "reader");
  const writer = await Peer.hello(engine.url, "writer");
  await reader.serve("reader::f");
  const padding = "x".repeat(MIB / 8);
  for (let index = 0; index < 200; index += 1) {
    writer.send({ type: "invokefunction", function_id: "reader::f", data: { index, padding }, action: { type: "void" } });
  }
  const seen: unknown[] = [];
  while (seen.length < 200) {
    reader.socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 1));
    reader.socket.resume();
    const frame = await reader.expect("invokefunction");
    seen.push((frame["data"] as { index: number }).index);
  }
  assert.equal(
    seen,
    Array.from({ length: 200 }, (_, index) => index),
  );
  await engine.close();
});

test("a worker that registers without end is disconnected at its share; the rest is freed", async () => {
  const engine = await startTestEngine({ limits: { retainedBytes: MIB, retainedTotalBytes: 2 * MIB } });
  const other = await Peer.hello(engine.url, "other");
  for (const [kind, prefix] of [
    ["after", "a"],
    ["before", "b"],
    ["after", "c"],
    ["before", "d"],
  ] as const) {
    const hoarder = kind === "after" ? await Peer.hello(engine.url, `hoarder-${prefix}`) : await Peer.connect(engine.url);
    for (let index = 0; index < 200; index += 1) {
      hoarder.send({ type: "registerfunction", id: `${prefix}::${index}`, description: "d".repeat(10_000) });
    }
    const { code, reason } = await hoarder.closed;
    assert.is(code, 1008);
    assert.match(reason, /too much memory/);
  }
  const { functions } = await other.call<{ functions: unknown[] }>("engine::functions::list", {});
  assert.not(functions.some((row) => /^[a-d]::/.test((row as { function_id: string }).function_id)));
  await engine.close();
});

test("calls that are never answered are limited, and freed when their caller leaves", async () => {
  const engine = await startTestEngine({ limits: { openCalls: 10 } });
  const silent = await Peer.hello(engine.url, "silent");
  await silent.serve("silent::f");
  const caller = await Peer.hello(engine.url, "caller");
  for (let index = 0; index < 10; index += 1) caller.invoke("silent::f", {});
  assert.is((await caller.fails("silent::f", {})).code, "invocation_error");
  await caller.close();
  const busy = async (): Promise<number> => {
    const { worker } = await silent.call<{ worker: { active_invocations: number } }>("engine::workers::info", { name: "silent" });
    return worker.active_invocations;
  };
  await eventually("no open calls", async () => (await busy()) === 0);
  await engine.close();
});

test("two thousand workers at once: all listed, all reachable, all gone afterwards", async () => {
  const engine = await startTestEngine();
  const watcher = await Peer.hello(engine.url, "watcher");
  const count = 2_000;
  const peers: Peer[] = [];
  for (let index = 0; index < count; index += 100) {
    const batch = Array.from({ length: 100 }, async (_, offset) => {
      const peer = await Peer.hello(engine.url, `w${index + offset}`);
      await peer.serve(`w${index + offset}::f`, () => index + offset);
      return peer;
    });
    peers.push(...(await Promise.all(batch)));
  }
  const list = (): Promise<{ functions: unknown[] }> => watcher.call("engine::functions::list", { prefix: "w" });
  assert.is((await list()).functions.length, count);
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => watcher.call(`w${index}::f`, {})));
  assert.equal(
    answers,
    Array.from({ length: count }, (_, index) => index),
  );
  for (const peer of peers) peer.socket.terminate();
  await eventually("all gone", async () => (await list()).functions.length === 0);
  await engine.close();
});

test("connections that come and go leave nothing behind", async () => {
  const engine = await startTestEngine();
  const watcher = await Peer.hello(engine.url, "watcher");
  for (let index = 0; index < 200; index += 1) {
    const peer = await Peer.hello(engine.url, "guest");
    await peer.serve("guest::f");
    await peer.provide("guest-type");
    await peer.bind("guest-trigger", "guest-type", "guest::f");
    peer.invoke("guest::f", {});
    await peer.close();
  }
  const rows = async (id: string, key: string, input: object): Promise<unknown[]> =>
    (await watcher.call<Record<string, unknown[]>>(id, input))[key] ?? [];
  await eventually("no guest left", async () => (await rows("engine::workers::list", "workers", { search: "guest" })).length === 0);
  assert.equal(await rows("engine::functions::list", "functions", { prefix: "guest" }), []);
  assert.equal(await rows("engine::triggers::list", "triggers", { prefix: "guest" }), []);
  assert.equal(await rows("engine::registered-triggers::list", "registered_triggers", { search: "guest" }), []);
  await engine.close();
});

test("no answer is lost: 20,000 calls to a peer that answers within the same turn", async () => {
  const engine = await startTestEngine();
  const worker = await Peer.hello(engine.url, "worker");
  const caller = await Peer.hello(engine.url, "caller");
  await worker.serve("worker::f");
  worker.socket.on("message", (data) => {
    const frame = JSON.parse(data.toString()) as Frame;
    if (frame.type === "invokefunction") worker.answer(frame, { result: 1 });
  });
  let answered = 0;
  const all = new Promise<void>((resolve) => {
    caller.socket.on("message", () => {
      answered += 1;
      if (answered === 20_000) resolve();
    });
  });
  for (let index = 0; index < 20_000; index += 1) caller.invoke("worker::f", {});
  await all;
  await engine.close();
});

test.run();
