/** The comparison itself: what counts as equal, and what is said about the rest. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { canonical, contractDifferences, type JsonSchema } from "./api-reference.js";

const EQUAL: readonly (readonly [what: string, ours: unknown, theirs: unknown])[] = [
  ["prose", { type: "string", description: "a" }, { type: "string", description: "b" }],
  ["a nullable type", { anyOf: [{ type: "string" }, { type: "null" }] }, { type: ["string", "null"] }],
  [
    "a nullable object behind a reference",
    { anyOf: [{ type: "object", properties: { a: { type: "number" } } }, { type: "null" }] },
    {
      anyOf: [{ $ref: "#/definitions/A" }, { type: "null" }],
      definitions: { A: { type: "object", properties: { a: { type: "number" } } } },
    },
  ],
  [
    "constants and an enum",
    {
      anyOf: [
        { type: "string", const: "b" },
        { type: "string", const: "a" },
      ],
    },
    { type: "string", enum: ["a", "b"] },
  ],
  ["anything", {}, true],
  ["allOf of one", { type: "integer" }, { allOf: [{ $ref: "#/definitions/I" }], definitions: { I: { type: "integer" } } }],
  ["order of required", { required: ["b", "a"] }, { required: ["a", "b"] }],
  ["an empty required", { required: [] }, {}],
];

for (const [what, ours, theirs] of EQUAL) {
  test(`schemas are equal but for ${what}`, () => {
    const reference = { name: "x", metadata: {}, request_schema: theirs as JsonSchema, response_schema: {} };
    assert.equal(contractDifferences({ request: ours, response: {} }, reference), []);
  });
}

test("each difference is one line", () => {
  const reference = {
    name: "x",
    metadata: { internal: true },
    request_schema: {
      title: "In",
      type: "object",
      properties: { a: { type: "string" }, b: { type: "array", items: { type: "string" } }, c: {} },
      required: ["a"],
    },
    response_schema: { type: "object" },
  };
  const ours = {
    request: {
      title: "Input",
      type: "object",
      properties: { a: { type: "string", format: "uri" }, b: { type: "array", items: { type: "number" } }, d: {} },
      required: ["b", "d"],
    },
    response: { type: "object" },
  };
  assert.equal(contractDifferences(ours, reference), [
    "metadata: internal nothing for true",
    'request: title "Input" for "In"',
    'request.a: format "uri" for nothing',
    'request.b[]: type "number" for "string"',
    "request.c is missing",
    "request.d is ours",
    "request.a is not required",
    "request.b is required",
  ]);
});

test("a property called like a keyword of prose is a property", () => {
  const schema = { type: "object", properties: { description: { type: "string", description: "text" } } };
  assert.equal(canonical(schema), { type: "object", properties: { description: { type: "string" } } });
});

test.run();
