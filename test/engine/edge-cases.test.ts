/** Spec 01 §8.4 and §2, beyond what the conformance suite asks: what happens at the edges of calls, triggers and registrations. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { EngineSetting, RunningEngine } from "../../actors/engine/engine.js";
import { startTestEngine } from "../harness/engine.js";
import { eventually, Peer } from "../harness/peer.js";

type Scene = { readonly engine: RunningEngine; readonly hello: (name: string, metadata?: object) => Promise<Peer> };

function edge(name: string, body: (scene: Scene) => Promise<void>, setting: Partial<EngineSetting> = {}): void {
  test(name, async () => {
    const engine = await startTestEngine(setting);
    try {
      await body({ engine, hello: (worker, metadata) => Peer.hello(engine.url, worker, metadata) });
    } finally {
      await engine.close();
    }
  });
}

edge("an answer counts once, and only from the worker that was asked", async ({ hello }) => {
  const [worker, thief, caller] = [await hello("worker"), await hello("thief"), await hello("caller")];
  await worker.serve("worker::f");
  const id = caller.invoke("worker::f", {});
  const call = await worker.expect("invokefunction");
  thief.answer(call, { result: "stolen" });
  await thief.sync();
  worker.answer(call, { result: "right" });
  worker.answer(call, { result: "again" });
  await worker.sync();
  assert.is((await caller.expect("invocationresult", { invocation_id: id }))["result"], "right");
  await caller.sync();
  assert.equal(caller.inbox, []);
});

edge("two callers with one invocation id: the second is refused, nothing gets to the wrong one", async ({ hello }) => {
  const [worker, first, second] = [await hello("worker"), await hello("first"), await hello("second")];
  await worker.serve("worker::f");
  const id = first.invoke("worker::f", { n: 1 });
  const call = await worker.expect("invokefunction");
  second.send({ type: "invokefunction", invocation_id: id, function_id: "worker::f", data: { n: 2 } });
  assert.equal(((await second.expect("invocationresult"))["error"] as { code: string }).code, "invocation_error");
  worker.answer(call, { result: 1 });
  assert.is((await first.expect("invocationresult"))["result"], 1);
  assert.equal(worker.inbox, []);
});

edge("a queue provider gets the call, and its receipt goes to the caller; its failure is an enqueue_error", async ({ hello }) => {
  const [queue, caller] = [await hello("queue"), await hello("caller")];
  await queue.serve("engine::queue::enqueue", (data) => {
    const { queue: name } = data as { queue: string };
    if (name === "full") throw new Error("no room");
    return {};
  });
  await queue.serve("queue::last");
  const trace = { traceparent: "t", baggage: "x=1" };
  const enqueue = (name: string) => ({ action: { type: "enqueue", queue: name }, ...trace });
  const { messageReceiptId } = await caller.call("a::f", { n: 1 }, enqueue("q"));
  assert.match(String(messageReceiptId), /^[0-9a-f-]{36}$/);
  assert.equal(await caller.fails("a::f", {}, enqueue("full")), { code: "enqueue_error", message: "no room" });
});

edge("a worker's function of a built-in id serves while the worker is there, the built-in afterwards", async ({ hello }) => {
  const [worker, caller] = [await hello("worker"), await hello("caller")];
  await worker.serve("configuration::list", () => ({ mine: true }));
  assert.equal(await caller.call("configuration::list", {}), { mine: true });
  await worker.close();
  await eventually("the built-in is back", async () => "configurations" in (await caller.call("configuration::list", {})));
});

edge("a function that isn't there when a trigger fires: the trigger stays and fires when it is back", async ({ hello }) => {
  const [owner, other] = [await hello("owner"), await hello("other")];
  await owner.bind("i", "configuration", "other::changed", {});
  const register = () => other.call("configuration::register", { id: "a", name: "n", description: "d", schema: true });
  await register();
  await other.serve("other::changed");
  await register();
  const { data } = await other.expect("invokefunction");
  assert.is((data as { event_type: string }).event_type, "configuration:updated");
});

edge(
  "a provider that is silent on engine::register_trigger holds up nobody, and counts as content in the end",
  async ({ hello }) => {
    const [provider, caller, other] = [await hello("provider"), await hello("caller"), await hello("other")];
    await provider.provide("t");
    const id = caller.invoke("engine::register_trigger", { trigger_type: "t", function_id: "f" });
    await provider.expect("registertrigger");
    await other.provide("u");
    await other.serve("other::f", () => 1);
    assert.is(await caller.call("other::f", {}), 1);
    const { result } = await caller.expect("invocationresult", { invocation_id: id });
    assert.type((result as { id: string }).id, "string");
  },
  { providerAnswerMs: 200 },
);

edge(
  "a provider that leaves during engine::register_trigger: accepted, parked, delivered to the next provider",
  async ({ hello }) => {
    const [provider, caller] = [await hello("provider"), await hello("caller")];
    await provider.provide("t");
    const id = caller.invoke("engine::register_trigger", { trigger_type: "t", function_id: "f", config: { a: 1 } });
    await provider.expect("registertrigger");
    await provider.close();
    const { result } = await caller.expect("invocationresult", { invocation_id: id });
    const next = await hello("next");
    await next.provide("t");
    const { id: delivered, config } = await next.expect("registertrigger");
    assert.equal([delivered, config], [(result as { id: string }).id, { a: 1 }]);
  },
  { providerAnswerMs: 200 },
);

edge("an unknown type for engine::register_trigger is parked with an id; unregistering it counts", async ({ hello }) => {
  const caller = await hello("caller");
  const { id } = await caller.call("engine::register_trigger", { trigger_type: "unknown", function_id: "f", once: true });
  assert.equal(await caller.call("engine::unregister_trigger", { id }), { removed: true });
  assert.equal(await caller.call("engine::unregister_trigger", { id }), { removed: false });
});

const BLANK: readonly [string, string, object][] = [
  ["engine::register_trigger", "trigger_namespace", { trigger_type: "t", function_id: "f", trigger_namespace: " " }],
  ["engine::register_trigger", "namespace", { trigger_type: "t", function_id: "f", namespace: "" }],
  ["engine::workers::register", "namespace", { namespace: "" }],
];

for (const [id, field, input] of BLANK) {
  edge(`${id} with a blank ${field} is refused with INVALID_NAMESPACE`, async ({ hello }) => {
    assert.is((await (await hello("caller")).fails(id, input)).code, "INVALID_NAMESPACE");
  });
}

edge("a trigger with a blank namespace is refused with INVALID_NAMESPACE", async ({ hello }) => {
  const peer = await hello("peer");
  await peer.bind("i", "configuration", "f", {}, { namespace: " " });
  const { error } = await peer.expect("triggerregistrationresult", { id: "i" });
  assert.is((error as { code: string }).code, "INVALID_NAMESPACE");
});

edge("namespaces: a listener, its type and its target may each be in another one", async ({ hello }) => {
  const [near, far] = [await hello("near"), await hello("far", { namespace: "n" })];
  await far.serve("far::changed");
  await near.bind("i", "engine::workers-available", "far::changed", {}, { namespace: "n" });
  await hello("third");
  const { data } = await far.expect("invokefunction");
  assert.is((data as { event: string }).event, "worker_connected");
  const { functions } = await near.call<{ functions: { function_id: string; namespace: string }[] }>("engine::functions::list", {});
  assert.equal(
    functions.filter(({ function_id }) => function_id === "far::changed").map(({ namespace }) => namespace),
    ["n"],
  );
  const detail = await near.call("engine::functions::info", { function_id: "far::changed" });
  assert.is(detail["namespace"], "n");
});

edge("an id in two namespaces other than the default is ambiguous: NOT_FOUND names them", async ({ hello }) => {
  for (const namespace of ["x", "y"]) await (await hello("w", { namespace })).serve("w::f");
  const peer = await hello("peer");
  const { code, message } = await peer.fails("engine::functions::info", { function_id: "w::f" });
  assert.is(code, "NOT_FOUND");
  assert.match(message, /x, y/);
  assert.is((await peer.call("engine::functions::info", { function_id: "w::f", namespace: "y" }))["namespace"], "y");
});

edge("one name in two namespaces is no clash", async ({ hello }) => {
  const one = await hello("same");
  const two = await hello("same", { namespace: "n" });
  await Promise.all([one.sync(), two.sync()]);
});

edge(
  "a worker that never says who it is serves after the grace period; a late word keeps its namespace",
  async ({ engine, hello }) => {
    const [late, caller] = [await Peer.connect(engine.url), await hello("caller")];
    await late.serve("late::f", () => 1);
    await eventually("late::f", async () => (await caller.call("late::f", {}).catch(() => 0)) === 1);
    await late.call("engine::workers::register", { name: "late", pid: 1, namespace: "elsewhere" });
    assert.is(await caller.call("late::f", {}), 1);
  },
  { registrationGraceMs: 50 },
);

edge("held registrations take effect in the order they came", async ({ engine, hello }) => {
  const [worker, caller] = [await Peer.connect(engine.url), await hello("caller")];
  await worker.serve("w::f", undefined, { description: "first" });
  worker.send({ type: "unregisterfunction", id: "w::f" });
  await worker.serve("w::f", () => 1, { description: "second" });
  await worker.serve("w::g", () => 2);
  worker.send({ type: "unregisterfunction", id: "w::g" });
  await worker.call("engine::workers::register", { name: "w", pid: 1 });
  assert.is((await caller.call("engine::functions::info", { function_id: "w::f" }))["description"], "second");
  assert.is((await caller.fails("w::g", {})).code, "function_not_found");
});

edge("reattach ends calls in flight on the old connection before the new one is heard", async ({ engine, hello }) => {
  const [old, caller] = [await hello("w"), await hello("caller")];
  await old.serve("w::f");
  const id = caller.invoke("w::f", {});
  await old.expect("invokefunction");
  const fresh = await Peer.connect(engine.url);
  fresh.send({ type: "reattach", previous_worker_id: old.id, reattach_token: old.token });
  fresh.send({ type: "registerfunction", id: "w::f" });
  await fresh.call("engine::workers::register", { name: "w", pid: 1 });
  const { error } = await caller.expect("invocationresult", { invocation_id: id });
  assert.is((error as { code: string }).code, "invocation_stopped");
  await old.closed;
  caller.invoke("w::f", {});
  await fresh.expect("invokefunction");
});

edge(
  "0.22: no namespace anywhere, and namespace keys mean nothing",
  async ({ hello }) => {
    const [worker, caller] = [await hello("w", { namespace: "n" }), await hello("caller")];
    await worker.serve("w::f", () => 1);
    assert.is(await caller.call("w::f", {}, { namespace: "" }), 1);
    const { message } = await caller.fails("no::pe", {});
    assert.is(message, "Function no::pe not found");
    const rows = [
      (await caller.call<{ functions: object[] }>("engine::functions::list", {})).functions,
      (await caller.call<{ triggers: object[] }>("engine::triggers::list", {})).triggers,
      (await caller.call<{ workers: object[] }>("engine::workers::list", {})).workers,
    ].flat();
    assert.ok(rows.length > 3);
    assert.not(rows.some((row) => "namespace" in row));
  },
  { generation: "0.22" },
);

edge("workers::info lists what belongs to a worker, hidden things too; in-process workers have one as well", async ({ hello }) => {
  const worker = await hello("w");
  await worker.serve("w::f", undefined, { metadata: { internal: true } });
  await worker.provide("w-type");
  await worker.bind("i", "w-type", "w::f");
  const info = await worker.call<Record<string, Record<string, unknown>[]>>("engine::workers::info", { name: "w" });
  assert.equal(
    [info["functions"]?.[0]?.["function_id"], info["trigger_types"]?.[0]?.["id"], info["registered_triggers"]?.[0]?.["id"]],
    ["w::f", "w-type", "i"],
  );
  const inside = await worker.call<{ worker: { internal: boolean } }>("engine::workers::info", { name: "configuration" });
  assert.is(inside.worker.internal, true);
  const trigger = await worker.call("engine::registered-triggers::info", { id: "i" });
  assert.equal(
    [(trigger["function"] as { function_id: string }).function_id, (trigger["trigger"] as { id: string }).id],
    ["w::f", "w-type"],
  );
});

edge("log lines of workers are taken and dropped", async ({ hello }) => {
  const peer = await hello("peer");
  for (const level of ["trace", "debug", "info", "warn", "error"]) {
    assert.is(await peer.call(`engine::log::${level}`, { message: "m" }), undefined);
  }
});

test.run();
