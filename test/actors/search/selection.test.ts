/** Spec 05 §7 and row 10 of its §15: lanes take turns, and no turn is burnt. */
import * as fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Candidate, groupByOwner, selectRows, workerCap } from "../../../actors/search/selection.js";

const row = (id: string): Candidate => ({ id, owner: id.split("::")[0] ?? id });
const lanesOf = (...lanes: readonly string[][]): Candidate[][] => lanes.map((ids) => ids.map(row));
const idsOf = (rows: readonly Candidate[]): string[] => rows.map(({ id }) => id);

const ROWS: readonly (readonly [what: string, lanes: Candidate[][], budget: number, owners: number, chosen: readonly string[]])[] =
  [
    ["lanes take turns", lanesOf(["a::1", "a::2"], ["b::1", "b::2"]), 12, 6, ["a::1", "b::1", "a::2", "b::2"]],
    ["a row that is taken costs its lane no turn", lanesOf(["a::1", "a::2"], ["a::1", "b::1"]), 2, 6, ["a::1", "b::1"]],
    ["a worker too many costs its lane no turn", lanesOf(["a::1"], ["b::1"], ["c::1", "a::2"]), 3, 2, ["a::1", "b::1", "a::2"]],
    ["the budget ends it in the middle of a round", lanesOf(["a::1"], ["b::1"], ["c::1"]), 2, 6, ["a::1", "b::1"]],
    [
      "short lanes leave their turns to the others",
      lanesOf(["a::1"], ["b::1", "b::2", "b::3"]),
      12,
      6,
      ["a::1", "b::1", "b::2", "b::3"],
    ],
    ["no budget", lanesOf(["a::1"]), 0, 6, []],
    ["no lanes", [], 12, 6, []],
  ];
for (const [what, lanes, budget, owners, chosen] of ROWS) {
  test(`spec 05 §7, §15 row 10: ${what}`, () => assert.equal(idsOf(selectRows(lanes, { budget, owners })), chosen));
}

test("spec 05 §7: what an earlier batch has chosen costs a later one nothing", () => {
  const taken = new Set<string>();
  assert.equal(idsOf(selectRows(lanesOf(["a::1", "a::2"]), { budget: 1, owners: 6 }, taken)), ["a::1"]);
  assert.equal(idsOf(selectRows(lanesOf(["a::1", "a::2", "a::3"]), { budget: 2, owners: 6 }, taken)), ["a::2", "a::3"]);
});

for (const [lanes, cap] of [
  [1, 6],
  [3, 6],
  [4, 8],
  [6, 12],
]) {
  test(`spec 05 §7: ${lanes} lanes show at most ${cap} workers`, () => assert.is(workerCap(lanes ?? 0), cap));
}

test("spec 05 §7: groups come in the order of their first row, rows in their own", () => {
  const groups = groupByOwner(["b::1", "a::1", "b::2"].map(row));
  assert.equal(
    groups.map(([owner, rows]) => [owner, idsOf(rows)]),
    [
      ["b", ["b::1", "b::2"]],
      ["a", ["a::1"]],
    ],
  );
});

const anyId = fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 5 })).map(([owner, at]) => `w${owner}::f${at}`);
const anyLanes = fc.array(fc.uniqueArray(anyId, { maxLength: 10 }), { maxLength: 6 });

test("whatever the lanes: within the limits, nothing twice, and no row is left out that there was room for", () => {
  fc.assert(
    fc.property(anyLanes, fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 8 }), (lanes, budget, owners) => {
      const chosen = selectRows(lanesOf(...lanes), { budget, owners });
      const ids = new Set(idsOf(chosen));
      const shown = new Set(chosen.map(({ owner }) => owner));
      assert.is(ids.size, chosen.length);
      assert.ok(chosen.length <= budget && shown.size <= owners);
      if (chosen.length === budget) return;
      for (const { id, owner } of lanes.flat().map(row)) assert.ok(ids.has(id) || (!shown.has(owner) && shown.size === owners), id);
    }),
  );
});

test("whatever the lanes: with room for a row of each, every lane that has rows is represented", () => {
  fc.assert(
    fc.property(anyLanes, (lanes) => {
      const ids = new Set(idsOf(selectRows(lanesOf(...lanes), { budget: 12, owners: workerCap(lanes.length) })));
      for (const lane of lanes) assert.ok(lane.length === 0 || lane.some((id) => ids.has(id)));
    }),
  );
});

test.run();
