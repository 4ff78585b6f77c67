import { createHash } from "node:crypto";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  canonicalContract,
  contractFingerprint,
  parameterNames,
  searchableText,
  slimDescription,
} from "../../domain/function-contract.js";
import { isExcludedFunction, namespaceOf, shownNamespace } from "../../domain/function-id.js";

const SLIM: readonly (readonly [description: string, slim: string])[] = [
  ["Is it there? More text.", "Is it there?"],
  ["Reads v1.2 files. Then more.", "Reads v1.2 files."],
  ["Takes a path, e.g. /tmp. More.", "Takes a path, e.g."],
  ["No end", "No end"],
  ["First line\nsecond.", "First line"],
  ["First line\r\nsecond.", "First line"],
  ["\nlate", ""],
  ["Wow!", "Wow!"],
  ["Trailing   ", "Trailing"],
  ["", ""],
  [`${"x".repeat(159)}é`, "x".repeat(159)],
  [`${"x".repeat(200)}. End`, "x".repeat(160)],
];
for (const [description, slim] of SLIM) {
  test(`spec 05 §3.1, §14 row 2: first sentence of ${JSON.stringify(description.slice(0, 40))}`, () => {
    assert.is(slimDescription(description), slim);
  });
}

const EXCLUDED: readonly (readonly [id: string, excluded: boolean])[] = [
  ["directory::search_functions", true],
  ["engine::functions::list", true],
  ["state::claim-namespace", true],
  ["state/codex::on-config-change", true],
  ["state::set", false],
  ["state::claim", false],
  ["state::on-config", false],
  ["directory::skills::list", false],
];
for (const [id, excluded] of EXCLUDED) {
  test(`spec 05 §14 row 1: ${id} is ${excluded ? "excluded" : "searched"}`, () => {
    assert.is(isExcludedFunction(id), excluded);
  });
}

test("decision 13: an id without a namespace is shown under its owner, else under itself", () => {
  assert.is(namespaceOf("publish"), undefined);
  assert.is(namespaceOf("::x"), undefined);
  assert.is(shownNamespace("publish", "pubsub"), "pubsub");
  assert.is(shownNamespace("publish", undefined), "publish");
  assert.is(shownNamespace("publish", ""), "publish");
  assert.is(shownNamespace("a::b::c", "w"), "a");
});

const SCHEMA = { required: ["to"], properties: { to: { type: "string" }, "10": {}, body: { properties: { x: {} } } }, title: "T" };

test("spec 05 §3.2: slim parameters keep names and the required list, keys in byte order", () => {
  assert.is(
    canonicalContract("mail::send", "Sends. More.", SCHEMA),
    '{"name":"mail::send","description":"Sends.","parameters":{"properties":{"10":{},"body":{},"to":{}},"required":["to"],"type":"object"}}',
  );
  assert.is(canonicalContract("a", "", true), '{"name":"a","description":"","parameters":{"type":"object"}}');
  assert.equal(parameterNames(SCHEMA), ["10", "body", "to"]);
  assert.equal(parameterNames({ properties: [] }), []);
});

test("spec 05 §3.4: searchable text has single spaces", () => {
  assert.is(searchableText("mail::send", "Sends. More.", ["body", "to"]), "mail::send Sends. body to");
  assert.is(searchableText("mail::send", "", ["to"]), "mail::send to");
});

const BASE = contract("a::b", "One. Two.", { properties: { x: {} }, required: ["x", "y"] });
const FINGERPRINTS: readonly (readonly [what: string, changed: ReturnType<typeof contract>, same: boolean])[] = [
  ["a later sentence", contract("a::b", "One. Three.", { properties: { x: {} }, required: ["x", "y"] }), true],
  ["the type of an argument", contract("a::b", "One. Two.", { properties: { x: { type: "null" } }, required: ["x", "y"] }), true],
  ["the id", contract("a::c", "One. Two.", { properties: { x: {} }, required: ["x", "y"] }), false],
  ["the first sentence", contract("a::b", "Uno. Two.", { properties: { x: {} }, required: ["x", "y"] }), false],
  ["the name of an argument", contract("a::b", "One. Two.", { properties: { z: {} }, required: ["x", "y"] }), false],
  ["the order of required", contract("a::b", "One. Two.", { properties: { x: {} }, required: ["y", "x"] }), false],
];
for (const [what, changed, same] of FINGERPRINTS) {
  test(`spec 05 §3.3: fingerprint and ${what}`, () => {
    assert.is(contractFingerprint([changed]) === contractFingerprint([BASE]), same);
  });
}

test("spec 05 §3.3: the fingerprint is SHA-256 of the sorted array, whatever the order given", () => {
  const other = contract("a::a", "x", {});
  const expected = createHash("sha256").update(`[${other.canonical},${BASE.canonical}]`).digest("hex");
  assert.is(contractFingerprint([BASE, other]), expected);
  assert.is(contractFingerprint([]), createHash("sha256").update("[]").digest("hex"));
});

function contract(functionId: string, description: string, schema: unknown): { functionId: string; canonical: string } {
  return { functionId, canonical: canonicalContract(functionId, description, schema) };
}

test.run();
