/** The small tables of the engine: functions, open calls, the ledger, and trace headers. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FunctionRegistry } from "../../actors/engine/function-registry.js";
import { InvocationTable, type Outcome } from "../../actors/engine/invocation-table.js";
import { Ledger } from "../../actors/engine/ledger.js";
import { forwardedTrace } from "../../actors/engine/trace-context.js";

const record = (id: string, connectionId: string, namespace = "default") => ({ id, namespace, connectionId });

test("functions: the newest owner serves, and the old one takes nothing away when it leaves", () => {
  const functions = new FunctionRegistry();
  functions.set(record("f", "old"));
  functions.set(record("f", "new"));
  functions.removeConnection("old");
  assert.is(functions.find("default", "f")?.connectionId, "new");
  assert.is(functions.countOf("new"), 1);
});

test("functions: a worker's function hides a built-in until the worker leaves", () => {
  const functions = new FunctionRegistry();
  const builtin = { id: "engine::x", worker: "w", description: "d", request: {}, run: () => null };
  functions.addBuiltin(builtin);
  functions.set(record("engine::x", "c"));
  assert.equal(
    [...functions.all()].map(({ connectionId }) => connectionId),
    ["c"],
  );
  functions.removeConnection("c");
  assert.is(functions.find("default", "engine::x")?.builtin, builtin);
});

test("functions: one id in several namespaces", () => {
  const functions = new FunctionRegistry();
  functions.set(record("f", "a", "x"));
  functions.set(record("f", "b"));
  assert.equal(functions.namespacesOf("f"), ["default", "x"]);
  assert.ok(functions.delete("x", "f", "a"));
  assert.not(functions.delete("default", "f", "a"));
  assert.equal(functions.namespacesOf("f"), ["default"]);
});

function call(id: string, executor: string, caller: string | undefined, told: Outcome[] = []) {
  return { id, functionId: "f", executor, caller, settle: (outcome: Outcome) => void told.push(outcome) };
}

test("calls: an id in use is refused, so that no answer can reach the wrong caller", () => {
  const calls = new InvocationTable();
  assert.ok(calls.file(call("1", "x", "a")));
  assert.not(calls.file(call("1", "y", "b")));
  assert.is(calls.take("1", "y"), undefined);
  assert.is(calls.take("1", "x")?.caller, "a");
  assert.is(calls.take("1", "x"), undefined);
});

test("calls: nothing is kept of a connection that left, whichever side it was on", () => {
  const calls = new InvocationTable();
  calls.file(call("1", "x", "a"));
  calls.file(call("2", "a", "x"));
  calls.file(call("3", "a", "a"));
  calls.file(call("4", "x", undefined));
  assert.is(calls.countCalledBy("a"), 2);
  assert.is(calls.countExecutedBy("a"), 2);
  assert.equal(
    calls
      .removeConnection("a")
      .map(({ id }) => id)
      .sort(),
    ["1", "2", "3"],
  );
  assert.is(calls.size, 1);
  assert.is(calls.countExecutedBy("x"), 1);
});

test("ledger: replacing an item costs only the difference; limits of one and of all hold", () => {
  const ledger = new Ledger(100, 150);
  assert.ok(ledger.charge("a", "k", 90));
  assert.ok(ledger.charge("a", "k", 100));
  assert.not(ledger.charge("a", "l", 1));
  assert.not(ledger.charge("b", "k", 51));
  assert.ok(ledger.charge("b", "k", 50));
  ledger.refund("a", "k");
  ledger.refund("a", "k");
  ledger.close("b");
  assert.is(ledger.totalBytes, 0);
});

const TRACES: readonly [string, object, object][] = [
  ["none stays none", {}, {}],
  ["only traceparent", { traceparent: "t" }, { traceparent: "t", baggage: "iii.function.id=a::f" }],
  ["other entries are kept", { baggage: "x=1;p=2, y=3" }, { baggage: "x=1;p=2,y=3,iii.function.id=a::f" }],
  ["the caller's own id is replaced", { baggage: "iii.function.id = z ,x=1" }, { baggage: "x=1,iii.function.id=a::f" }],
  ["an empty baggage", { baggage: "" }, { baggage: "iii.function.id=a::f" }],
];

for (const [name, caller, expected] of TRACES) {
  test(`trace: ${name}`, () => assert.equal(forwardedTrace(caller, "a::f"), expected));
}

test("trace: an id with separators and other alphabets can be read back", () => {
  const { baggage } = forwardedTrace({ baggage: "" }, "ä,b;c %\ud800");
  assert.is(decodeURIComponent(baggage?.split("=")[1] ?? ""), "ä,b;c %\ufffd");
});

test.run();
