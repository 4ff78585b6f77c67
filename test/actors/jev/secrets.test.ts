/** Spec 06 §2.2 and T-C01 to T-C03: what shows a key, and what doesn't. */
import { inspect } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ConfigurationHistory } from "../../../actors/configuration-history.js";
import { Secret } from "../../../actors/jev/secret.js";
import { readConfiguration, readConfigurationText, topologyChanges } from "../../../domain/configuration.js";
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
