/** The program as a user starts it: an object for programs, and one readable line with exit code 2 for what can't be measured. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { temporaryFolder } from "../../harness/temporary.js";

const PROGRAM = fileURLToPath(new URL("../../../bench/quality/main.js", import.meta.url));
const folder = temporaryFolder();

function file(name: string, ...lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return path;
}

function run(...args: readonly string[]): { readonly status: number | null; readonly out: string; readonly err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8" });
  return { status, out: stdout, err: stderr };
}

const CATALOGUE = file("catalogue.jsonl", { name: "mail::send", description: "Sends an email message." }, { name: "state::get" });
const MATCH = {
  id: "mail",
  kind: "match",
  capabilities: ["send an email message"],
  qrels: [{ function_id: "mail::send", grade: 3 }],
};
const NOTHING = { id: "nothing", kind: "no_match", capabilities: ["zzzz qqqq wwww"], qrels: [] };
const CASES = file("cases.jsonl", MATCH, NOTHING);

test("--json --details: one object with every figure; a slice or kind without cases is null", () => {
  const { status, out } = run("--catalog", CATALOGUE, "--qrels", CASES, "--mode", "lexical", "--json", "--details");
  assert.is(status, 0);
  const { latency_ms, ...report } = JSON.parse(out) as Record<string, unknown>;
  const perfect = { "mrr@1": 1, "recall@1": 1, "recall@5": 1, "recall@12": 1, "ndcg@12": 1 };
  assert.equal(Object.keys(latency_ms as object), ["p50", "p95"]);
  assert.equal(report, {
    mode: "lexical",
    slices: { overall: perfect, exact: perfect, paraphrase: null },
    multi: null,
    no_match: { false_positive_rate: 0 },
    lanes_kept: 1,
    functions_per_query: 0.5,
    details: [
      { id: "mail", function_ids: ["mail::send"] },
      { id: "nothing", function_ids: [] },
    ],
  });
});

const BAD: readonly (readonly [what: string, args: readonly string[], says: RegExp])[] = [
  ["no catalogue", ["--qrels", CASES], /Say which catalogue and which judgements/],
  ["a file that isn't there", ["--catalog", join(folder, "none"), "--qrels", CASES], /cannot be read: ENOENT/],
  ["a line that is no JSON", ["--catalog", file("broken.jsonl", "{"), "--qrels", CASES], /broken\.jsonl, line 1: not JSON/],
  ["an unknown mode", ["--catalog", CATALOGUE, "--qrels", CASES, "--mode", "psychic"], /--mode is lexical or hybrid, not psychic/],
  ["an unknown option", ["--catalog", CATALOGUE, "--qrels", CASES, "--fast"], /--fast/],
  [
    "a judgement of a function that isn't there",
    ["--catalog", CATALOGUE, "--qrels", file("stranger.jsonl", { ...MATCH, qrels: [{ function_id: "mail::burn", grade: 3 }] })],
    /case mail: mail::burn isn't among the functions/,
  ],
];
for (const [what, args, says] of BAD) {
  test(`bad input, ${what}: one line that says it, exit code 2, nothing on standard output`, () => {
    const { status, out, err } = run(...args);
    assert.is(status, 2);
    assert.is(out, "");
    assert.match(err, says);
    assert.is(err.trimEnd().split("\n").length, 1);
  });
}

test.run();
