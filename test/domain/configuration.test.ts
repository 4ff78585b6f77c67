/** Spec 07 §10, table "Configuration": what is read, what is refused, and how a refusal reads. */
import { inspect } from "node:util";
import { Ajv } from "ajv";
import { load } from "js-yaml";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  configurationSchema,
  DEFAULT_CONFIGURATION,
  readConfiguration,
  readConfigurationText,
  topologyChanges,
} from "../../domain/configuration.js";
import { homeOf, resolveConfigured } from "../../domain/paths.js";
import { Configuration, MODEL_REVISION, TOPOLOGY_FIELDS } from "../../protocol/configuration.js";

const SECRET = "sk-canary-7261";

function read(value: unknown): Configuration {
  const result = readConfiguration(value);
  if (!result.ok) throw new Error(result.faults.join("; "));
  return result.values;
}

function faults(value: unknown): readonly string[] {
  const result = readConfiguration(value);
  return result.ok ? [] : result.faults;
}

/** The same value as an operator would write it in YAML, and as JSON brings it. */
function bothWays(field: string, value: unknown): [string, unknown][] {
  return [
    ["YAML", load(`${field}: ${JSON.stringify(value)}`)],
    ["JSON", JSON.parse(JSON.stringify({ [field]: value }))],
  ];
}

const accepts = (row: string, field: keyof Configuration, value: unknown, expected: unknown = value): void => {
  test(`spec 07 §10 configuration, ${row}: ${field} ${JSON.stringify(value)} is accepted`, () => {
    for (const [, given] of bothWays(field, value)) assert.equal(read(given)[field], expected);
  });
};

const refuses = (row: string, field: keyof Configuration, value: unknown): void => {
  test(`spec 07 §10 configuration, ${row}: ${field} ${JSON.stringify(value)} is refused and named`, () => {
    for (const [way, given] of bothWays(field, value)) {
      assert.is(faults(given).length, 1, way);
      assert.match(faults(given)[0] ?? "", new RegExp(`^${field} `));
    }
  });
};

test("spec 07 §10 configuration, {}: YAML, JSON and the default object are equal", () => {
  assert.equal(read(load("{}")), DEFAULT_CONFIGURATION);
  assert.equal(read(JSON.parse("{}")), DEFAULT_CONFIGURATION);
  assert.equal(readConfigurationText(" \n"), { ok: true, values: DEFAULT_CONFIGURATION }, "an empty file");
  assert.is(DEFAULT_CONFIGURATION.function_search_model_path, `~/.cache/iii/all-MiniLM-L6-v2-${MODEL_REVISION}`);
  assert.is(DEFAULT_CONFIGURATION.function_search_model_download, true);
});

accepts("model path null", "function_search_model_path", null);
refuses("model path ''", "function_search_model_path", "");
refuses("model path blank", "function_search_model_path", "  ");
for (const mode of ["lexical", "hybrid", "jev"]) accepts("mode", "function_search_mode", mode);
refuses("mode remote", "function_search_mode", "remote");
test("spec 07 §10 configuration, jev mode with null model path", () => {
  const yaml = "function_search_mode: jev\nfunction_search_model_path: null\n";
  assert.equal(read(load(yaml)), read({ function_search_mode: "jev", function_search_model_path: null }));
});
for (const timeout of [1, 30_000, 4_500]) accepts("timeouts", "function_search_jev_timeout_ms", timeout);
for (const timeout of [0, -1, 30_001, 1.5, null, "3000"]) refuses("timeouts", "function_search_jev_timeout_ms", timeout);
for (const field of ["function_search_jev_min_relevance", "function_search_jev_side_lane_min_relevance"] as const) {
  for (const relevance of [0, 1, 0.725]) accepts("relevance", field, relevance);
  for (const relevance of [-0.01, 1.01, null, "NaN", "Infinity", "0.5"]) refuses("relevance", field, relevance);
  for (const scalar of [".nan", ".inf", "-.inf"]) {
    test(`spec 07 §10 configuration, relevance: ${field} ${scalar} is refused`, () => {
      assert.is(faults(load(`${field}: ${scalar}`)).length, 1);
    });
  }
}
for (const model of ["", "  ", null, 42]) refuses("model", "function_search_jev_model", model);

test("spec 07 §10 configuration, key: serialised, outside the topology", () => {
  const values = read({ function_search_jev_api_key: SECRET });
  assert.is(values.function_search_jev_api_key, SECRET);
  assert.equal(topologyChanges(DEFAULT_CONFIGURATION, values, { home: "/h", projectBase: "/p" }), []);
});
for (const key of [null, "", "   "]) accepts("key blank", "function_search_jev_api_key", key, null);
accepts("key with spaces around", "function_search_jev_api_key", `  ${SECRET} `, SECRET);
for (const key of [42, true, [SECRET], { key: SECRET }]) {
  test(`spec 07 §10 configuration, key of a wrong type (${typeof key}): the field is named, the secret is not`, () => {
    const [fault = ""] = faults({ function_search_jev_api_key: key });
    assert.match(fault, /^function_search_jev_api_key /);
    assert.not.match(inspect(readConfiguration({ function_search_jev_api_key: key }), { depth: 9 }), SECRET);
  });
}

test("spec 07 §10 configuration, schema: enum order, defaults, bounds, pattern, password, example", () => {
  const schema = configurationSchema() as {
    properties: Record<string, Record<string, unknown>>;
    definitions: Record<string, { enum: string[] }>;
    example: Record<string, unknown>;
  };
  assert.equal(schema.definitions["FunctionSearchMode"]?.enum, ["lexical", "hybrid", "jev"]);
  assert.equal(schema.example, DEFAULT_CONFIGURATION);
  const { properties } = schema;
  for (const [field, value] of Object.entries(DEFAULT_CONFIGURATION)) assert.equal(properties[field]?.["default"], value, field);
  assert.equal(properties["function_search_jev_api_key"]?.["type"], ["string", "null"]);
  assert.is(properties["function_search_jev_api_key"]?.["format"], "password");
  assert.is(properties["function_search_jev_model"]?.["minLength"], 1);
  assert.ok(new RegExp(String(properties["function_search_jev_model"]?.["pattern"])).test(" x "));
  assert.not.ok(new RegExp(String(properties["function_search_jev_model"]?.["pattern"])).test("  "));
  assert.equal(
    [properties["function_search_jev_timeout_ms"]?.["minimum"], properties["function_search_jev_timeout_ms"]?.["maximum"]],
    [1, 30_000],
  );
  assert.not.ok("additionalProperties" in schema);
  assert.ok(new Ajv({ strict: false, formats: { password: true } }).compile(schema)(DEFAULT_CONFIGURATION));
});

test("spec 07 §10 configuration, only tunables differ: topology equal", () => {
  const tunables = { registry_url: "http://other", filter_unregistered: false, inject_hint: true, function_search_mode: "lexical" };
  assert.equal(topologyChanges(DEFAULT_CONFIGURATION, read(tunables), { home: "/h", projectBase: "/p" }), []);
});
for (const field of TOPOLOGY_FIELDS) {
  test(`spec 07 §10 configuration, topology field ${field} differs`, () => {
    const before = DEFAULT_CONFIGURATION[field];
    const after = typeof before === "boolean" ? !before : "/elsewhere";
    assert.equal(topologyChanges(DEFAULT_CONFIGURATION, read({ [field]: after }), { home: "/h", projectBase: "/p" }), [field]);
  });
}
test("spec 07 §11 case 23: a folder by its spelling, the model by its place", () => {
  const bases = { home: "/h", projectBase: "/p" };
  assert.equal(topologyChanges(DEFAULT_CONFIGURATION, read({ skills_folder: "/p/skills" }), bases), ["skills_folder"]);
  const model = `/h/.cache/iii/all-MiniLM-L6-v2-${MODEL_REVISION}`;
  assert.equal(topologyChanges(DEFAULT_CONFIGURATION, read({ function_search_model_path: model }), bases), []);
});

const PATHS: readonly [row: string, path: string, home: string | undefined, base: string, expected: string][] = [
  ["absolute", "/a/b", "/h", "/p", "/a/b"],
  ["./bar", "./bar", "/h", "/p", "/p/bar"],
  ["~/x", "~/x", "/h", "/p", "/h/x"],
  ["~", "~", "/h", "/p", "/h"],
  ["~ without a home", "~", undefined, "/p", "~"],
  ["~/x without a home", "~/x", undefined, "/p", "/p/~/x"],
  ["~user/x", "~user/x", "/h", "/p", "/p/~user/x"],
  [".. is kept", "../x", "/h", "/p", "/p/../x"],
  ["no bases", "a/./b", undefined, "", "a/b"],
];
for (const [row, path, home, projectBase, expected] of PATHS) {
  test(`spec 07 §10 configuration, paths: ${row}`, () => {
    assert.is(resolveConfigured(path, { home, projectBase }), expected);
  });
}
test("spec 07 §11 case 31: HOME, else USERPROFILE, blank counts as unset", () => {
  assert.is(homeOf({ HOME: " ", USERPROFILE: "/u" }), "/u");
  assert.is(homeOf({}), undefined);
});
test("spec 07 §10 configuration, paths helper: inside compose the defaults are absolute, outside relative", () => {
  const result = readConfiguration({ skills_folder: "mine" }, "/c");
  assert.ok(result.ok);
  if (!result.ok) return;
  assert.equal([result.values.skills_folder, result.values.agents_folder], ["mine", "/c/agents"]);
  assert.is(result.values.local_skills_folder, "/c/skills/iii");
  assert.match(result.values.function_search_model_path ?? "", /^~\//);
  assert.is(DEFAULT_CONFIGURATION.agents_folder, "agents");
});

const ODD_YAML: readonly [row: string, yaml: string, expected: string | RegExp][] = [
  ["list at top level", "- a", /must be a map/],
  ["a word for a boolean", "auto_download: yes", /^auto_download /],
  ["a fraction of a millisecond", "download_timeout_ms: 1.5", /^download_timeout_ms /],
  ["negative ttl", "registry_cache_ttl_ms: -1", /^registry_cache_ttl_ms /],
  ["unexpanded placeholder", `download_timeout_ms: "\${T}"`, /^download_timeout_ms /],
];
for (const [row, yaml, expected] of ODD_YAML) {
  test(`spec 07 §11 cases 25 to 27, field fault K6: ${row}`, () => {
    assert.match(faults(load(yaml)).join("\n"), expected);
  });
}
test("spec 07 §11 case 27: whole numbers in other spellings", () => {
  assert.is(read(load("download_timeout_ms: 1e3")).download_timeout_ms, 1000);
  assert.is(read(load("download_timeout_ms: 3000.0")).download_timeout_ms, 3000);
});
test("unknown fields are dropped and refuse nothing", () => {
  assert.equal(read({ future: true, skills_folder: "s" }), { ...DEFAULT_CONFIGURATION, skills_folder: "s" });
});
test("every field of the schema is in the defaults", () => {
  assert.equal(Object.keys(Configuration.properties).sort(), Object.keys(DEFAULT_CONFIGURATION).sort());
});

test.run();
