/** Spec 06 §20, the configuration: T-C01 to T-C08; and §2.2: what shows a key, and what doesn't. */
import { inspect } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ConfigurationHistory } from "../../../actors/configuration-history.js";
import { Secret } from "../../../actors/jev/secret.js";
import { configurationSchema, readConfiguration, readConfigurationText, topologyChanges } from "../../../domain/configuration.js";
import type { Configuration } from "../../../protocol/configuration.js";
import { environmentWithoutSecrets, jevOptionsOf } from "../../../supervisor/environment.js";

const KEY = "sk-canary-5b1e";

function read(given: ReturnType<typeof readConfiguration>): Configuration {
  if (!given.ok) throw new Error(given.faults.join("; "));
  return given.values;
}

for (const [way, values] of [
  ["JSON", read(readConfiguration({ function_search_jev_api_key: KEY }))],
  ["YAML", read(readConfigurationText(`function_search_jev_api_key: ${KEY}`))],
] as const) {
  test(`T-C01: a key from ${way} goes back to the store, and into no dump`, () => {
    assert.match(JSON.stringify(values), KEY);
    for (const shown of [values, { nested: { values } }, [values]]) assert.not.match(inspect(shown, { depth: 9 }), KEY);
    const history = new ConfigurationHistory({ generation: 1, values: structuredClone(values) });
    history.add({ generation: 2, values: structuredClone(values) });
    for (const shown of [history.current, history.of({ requestId: "r", deadline: 0, configuration: 1 })]) {
      assert.not.match(inspect(shown, { depth: 9 }), KEY);
      assert.is(shown.function_search_jev_api_key, KEY);
    }
    assert.equal(topologyChanges(read(readConfiguration({})), values, { home: "/h", projectBase: "/p" }), []);
  });
}

test("T-C01: without a key a dump says so", () => {
  assert.match(inspect(read(readConfiguration({}))), /function_search_jev_api_key: null/);
});

for (const blank of [null, "", " \t "]) {
  test(`T-C02: the key ${JSON.stringify(blank)} is none`, () => {
    for (const given of [
      readConfiguration({ function_search_jev_api_key: blank }),
      fromYaml("function_search_jev_api_key", blank),
    ]) {
      assert.is(read(given).function_search_jev_api_key, null);
    }
  });
}
for (const wrong of [42, true, [KEY], { key: KEY }]) {
  test(`T-C02: a key of the wrong type (${Array.isArray(wrong) ? "array" : typeof wrong}) is named, and not shown`, () => {
    for (const given of [
      readConfiguration({ function_search_jev_api_key: wrong }),
      fromYaml("function_search_jev_api_key", wrong),
    ]) {
      assert.match(faultOf(given), /^function_search_jev_api_key /);
      assert.not.match(inspect(given, { depth: 9 }), KEY);
      assert.not.match(faultOf(given), "42");
    }
  });
}

function fromYaml(field: string, value: unknown): ReturnType<typeof readConfiguration> {
  return readConfigurationText(`function_search_mode: lexical\n${field}: ${JSON.stringify(value)}`);
}

function faultOf(given: ReturnType<typeof readConfiguration>): string {
  if (given.ok) throw new Error("it was accepted");
  assert.is(given.faults.length, 1);
  return given.faults[0] ?? "";
}

test("T-C04: Jev mode without a local model", () => {
  const given = { function_search_mode: "jev", function_search_model_path: null };
  for (const values of [read(readConfiguration(given)), read(readConfigurationText(JSON.stringify(given)))]) {
    assert.equal([values.function_search_mode, values.function_search_model_path], ["jev", null]);
  }
});

const REFUSED: readonly [field: string, values: readonly unknown[]][] = [
  ["function_search_mode", ["judge", "", null]],
  ["function_search_jev_model", ["", " \t", null, 17]],
  ["function_search_jev_timeout_ms", [0, -1, 30_001, 1.5, null, "3000"]],
  ["function_search_jev_min_relevance", [-0.01, 1.01, "0.5", null]],
  ["function_search_jev_side_lane_min_relevance", [-0.01, 1.01, "0.3", null]],
  ["function_search_jev_shortlist", [-1, 1.5, "3", null]],
];
for (const [field, values] of REFUSED) {
  for (const value of values) {
    test(`T-C06: ${field} ${JSON.stringify(value)} is refused in every mode`, () => {
      const json = readConfiguration({ function_search_mode: "lexical", [field]: value });
      const yaml =
        field === "function_search_mode" ? readConfigurationText(`${field}: ${JSON.stringify(value)}`) : fromYaml(field, value);
      for (const given of [json, yaml]) assert.ok(faultOf(given).startsWith(`${field} `));
    });
  }
}
for (const field of ["function_search_jev_min_relevance", "function_search_jev_side_lane_min_relevance"]) {
  for (const scalar of [".nan", ".inf", "-.inf"]) {
    test(`T-C06: ${field} ${scalar} in YAML is refused and named`, () => {
      assert.ok(faultOf(readConfigurationText(`${field}: ${scalar}`)).startsWith(`${field} `));
    });
  }
}

test("T-C07: the schema of the judging fields", () => {
  const schema = configurationSchema() as {
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly definitions: Readonly<Record<string, { readonly enum: readonly string[] }>>;
    readonly example: Readonly<Record<string, unknown>>;
  };
  const partOf = (field: string, ...names: string[]): unknown[] => names.map((name) => schema.properties[field]?.[name]);
  assert.equal(schema.definitions["FunctionSearchMode"]?.enum, ["lexical", "hybrid", "jev"]);
  assert.equal(partOf("function_search_mode", "default"), ["hybrid"]);
  const model = partOf("function_search_jev_model", "type", "minLength", "pattern", "default");
  assert.equal(model, ["string", 1, "\\S", "jev-1.13.0"]);
  const timeout = partOf("function_search_jev_timeout_ms", "type", "minimum", "maximum", "default");
  assert.equal(timeout, ["integer", 1, 30_000, 3_000]);
  for (const [field, floor] of [
    ["function_search_jev_min_relevance", 0.5],
    ["function_search_jev_side_lane_min_relevance", 0.3],
  ] as const) {
    assert.equal(partOf(field, "type", "minimum", "maximum", "default"), ["number", 0, 1, floor]);
  }
  assert.equal(partOf("function_search_jev_api_key", "type", "format"), [["string", "null"], "password"]);
  assert.is(schema.example["function_search_jev_api_key"], null);
});

test("T-C03: the defaults, in JSON, YAML and built in", () => {
  for (const values of [read(readConfiguration({})), read(readConfigurationText("{}")), read(readConfiguration(undefined))]) {
    assert.equal(
      [
        values.function_search_mode,
        values.function_search_jev_model,
        values.function_search_jev_timeout_ms,
        values.function_search_jev_min_relevance,
        values.function_search_jev_side_lane_min_relevance,
        values.function_search_jev_shortlist,
      ],
      ["hybrid", "jev-1.13.0", 3_000, 0.5, 0.3, 0],
    );
  }
});

for (const [timeout, relevance] of [
  [1, 0],
  [30_000, 1],
  [4_500, 0.725],
]) {
  test(`T-C05: ${timeout} ms and ${relevance} come back as they went`, () => {
    const given = {
      function_search_jev_timeout_ms: timeout,
      function_search_jev_min_relevance: relevance,
      function_search_jev_side_lane_min_relevance: relevance,
      function_search_jev_model: "jev-custom",
    };
    const values = read(readConfiguration(given));
    assert.equal({ ...values, ...given }, { ...values });
    assert.equal(read(readConfiguration(JSON.parse(JSON.stringify(values)))), values);
  });
}

test("T-C08: mode and all judging fields are tunables", () => {
  const changed = read(
    readConfiguration({
      function_search_mode: "jev",
      function_search_jev_api_key: KEY,
      function_search_jev_model: "other",
      function_search_jev_timeout_ms: 7,
      function_search_jev_min_relevance: 0.1,
      function_search_jev_side_lane_min_relevance: 0.2,
      function_search_jev_shortlist: 3,
    }),
  );
  assert.equal(topologyChanges(read(readConfiguration({})), changed, { home: "/h", projectBase: "/p" }), []);
});

test("spec 06 §2.2: a secret shows itself to nobody who doesn't ask for it by name", () => {
  const secret = Secret.of(KEY);
  const shown = [String(secret), JSON.stringify({ secret }), inspect(secret, { showHidden: true }), inspect({ a: [secret] })];
  for (const text of shown) assert.not.match(text, KEY);
  assert.is(secret?.reveal(), KEY);
});

for (const [given, expected] of [
  [` ${KEY}\n`, { environmentKey: KEY }],
  ["  ", {}],
  [undefined, {}],
] as const) {
  test(`spec 06 §2.3: ${JSON.stringify(given)} in the environment`, () => {
    assert.equal(jevOptionsOf({ TYPESAFE_API_KEY: given }), expected);
  });
}

test("spec 06 §2.3: threads, and what they start, don't inherit the key", () => {
  assert.equal(environmentWithoutSecrets({ TYPESAFE_API_KEY: KEY, HOME: "/h" }), { HOME: "/h" });
});

test.run();
