import { test } from "uvu";
import * as assert from "uvu/assert";
import { readContract } from "../../../actors/catalog/contract.js";
import { readFields } from "../../../actors/catalog/schema-text.js";

const SCHEMA = {
  type: "object",
  properties: {
    where: { $ref: "#/$defs/Place" },
    unit: { enum: ["metre", "foot", 3], description: "Unit of heights." },
    kind: { anyOf: [{ const: "spring" }, { const: "neap" }, { type: "null" }] },
    days: { type: "array", items: { type: "object", properties: { date: { title: "Day" } } } },
  },
  $defs: { Place: { type: "object", properties: { harbour: { description: "Name." }, nearest: { $ref: "#/$defs/Place" } } } },
};

test("the whole contract is kept for ranking: nested arguments, their descriptions, the values of enumerations", () => {
  const fields = readFields(SCHEMA);
  assert.equal(fields.slice(0, 7), [
    { name: "where", description: "", values: [] },
    { name: "unit", description: "Unit of heights.", values: ["metre", "foot"] },
    { name: "kind", description: "", values: ["spring", "neap"] },
    { name: "days", description: "", values: [] },
    { name: "where.harbour", description: "Name.", values: [] },
    { name: "where.nearest", description: "", values: [] },
    { name: "days.date", description: "Day", values: [] },
  ]);
  assert.is(fields.at(-1)?.name, "where.nearest.nearest.nearest", "a schema that refers to itself ends");
});

const ODD: readonly (readonly [what: string, schema: unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["true", true],
  ["text", "object"],
  ["properties that are no object", { properties: ["a"] }],
  ["a reference to nowhere", { $ref: "#/$defs/none" }],
  ["a reference to itself", { $ref: "#/" }],
];
for (const [what, schema] of ODD) {
  test(`a schema that is ${what} has no fields`, () => {
    assert.equal(readFields(schema), []);
  });
}

test("what is kept of one function is bounded", () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`a${at}`, { description: "x".repeat(5_000) }]));
  const fields = readFields({ properties: wide });
  assert.is(fields.length, 256);
  assert.ok(fields.every(({ description }) => description.length === 1_024));
  let nested: unknown = {};
  for (let depth = 0; depth < 50_000; depth++) nested = { anyOf: [nested, nested] };
  assert.equal(readFields({ properties: { deep: nested } }), [{ name: "deep", description: "", values: [] }]);
});

test("all sentences, the response and the worker are kept; text with half a character is mended", () => {
  const contract = readContract({
    functionId: "tide::next",
    description: "Next tide. In metres.\nAsks \ud800 the station.",
    requestSchema: SCHEMA,
    responseSchema: { properties: { height: { description: "Above chart datum." } } },
    worker: { name: "tides", description: "Knows the sea." },
  });
  assert.is(contract.slimDescription, "Next tide.");
  assert.match(contract.furtherText, /^In metres\.\nAsks \ufffd the station\.\n(?:.*\n)*height\nAbove chart datum\.$/);
  assert.equal([contract.worker, contract.workerDescription, contract.namespace], ["tides", "Knows the sea.", "tide"]);
});

test.run();
