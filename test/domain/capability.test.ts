import { test } from "uvu";
import * as assert from "uvu/assert";
import { isIntrinsic, prepareCapability } from "../../domain/capability.js";

const INTRINSIC: readonly (readonly [capability: string, intrinsic: boolean])[] = [
  ["summarise provided text", true],
  ["summarize the provided content", true],
  ["summary of texts", true],
  ["summaries of contents", true],
  ["summarizing text", false],
  ["summarize text", true],
  ["summarise the meeting", false],
  ["translate the text", false],
];
for (const [capability, intrinsic] of INTRINSIC) {
  test(`spec 05 §4.2: ${capability} is ${intrinsic ? "intrinsic" : "a lane"}`, () => {
    assert.is(isIntrinsic(capability), intrinsic);
  });
}

test("spec 05 §4.1: a capability is trimmed and cut to 2048 bytes between characters", () => {
  assert.is(prepareCapability("\u3000 read \n"), "read");
  assert.is(prepareCapability("é".repeat(2_000)), "é".repeat(1_024));
  assert.is(prepareCapability(`x${"é".repeat(2_000)}`), `x${"é".repeat(1_023)}`);
});

test.run();
