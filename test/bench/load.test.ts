/** The load bench: its catalogues are the same in every run, its tables and plots show what was measured, and it runs. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { generate, needs } from "../../bench/load/generator.js";
import { compareLexical } from "../../bench/load/lexical.js";
import { report, table, thousands } from "../../bench/load/report.js";

test("a catalogue is the same for the same seed, and a larger one begins with a smaller one", () => {
  assert.equal(generate(300, 7), generate(300, 7));
  assert.equal(generate(900, 7).slice(0, 300), generate(300, 7));
  assert.not.equal(generate(300, 8), generate(300, 7));
});

test("a catalogue has as many functions as asked for, each with an id of its own and all that is searched", () => {
  const functions = generate(2_000);
  assert.is(new Set(functions.map(({ id }) => id)).size, 2_000);
  for (const { id, description, parameters } of functions) {
    assert.match(id, /^[a-z]+-[a-z]+::[a-z]+::[a-z]+(_[a-z]+)?$/);
    assert.match(description, /^[A-Z][^.]+\./);
    assert.is((parameters as { type: string }).type, "object");
  }
});

test("needs are the same for the same seed", () => {
  assert.equal(needs(50), needs(50));
  assert.is(needs(50).length, 50);
  assert.ok(needs(50).every((need) => need.split(" ").length >= 2));
});

test("a tiny comparison has ours first, and everybody finds something or is named as missing", async () => {
  const { functions, contenders, missing } = await compareLexical(60, 3, 1);
  assert.is(functions, 60);
  assert.is(contenders[0]?.name, "iii-directory");
  assert.is(contenders[0]?.overOurs, 1);
  assert.is(contenders.length + missing.length, 5);
  for (const { overOurs, searchMs } of contenders) assert.ok(overOurs > 0 && searchMs >= 0);
});

const LEXICAL = [
  {
    functions: 5_000,
    contenders: [{ name: "iii-directory", buildMs: 12, searchMs: 0.5, slowestMs: 2, overOurs: 1 }],
    missing: ["SQLite FTS5"],
  },
];

test("the page has a row for each contender, also for one that can't run", () => {
  const page = report({ lexical: LEXICAL }, { node: "v20", cpus: 2, model: "a processor" });
  assert.match(page, /\| 5 000 +\| iii-directory +\| 12 +\| 0\.5 +\| 2 +\| 1 × +\|/);
  assert.match(page, /\| 5 000 +\| SQLite FTS5 +\| can't run here/);
});

test("columns of a table are as wide as their widest cell", () => {
  assert.is(table(["a", "bcde"], [["long one", "x"]]), "| a        | bcde |\n| -------- | ---- |\n| long one | x    |");
});

for (const [count, text] of [
  [12, "12"],
  [5_000, "5 000"],
  [1_234_567, "1 234 567"],
] as const) {
  test(`thousands: ${text}`, () => assert.is(thousands(count), text));
}

test.run();
