// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholder syntax under test
/** The configuration worker: spec 01 §5, beyond what the conformance suite asks (cases 76 to 86). */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { entryFromYaml, entryToYaml } from "../../actors/engine/configuration/entry.js";
import { expand } from "../../actors/engine/configuration/expansion.js";
import { ConfigurationFolder } from "../../actors/engine/configuration/folder.js";
import { compileSchema } from "../../actors/engine/configuration/schema-check.js";
import { type ConfigurationEvent, ConfigurationStore } from "../../actors/engine/configuration/store.js";
import { createLogger } from "../../border/log.js";
import { startTestEngine } from "../harness/engine.js";
import { eventually, Peer } from "../harness/peer.js";
import { temporaryFolder } from "../harness/temporary.js";

const ENVIRONMENT = {
  PORT: "3111",
  EMPTY: "",
  TRUE: "true",
  NOTHING: "null",
  EXP: "5e3",
  BIG: "12345678901234567890",
  LIST: "[1]",
};

const EXPANDED: readonly [value: unknown, expected: unknown, missing?: string[]][] = [
  ["${PORT}", 3111],
  ["  ${PORT} ", 3111],
  ["${TRUE}", true],
  ["${NOTHING}", null],
  ["${EMPTY}", ""],
  ["${EMPTY:x}", ""],
  ["${EXP}", 5000],
  ["${BIG}", "12345678901234567890"],
  ["${LIST}", "[1]"],
  ["${NO:a # b}", "a # b"],
  ["${NO:}", ""],
  ["${NO:007}", 7],
  ["${NO:.inf}", ".inf"],
  ["${NO:a:b}", "a:b"],
  ["${PORT}${PORT}", "31113111"],
  ["a-${PORT}", "a-3111"],
  ["${NO}", "${NO}", ["NO"]],
  ["a ${NO} ${PORT}", "a ${NO} 3111", ["NO"]],
  ["${}", "${}"],
  ["$PORT", "$PORT"],
  [
    ["${PORT}", { "${PORT}": "${PORT}" }, 5, null],
    [3111, { "${PORT}": 3111 }, 5, null],
  ],
];

for (const [value, expected, missing = []] of EXPANDED) {
  test(`expansion of ${JSON.stringify(value)} (K6)`, () => assert.equal(expand(value, ENVIRONMENT), { value: expected, missing }));
}

test("expansion leaves a key called __proto__ a key", () => {
  const { value } = expand(JSON.parse('{"__proto__":"${PORT}"}'), ENVIRONMENT);
  assert.is(JSON.stringify(value), '{"__proto__":3111}');
});

const CHECKED: readonly [schema: unknown, value: unknown, fault: RegExp | undefined][] = [
  [true, 5, undefined],
  [false, 5, /no value/],
  [{ type: "object", properties: { port: { type: "integer" } } }, { port: "x" }, /^value\/port must be integer$/],
  [{ $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] }, [5], /\/0 must be string/],
  [{ $schema: "http://json-schema.org/draft-06/schema#", const: 1 }, 2, /constant/],
  [{ $schema: "https://json-schema.org/draft/2019-09/schema", dependentRequired: { a: ["b"] } }, { a: 1 }, /b/],
  [{ prefixItems: [{ type: "string" }] }, [5], /\/0 must be string/],
  [{ type: "string", format: "uri" }, "no uri", undefined],
  [{ properties: { a: { default: 5 } }, required: ["a"] }, {}, /required property 'a'/],
  [{ $async: true, type: "integer" }, "x", /integer/],
  [{ $id: "https://example.com/same", type: "integer" }, "x", /integer/],
  [{ $id: "https://example.com/same", type: "string" }, "x", undefined],
];

for (const [schema, value, fault] of CHECKED) {
  test(`check of ${JSON.stringify(value)} against ${JSON.stringify(schema)}`, () => {
    const found = compileSchema(schema)(value);
    if (fault === undefined) assert.is(found, undefined);
    else assert.match(found ?? "", fault);
  });
}

for (const schema of [null, 5, "object", [], { type: "nonsense" }, { $ref: "https://example.com/elsewhere" }, { pattern: "(" }]) {
  test(`a schema that is none: ${JSON.stringify(schema)}`, () => assert.throws(() => compileSchema(schema)));
}

test("an entry comes back from its file as it went in", () => {
  const value = {
    text: "yes",
    number: "5",
    date: "2020-01-01",
    multi: "a\nb\n",
    empty: null,
    list: [1.5, { deep: true }],
    "": "${X:1}",
  };
  const entry = { id: "a", name: "n: #", description: "", value, metadata: { m: [] } };
  assert.equal(entryFromYaml(entryToYaml(entry)), entry);
});

const BROKEN: readonly [string, RegExp][] = [
  ["", /./],
  ["- 1", /no settings/],
  ["port: 1", /needs id/],
  ["id: Bad Id\nname: n\ndescription: d\nvalue: 1", /its id/],
  ["id: a\nname: n\ndescription: d\nvalue: .nan", /JSON/],
  ["id: a\nname: n\ndescription: d\nvalue: [1", /./],
  ["id: a\nname: n\ndescription: d\nvalue: &x [*x]", /./],
];

for (const [text, reason] of BROKEN) {
  test(`a file that is no entry: ${JSON.stringify(text)}`, () => assert.throws(() => entryFromYaml(text), reason));
}

/** A store on a folder, without a watch: `reconcile` is called by hand. */
async function scene(files: Readonly<Record<string, string>> = {}) {
  const directory = temporaryFolder();
  const edit = (name: string, text: string): void => writeFileSync(join(directory, name), text);
  for (const [name, text] of Object.entries(files)) edit(name, text);
  const log = createLogger("engine", "silent");
  const events: ConfigurationEvent[] = [];
  const folder = new ConfigurationFolder(directory, log);
  const changed = (event: ConfigurationEvent): void => void events.push(event);
  const store = new ConfigurationStore({ folder, environment: ENVIRONMENT, log, changed });
  await store.open();
  const kinds = (): string[] => events.splice(0).map(({ event_type }) => event_type.split(":")[1] ?? "");
  return { directory, edit, store, events, kinds };
}

const SCHEMA = { type: "object", properties: { port: { type: "integer" } } };
const register = (more: object = {}) => ({ id: "a", name: "n", description: "d", schema: SCHEMA, ...more });
const file = (port: unknown, name = "n") => `id: a\nname: ${name}\ndescription: d\nvalue:\n  port: ${String(port)}\n`;

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );
}

test("an entry from a file can be read but not set until its owner registers it (SCHEMA_UNAVAILABLE)", async () => {
  const { store } = await scene({ "a.yaml": file(1) });
  assert.equal(store.get("a", false), { port: 1 });
  assert.is(await codeOf(store.set("a", { port: 2 })), "SCHEMA_UNAVAILABLE");
  assert.equal((await store.register(register())).value, { port: 1 });
  await store.set("a", { port: 2 });
  await store.close();
});

test("an initial value of null counts as none; metadata left out is cleared", async () => {
  const { store } = await scene();
  await store.register(register({ initialValue: { port: 1 }, metadata: { m: 1 } }));
  const entry = await store.register(register({ initialValue: null }));
  assert.equal([entry.value, "metadata" in entry], [{ port: 1 }, false]);
  await store.close();
});

test("edits of files: new, changed, renamed, of metadata only, invalid, unset variable, removed (K3)", async () => {
  const { store, edit, kinds, events, directory } = await scene();
  await store.register(register({ initialValue: { port: 1 } }));
  kinds();
  const reconcileAfter = async (text: string): Promise<string[]> => {
    edit("a.yaml", text);
    await store.reconcile();
    return kinds();
  };
  assert.equal(await reconcileAfter(file(2)), ["updated"]);
  assert.equal(await reconcileAfter(file(2, "other")), ["updated"]);
  assert.equal(await reconcileAfter(`${file(2, "other")}metadata: {m: 1}\n`), []);
  assert.equal(await reconcileAfter(file('"x"')), []);
  assert.equal(store.get("a", false), { port: 2 });
  assert.equal(await reconcileAfter(file('"${NO}"')), []);
  assert.equal(await reconcileAfter(file(3)), ["updated"]);
  assert.equal(store.get("a", false), { port: 3 });
  rmSync(join(directory, "a.yaml"));
  await store.reconcile();
  const [deleted] = events;
  assert.equal([deleted?.event_type, deleted?.old_value, deleted?.new_value], ["configuration:deleted", { port: 3 }, null]);
  assert.is(await codeOf(store.set("a", {})), "NOT_REGISTERED");
  events.length = 0;
  assert.equal(await reconcileAfter(file(4)), ["registered"]);
  await store.close();
});

test("a file that is half written is not a deletion", async () => {
  const { store, edit, kinds } = await scene();
  await store.register(register({ initialValue: { port: 1 } }));
  kinds();
  for (const text of ["", "id: a\nname: [", "x".repeat(2 * 1024 * 1024)]) {
    edit("a.yaml", text);
    await store.reconcile();
  }
  assert.equal([kinds(), store.get("a", false)], [[], { port: 1 }]);
  await store.set("a", { port: 2 });
  await store.reconcile();
  assert.equal([kinds(), store.get("a", false)], [["updated"], { port: 2 }]);
  await store.close();
});

test("a folder that vanished deletes nothing, and the next write brings it back", async () => {
  const { store, kinds, directory } = await scene();
  await store.register(register({ initialValue: { port: 1 } }));
  kinds();
  rmSync(directory, { recursive: true });
  await store.reconcile();
  assert.equal([kinds(), store.get("a", false)], [[], { port: 1 }]);
  await store.set("a", { port: 2 });
  assert.equal(readdirSync(directory), ["a.yaml"]);
  await store.close();
});

test("changes made at the same time and while the folder is read don't echo and don't get lost", async () => {
  const { store, kinds, directory } = await scene();
  await store.register(register({ initialValue: { port: 0 } }));
  kinds();
  const steps: Promise<unknown>[] = [];
  for (let port = 1; port <= 30; port += 1) steps.push(store.set("a", { port }), store.reconcile());
  await Promise.all(steps);
  assert.equal(kinds(), Array(30).fill("updated"));
  assert.match(readFileSync(join(directory, "a.yaml"), "utf8"), /port: 30/);
  await store.close();
});

test("a new file is for its owner's eyes; one that exists keeps its mode; nothing temporary is left", async () => {
  const { store, edit, directory } = await scene({ "b.yaml": file(1).replace("id: a", "id: b") });
  const mode = (name: string): number => statSync(join(directory, name)).mode & 0o777;
  const before = mode("b.yaml");
  await store.register(register({ initialValue: { port: 1 } }));
  await store.register({ ...register({ initialValue: { port: 2 } }), id: "b" });
  assert.equal([mode("a.yaml"), mode("b.yaml")], [0o600, before]);
  assert.equal(readdirSync(directory).sort(), ["a.yaml", "b.yaml"]);
  edit("c.yml", "no entry");
  await store.reconcile();
  await store.close();
});

test("what can't be written changes nothing (ADAPTER_ERROR)", async () => {
  const { store, kinds } = await scene();
  await store.register(register({ initialValue: { port: 1 } }));
  kinds();
  assert.is(await codeOf(store.set("a", { port: 2, text: "x".repeat(2 * 1024 * 1024) })), "ADAPTER_ERROR");
  assert.equal([kinds(), store.get("a", false)], [[], { port: 1 }]);
  await store.close();
});

test("two files of one entry: the one named like the entry counts", async () => {
  const { store } = await scene({ "0.yaml": file(1), "a.yaml": file(2), "z.yaml": file(3) });
  assert.equal(store.get("a", false), { port: 2 });
  await store.close();
});

test("values outlive the engine; an edit of a file is told; a listener that hangs holds up only its own event", async () => {
  const directory = temporaryFolder();
  const first = await startTestEngine({ configurationDirectory: directory });
  const owner = await Peer.hello(first.url, "owner");
  await owner.call("configuration::register", { ...register(), initial_value: { port: 1 } });
  await first.close();

  const second = await startTestEngine({ configurationDirectory: directory });
  const peer = await Peer.hello(second.url, "owner");
  await peer.serve("owner::changed");
  await peer.bind("i", "configuration", "owner::changed", { configuration_id: "a" }, { metadata: { m: 1 } });
  assert.equal(await peer.call("configuration::get", { id: "a" }), { id: "a", value: { port: 1 } });
  await peer.call("configuration::register", register());
  await peer.call("configuration::set", { id: "a", value: { port: 2 } });
  // The first of these events is never answered.
  const events = [await peer.expect("invokefunction"), await peer.expect("invokefunction")];
  assert.equal(
    events.map(({ metadata, data }) => [metadata, "_caller_worker_id" in (data as object)]),
    [
      [{ m: 1 }, false],
      [{ m: 1 }, false],
    ],
  );
  writeFileSync(join(directory, "a.yaml"), file(7));
  await eventually("the edited value", async () => {
    const { value } = await peer.call<{ value: { port: number } }>("configuration::get", { id: "a" });
    return value.port === 7;
  });
  await peer.expect("invokefunction");
  await second.close();
});

test("a condition decides: false and an error skip, anything else doesn't", async () => {
  const engine = await startTestEngine();
  const peer = await Peer.hello(engine.url, "peer");
  const answers: Record<string, () => unknown> = {
    no: () => false,
    fails: () => {
      throw new Error("broken");
    },
    nothing: () => null,
    yes: () => true,
  };
  const called: string[] = [];
  for (const [name, answer] of Object.entries(answers)) {
    await peer.serve(`if::${name}`, answer);
    await peer.serve(`then::${name}`, () => called.push(name));
    await peer.bind(name, "configuration", `then::${name}`, { condition_function_id: `if::${name}` });
  }
  await peer.serve("last::one", () => called.push("last"));
  await peer.bind("last", "configuration", "last::one", {});
  await peer.call("configuration::register", register());
  await eventually("the last listener", () => called.includes("last"));
  assert.equal(called.sort(), ["last", "nothing", "yes"]);
  await engine.close();
});

test.run();
