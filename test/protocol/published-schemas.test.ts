/**
 * Decision 35: every function is published with the schemas of the API reference, but for the rows of docs/contract-differences.md. A
 * difference without a row fails, and so does a row without a difference.
 */
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { FunctionDefinition } from "../../protocol/functions/definition.js";
import { FUNCTIONS } from "../../protocol/functions/index.js";
import { apiReference, contractDifferences, documentedDifferences } from "../harness/api-reference.js";
import { needsShared } from "../harness/shared.js";

const check = needsShared(test, "published schemas against the API reference");

/** What the table says about a function that the reference doesn't have. */
const NOT_IN_REFERENCE = "not in the reference";

/** Internal functions of our own are nobody's contract. */
const unknown = ({ metadata }: FunctionDefinition): string[] => (metadata?.["internal"] === true ? [] : [NOT_IN_REFERENCE]);

for (const ours of FUNCTIONS) {
  check(`schemas of ${ours.id}`, () => {
    const reference = apiReference().get(ours.id);
    const found = reference === undefined ? unknown(ours) : contractDifferences(ours, reference);
    assert.equal(found.sort(), [...(documentedDifferences().get(ours.id) ?? [])].sort());
  });
}

check("every schema is an object with a title, and ids are unique", () => {
  for (const { id, request, response } of FUNCTIONS) {
    for (const schema of [request, response] as unknown as Record<string, unknown>[]) {
      assert.type(schema["title"], "string", id);
    }
  }
  assert.is(new Set(FUNCTIONS.map(({ id }) => id)).size, FUNCTIONS.length);
});

test.run();
