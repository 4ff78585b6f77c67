/** Sets for the bench of several capabilities: every single need is in one, no set is larger or smaller than said. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { setsOf } from "../../bench/capability-sets.js";
import type { JudgedCase } from "../../bench/jev-evaluation/cases.js";

const judged = (id: string, capabilities: readonly string[], empty = false): JudgedCase => ({
  id,
  split: "calibration",
  tags: [],
  source: "here",
  capabilities: [...capabilities],
  qrels: capabilities.map(() => ({
    acceptable_ids: empty ? [] : ["a::b"],
    required_groups: empty ? [] : [["a::b"]],
    expect_empty: empty,
  })),
});

const SINGLE = ["one", "two", "three", "four"].map((need) => judged(need, [need]));
const CASES = [...SINGLE, judged("nothing", ["zzzz"], true), judged("triple", ["x", "y", "z"])];

const ROWS: readonly (readonly [what: string, size: number, sets: readonly string[][]])[] = [
  ["single needs as they are, without those that expect nothing", 1, [["one"], ["two"], ["three"], ["four"]]],
  [
    "judged sets first; the last joined one reaches back",
    3,
    [
      ["x", "y", "z"],
      ["one", "two", "three"],
      ["two", "three", "four"],
    ],
  ],
  ["all of them", 4, [["one", "two", "three", "four"]]],
];
for (const [what, size, sets] of ROWS) {
  test(`sets of ${size}: ${what}`, () =>
    assert.equal(
      setsOf(size, CASES).map(({ capabilities }) => capabilities),
      sets,
    ));
}

test.run();
