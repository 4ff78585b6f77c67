/** What is judged is copied from the catalog once, not with each search. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { JudgedFunctions } from "../../../actors/search/judged-functions.js";
import { newContext } from "../../harness/context.js";

test("spec 06 §3.1: the catalog is copied when its fingerprint is another, and only then", async () => {
  let fingerprint = "one";
  let copies = 0;
  const judged = new JudgedFunctions({
    describe: async () => {
      copies++;
      return {
        fingerprint,
        functions: [{ functionId: "a::b", namespace: "a", description: `Does ${fingerprint}.`, parameterNames: ["x"] }],
      };
    },
  });
  const seen = async (asked: string): Promise<unknown[]> => {
    const { documents, known } = await judged.asOf(asked, newContext());
    return [documents[0], known.has("a::b"), copies];
  };
  const first = { id: "a::b", description: "Does one.", parameterNames: ["x"] };
  assert.equal(await seen("one"), [first, true, 1]);
  assert.equal(await seen("one"), [first, true, 1]);
  fingerprint = "two";
  assert.equal(await seen("two"), [{ ...first, description: "Does two." }, true, 2]);
});

test("a catalog that can't be copied is asked again", async () => {
  let fails = true;
  const judged = new JudgedFunctions({
    describe: async () => {
      if (fails) throw new Error("busy");
      return { fingerprint: "one", functions: [] };
    },
  });
  let refused = false;
  await judged.asOf("one", newContext()).catch(() => {
    refused = true;
  });
  fails = false;
  assert.equal([refused, (await judged.asOf("one", newContext())).documents], [true, []]);
});

test.run();
