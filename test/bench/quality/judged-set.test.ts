import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readCatalogue, readJudgedCases } from "../../../bench/quality/judged-set.js";
import { ROOT } from "../../harness/shared.js";
import { temporaryFolder } from "../../harness/temporary.js";

const folder = temporaryFolder();

function file(name: string, ...lines: unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return path;
}

const CATALOGUE = file(
  "catalogue.jsonl",
  { name: "notes::read", description: "Reads one note.", parameters: { type: "object", properties: { note: {} } }, more: 1 },
  { name: "mail::send", description: null },
  { name: "engine::hidden" },
);
const ONE = { id: "a", kind: "match", capabilities: ["read a note"], qrels: [{ function_id: "notes::read", grade: 3 }] };

test("a catalogue and its cases are read", () => {
  const functions = readCatalogue(CATALOGUE);
  assert.equal(
    functions.map(({ id }) => id),
    ["notes::read", "mail::send", "engine::hidden"],
  );
  assert.equal(readJudgedCases(file("good.jsonl", ONE, "", { ...ONE, id: "b", split: "holdout" }), functions).length, 2);
});

const FAULTS: readonly (readonly [what: string, lines: unknown[], message: RegExp])[] = [
  ["not JSON", ["{"], /line 1: not JSON/],
  ["no case", [""], /no case/],
  ["an unknown kind", [{ ...ONE, kind: "maybe" }], /line 1: \/kind/],
  ["an unknown function", [{ ...ONE, qrels: [{ function_id: "notes::gone", grade: 1 }] }], /case a: notes::gone/],
  ["a function nobody can find", [{ ...ONE, qrels: [{ function_id: "engine::hidden", grade: 1 }] }], /case a: engine::hidden/],
  ["a match without judgements", [{ ...ONE, qrels: [] }], /case a: a case of kind match/],
  ["no_match with judgements", [{ ...ONE, kind: "no_match" }], /case a: a case of kind no_match/],
  ["a grade of 7", [{ ...ONE, qrels: [{ function_id: "notes::read", grade: 7 }] }], /line 1: \/qrels\/0\/grade/],
  [
    "nineteen capabilities",
    [{ ...ONE, capabilities: Array.from({ length: 19 }, (_, at) => `need ${at}`) }],
    /line 1: \/capabilities/,
  ],
  [
    "a capability that nothing covers",
    [{ ...ONE, kind: "multi", capabilities: ["x", "y"] }],
    /case a: no judgement covers capability 1/,
  ],
];
for (const [what, lines, message] of FAULTS) {
  test(`cases are refused with a readable line: ${what}`, () => {
    assert.throws(() => readJudgedCases(file("bad.jsonl", ...lines), readCatalogue(CATALOGUE)), message);
  });
}

test("a catalogue with one id twice, without functions, or that isn't there", () => {
  assert.throws(() => readCatalogue(file("twice.jsonl", { name: "a::b" }, { name: "a::b" })), /a::b is there twice/);
  assert.throws(() => readCatalogue(file("empty.jsonl", "")), /no function/);
  assert.throws(() => readCatalogue(join(folder, "gone.jsonl")), /gone.jsonl cannot be read: ENOENT/);
});

const PROGRAM = join(ROOT, "dist", "bench", "quality", "main.js");

test("the program: one JSON object of the agreed shape, a table, and faults as one line", () => {
  const good = file("program.jsonl", ONE, { id: "n", kind: "no_match", capabilities: ["bake a cake"], qrels: [] });
  const common = ["--catalog", CATALOGUE, "--qrels", good, "--mode", "lexical"];
  const run = (...args: string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8" });
  const json = JSON.parse(run(...common, "--json", "--details").stdout) as Record<string, unknown>;
  const figures = { "mrr@1": 1, "recall@1": 1, "recall@5": 1, "recall@12": 1, "ndcg@12": 1 };
  assert.equal(json["slices"], { overall: figures, exact: figures, paraphrase: null });
  assert.equal(Object.keys(json), [
    "mode",
    "slices",
    "multi",
    "no_match",
    "lanes_kept",
    "functions_per_query",
    "latency_ms",
    "details",
  ]);
  assert.is(json["multi"], null);
  assert.equal(json["no_match"], { false_positive_rate: 0 });
  assert.is(json["lanes_kept"], 1);
  assert.equal(json["details"], [
    { id: "a", function_ids: ["notes::read"] },
    { id: "n", function_ids: [] },
  ]);
  assert.match(run(...common).stdout, /overall +mrr@1 +1\.000/);
  for (const args of [[], ["--catalog", CATALOGUE], [...common, "--mode", "jev"], ["--nonsense"]]) {
    const { status, stderr } = run(...args);
    assert.is(status, 2);
    assert.is(stderr.trim().split("\n").length, 1);
  }
});

test.run();
