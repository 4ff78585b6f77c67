/** Spec 07 §10 UI: the settings form's rules and what counts as an answer of the search. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseCapabilities, parseSearch, unwrap } from "../../console/search/parse.js";
import {
  flagOf,
  MODES,
  type Mode,
  modeOf,
  type NumberField,
  needsModel,
  numberFault,
  parseNumber,
  SECTIONS,
  withField,
} from "../../console/settings/fields.js";
import { Configuration, TOPOLOGY_FIELDS } from "../../protocol/configuration.js";

const FIELDS = SECTIONS.flatMap(({ fields }) => fields);

test("spec 07 §10 UI: mode undefined or remote is hybrid; known modes are kept", () => {
  assert.equal(["remote", undefined, null, 3].map(modeOf), ["hybrid", "hybrid", "hybrid", "hybrid"]);
  assert.equal(
    MODES.map(({ value }) => modeOf(value)),
    ["lexical", "hybrid", "jev"],
  );
});

test("spec 07 §10 UI: a boolean that is absent shows its default, an explicit one stays", () => {
  assert.equal(
    [flagOf(undefined, true), flagOf(undefined, false), flagOf(false, true), flagOf("x", true)],
    [true, false, false, true],
  );
});

test("spec 07 §10 UI, §11 row 58: a change keeps other keys; clearing removes the key and nothing else is written", () => {
  const draft = { other: { deep: 1 }, function_search_mode: "jev", function_search_jev_api_key: "k" };
  assert.equal(withField(draft, "function_search_mode", "lexical"), { ...draft, function_search_mode: "lexical" });
  assert.equal(withField(draft, "function_search_jev_api_key", ""), { other: { deep: 1 }, function_search_mode: "jev" });
  assert.equal(withField({}, "hint_min_workers", undefined), {});
  assert.equal(withField({}, "inject_hint", false), { inject_hint: false });
});

for (const mode of ["lexical", "hybrid", "jev"] as const satisfies readonly Mode[]) {
  for (const path of [null, undefined, "/models"]) {
    test(`spec 07 §10 UI: needs a model: ${mode}, ${path}`, () =>
      assert.is(needsModel(mode, path), mode === "hybrid" && path === null));
  }
}

test("spec 07 §10 UI: number texts", () => {
  assert.equal(parseNumber("0.105"), { value: 0.105 });
  assert.equal(parseNumber(" "), { value: undefined });
  for (const text of ["0.1.", "x", "Infinity", "NaN"]) assert.is(parseNumber(text), undefined);
  const timeout = FIELDS.find(({ name }) => name === "function_search_jev_timeout_ms") as NumberField;
  assert.equal(
    [0, 1, 30_000, 30_001, 1.5].map((value) => numberFault(timeout, value) === undefined),
    [false, true, true, false, false],
  );
  const floor = FIELDS.find(({ name }) => name === "function_search_jev_min_relevance") as NumberField;
  assert.equal(
    [-0.01, 0, 0.725, 1, 1.01].map((value) => numberFault(floor, value) === undefined),
    [false, true, true, true, false],
  );
});

test("spec 07 §9.5: the form has every field of the configuration once, with its default and bounds, and marks those that need a restart", () => {
  const properties = Configuration.properties as unknown as Record<
    string,
    { default?: unknown; minimum?: number; maximum?: number }
  >;
  assert.equal(FIELDS.map(({ name }) => name).sort(), Object.keys(properties).sort());
  assert.equal(
    FIELDS.filter(({ restart }) => restart === true)
      .map(({ name }) => name)
      .sort(),
    [...TOPOLOGY_FIELDS].sort(),
  );
  for (const field of FIELDS) {
    const property = properties[field.name];
    if (field.kind === "flag") assert.is(field.fallback, property?.default, field.name);
    if (field.kind !== "number") continue;
    assert.equal(
      [field.placeholder, field.min, field.max],
      [String(property?.default), property?.minimum, property?.maximum],
      field.name,
    );
  }
});

test("seed 001: the key's field is called Jev API key, is a password and names the variable it goes before", () => {
  const field = FIELDS.find(({ name }) => name === "function_search_jev_api_key");
  assert.is(field?.label, "Jev API key");
  assert.is(field?.kind, "secret");
  assert.match(field?.hint ?? "", /TYPESAFE_API_KEY/);
});

const CANDIDATE = { function_id: "a::b", description: "Does it.", inputs: ["legacy"] };
const FLAT = {
  guidance: "g",
  latency_ms: 3.4,
  search_mode: "hybrid",
  workers: [{ namespace: "a", functions: [CANDIDATE], total: 1 }],
  installable: [
    { name: "w", version: "1.0.0", description: "", functions: [], install: { function: "compose::add", payload: {} } },
  ],
  skills: [{ id: "a/b", title: "T", description: "" }],
  triggers: [{ id: "t", trigger_type: "cron", function_id: "a::b", worker_name: "w", config: { every: 1 } }],
};

const ACCEPTED: readonly (readonly [string, unknown])[] = [
  ["flat", FLAT],
  ["in the harness's envelope", { content: [{ type: "text", text: "…" }], details: FLAT }],
  ["as text", JSON.stringify(FLAT)],
  ["as text of text", JSON.stringify(JSON.stringify(FLAT))],
  ["in an envelope of text", { content: [], details: JSON.stringify(FLAT) }],
];
for (const [what, output] of ACCEPTED) {
  test(`spec 07 §10 UI search parse: ${what}`, () => {
    const answer = parseSearch(output);
    assert.equal(answer?.workers, [{ namespace: "a", functions: [{ function_id: "a::b", description: "Does it." }] }]);
    assert.equal([answer?.mode, answer?.latencyMs, answer?.guidance], ["hybrid", 3.4, "g"]);
    assert.equal([answer?.installable.length, answer?.skills.length, answer?.triggers.length], [1, 1, 1]);
  });
}

test("spec 07 §10 UI search parse: absent and null sections are empty; legacy and future answers still show", () => {
  const bare = { guidance: "", latency_ms: 0, workers: [], installable: null };
  const answer = parseSearch(bare);
  assert.equal([answer?.installable, answer?.skills, answer?.triggers, answer?.mode], [[], [], [], undefined]);
  assert.is(parseSearch({ ...bare, search_mode: "quantum" })?.mode, "quantum");
});

const REFUSED: readonly (readonly [string, unknown])[] = [
  ["no object", null],
  ["a list", []],
  ["other text", "not json"],
  ["no guidance", { ...FLAT, guidance: undefined }],
  ["guidance is no text", { ...FLAT, guidance: 1 }],
  ["no latency", { ...FLAT, latency_ms: undefined }],
  ["infinite latency", { ...FLAT, latency_ms: Number.POSITIVE_INFINITY }],
  ["no workers", { ...FLAT, workers: undefined }],
  ["empty namespace", { ...FLAT, workers: [{ namespace: "", functions: [] }] }],
  ["empty id", { ...FLAT, workers: [{ namespace: "a", functions: [{ function_id: "", description: "" }] }] }],
  ["no description", { ...FLAT, workers: [{ namespace: "a", functions: [{ function_id: "x" }] }] }],
  ["installable is no list", { ...FLAT, installable: {} }],
  ["a skill without id", { ...FLAT, skills: [{ title: "", description: "" }] }],
  ["a trigger without type", { ...FLAT, triggers: [{ id: "t", function_id: "x" }] }],
];
for (const [what, output] of REFUSED) {
  test(`spec 07 §10 UI search parse: null for ${what}`, () => assert.is(parseSearch(output), null));
}

test("spec 07 §9.6: capabilities, also double-encoded and in the wrapper; a legacy query is none", () => {
  assert.equal(parseCapabilities({ capabilities: ["a", 1, "b"] }), ["a", "b"]);
  assert.equal(parseCapabilities(JSON.stringify(JSON.stringify({ capabilities: ["a"] }))), ["a"]);
  assert.equal(parseCapabilities({ function_id: "directory::search_functions", payload: { capabilities: ["a"] } }), ["a"]);
  assert.equal(parseCapabilities({ query: "old" }), []);
  assert.equal(unwrap("plain"), "plain");
});

test.run();
