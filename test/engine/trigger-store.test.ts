/** Spec 01 §2.3 and the trigger rows of §8.4, on the store alone: what providers are told, in order. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Binding, type Delivery, TriggerStore } from "../../actors/engine/trigger-store.js";

const type = (connectionId: string, namespace = "default") => ({ id: "t", namespace, description: "d", connectionId });

const binding = (id: string, more: Partial<Binding> = {}): Binding => ({
  id,
  triggerType: "t",
  triggerNamespace: "default",
  functionId: "s::h",
  namespace: "default",
  config: {},
  registrant: "s",
  ...more,
});

/** `p+i`: p is told of trigger i; `p-i`: that it is gone. */
function told(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(({ to, frame }) => {
    const { type, id } = frame as { type: string; id: string };
    return `${to}${type === "registertrigger" ? "+" : "-"}${id}`;
  });
}

function live(store: TriggerStore): string[] {
  return [...store.allLive()].map(({ id }) => id).sort();
}

test("a new provider takes over live triggers first, then parked ones", () => {
  const store = new TriggerStore();
  store.bind(binding("parked", { triggerType: "t" }));
  store.registerType(type("p"));
  store.refused("parked", "p");
  store.bind(binding("live"));
  assert.equal(told(store.registerType(type("q"))), ["q+live", "q+parked"]);
  assert.is(store.refused("live", "p"), undefined);
});

test("a delivery has namespaces only when they are not the default", () => {
  const store = new TriggerStore();
  store.registerType(type("p", "n"));
  const { deliveries } = store.bind(binding("i", { namespace: "m", triggerNamespace: "n", metadata: { a: 1 } }));
  assert.equal(deliveries[0]?.frame, {
    type: "registertrigger",
    id: "i",
    trigger_type: "t",
    function_id: "s::h",
    config: {},
    metadata: { a: 1 },
    namespace: "m",
    trigger_namespace: "n",
  });
});

test("without a provider in its namespace a trigger makes do with the default one, and moves when the other comes", () => {
  const store = new TriggerStore();
  store.registerType(type("p"));
  assert.equal(told(store.bind(binding("i", { triggerNamespace: "n" })).deliveries), ["p+i"]);
  assert.equal(told(store.registerType(type("q", "n"))), ["p-i", "q+i"]);
  assert.equal(told(store.removeConnection("q")), ["p+i"]);
  assert.equal(told(store.removeConnection("p")), []);
  assert.equal(live(store), []);
});

test("the same id again supersedes; another provider is told", () => {
  const store = new TriggerStore();
  store.registerType(type("p"));
  store.registerType({ ...type("q"), id: "u" });
  store.bind(binding("i"));
  assert.equal(told(store.bind(binding("i", { functionId: "s::other" })).deliveries), ["p+i"]);
  assert.equal(told(store.bind(binding("i", { triggerType: "u" })).deliveries), ["p-i", "q+i"]);
  assert.equal(told(store.bind(binding("i", { triggerType: "unknown" })).deliveries), ["q-i"]);
  assert.equal(live(store), []);
});

test("an explicit unregister wins over a late refusal", () => {
  const store = new TriggerStore();
  store.registerType(type("p"));
  store.bind(binding("i"));
  assert.equal(told(store.unbind("i")?.deliveries ?? []), ["p-i"]);
  assert.is(store.refused("i", "p"), undefined);
  assert.equal(told(store.registerType(type("p"))), []);
});

test("a refused trigger is retried only when the type is registered again", () => {
  const store = new TriggerStore();
  store.registerType(type("p"));
  store.bind(binding("i"));
  assert.is(store.refused("i", "p")?.id, "i");
  assert.is(store.refused("i", "p"), undefined);
  assert.equal(live(store), []);
  assert.equal(told(store.registerType(type("p"))), ["p+i"]);
});

test("a subscriber leaves: one notice a live trigger, parked ones vanish, those of nobody stay", () => {
  const store = new TriggerStore();
  store.registerType(type("p"));
  store.bind(binding("a"));
  store.bind(binding("b"));
  store.bind(binding("parked", { triggerType: "u" }));
  store.bind(binding("nobody", { registrant: undefined }));
  assert.equal(told(store.removeConnection("s")), ["p-a", "p-b"]);
  assert.equal(told(store.registerType({ ...type("q"), id: "u" })), []);
  assert.equal(live(store), ["nobody"]);
});

test("a worker that is subscriber and provider at once leaves without a word to itself", () => {
  const store = new TriggerStore();
  store.registerType(type("s"));
  store.bind(binding("own"));
  store.bind(binding("other", { registrant: "x" }));
  assert.equal(told(store.removeConnection("s")), []);
  assert.equal(told(store.registerType(type("p"))), ["p+other"]);
});

test("a type of the engine refuses at once, and comes back when a worker's type of its name goes", () => {
  const store = new TriggerStore();
  const refuse = (config: unknown) => (config === null ? "no config" : undefined);
  store.addBuiltinType({ id: "t", namespace: "default", description: "d", refuse });
  assert.is(store.bind(binding("i", { config: null })).refusal, "no config");
  store.bind(binding("j"));
  assert.equal(
    store.liveOfBuiltin("t").map(({ id }) => id),
    ["j"],
  );
  assert.equal(told(store.registerType(type("p"))), ["p+j"]);
  store.bind(binding("k", { config: null }));
  assert.equal(store.liveOfBuiltin("t"), []);
  store.removeConnection("p");
  assert.equal(
    store.liveOfBuiltin("t").map(({ id }) => id),
    ["j"],
  );
});

test("nothing is left of a thousand triggers and their connections", () => {
  const store = new TriggerStore();
  for (let index = 0; index < 1_000; index += 1) {
    store.registerType(type(`p${index}`));
    store.bind(binding(`i${index}`, { registrant: `s${index}` }));
  }
  for (let index = 0; index < 1_000; index += 1) {
    store.removeConnection(`s${index}`);
    store.removeConnection(`p${index}`);
  }
  assert.equal([live(store), [...store.types()]], [[], []]);
});

test.run();
