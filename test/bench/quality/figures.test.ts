import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Answered, coverage, interval, MATCH_MEASURES, nearestRank } from "../../../bench/quality/figures.js";
import type { JudgedCase } from "../../../bench/quality/judged-set.js";

const MATCH: JudgedCase = {
  id: "direct-a",
  kind: "match",
  capabilities: ["find a"],
  qrels: [
    { function_id: "a::1", grade: 3 },
    { function_id: "b::1", grade: 1 },
  ],
};

function answered(judged: JudgedCase, ...ids: string[]): Answered {
  return { judged, ids, shown: ids.length, lanesKept: 0, latencyMs: 1 };
}

function figure(name: string, given: Answered): number {
  return Number((MATCH_MEASURES[name]?.(given) ?? Number.NaN).toFixed(4));
}

const ROWS: readonly (readonly [ids: string[], figures: Record<string, number>])[] = [
  [["a::1", "b::1"], { "mrr@1": 1, "recall@1": 0.5, "recall@3": 1, "recall@12": 1, "ndcg@12": 1, "worker_recall@12": 1 }],
  [["b::1", "x::1", "a::1"], { "mrr@1": 1, "recall@1": 0.5, "recall@3": 1, "ndcg@12": 0.5897 }],
  [["x::1", "a::2", "b::1"], { "mrr@1": 0, "recall@1": 0, "recall@12": 0.5, "worker_recall@12": 1 }],
  [[], { "mrr@1": 0, "recall@12": 0, "ndcg@12": 0, "worker_recall@12": 0 }],
];
for (const [ids, figures] of ROWS) {
  test(`spec 05 §12.1: figures of the ranking ${ids.join(", ") || "without rows"}`, () => {
    for (const [name, value] of Object.entries(figures)) assert.is(figure(name, answered(MATCH, ...ids)), value, name);
  });
}

test("spec 05 §12.1: a multi case is covered when every capability has one of its functions", () => {
  const judged: JudgedCase = {
    id: "multi",
    kind: "multi",
    capabilities: ["x", "y"],
    qrels: [
      { function_id: "a::1", grade: 3, covers: [0] },
      { function_id: "a::2", grade: 1, covers: [0] },
      { function_id: "b::1", grade: 3, covers: [1] },
    ],
  };
  assert.is(coverage(answered(judged, "a::2", "b::1")), 1);
  assert.is(coverage(answered(judged, "a::1", "a::2")), 0);
});

test("spec 05 §12.1: intervals are the same in every run, and hold the value", () => {
  const values = Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? 0 : 1));
  const first = interval(values);
  assert.equal(first, interval(values));
  assert.is(first?.value, 0.75);
  assert.ok(first !== null && first.low < 0.75 && first.high > 0.75 && first.low > 0.5);
  assert.is(interval([]), null);
});

test("spec 05 §12.1: nearest rank", () => {
  assert.is(nearestRank([5, 1, 3], 0.5), 3);
  assert.is(nearestRank([1, 2], 0.95), 2);
  assert.is(nearestRank([7], 0), 7);
});

test.run();
