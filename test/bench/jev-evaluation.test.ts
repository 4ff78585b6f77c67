/** Spec 06 §20, the evaluation: T-B01 to T-B11. Cases of 18 capabilities are joined from the judged ones. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { checkCase, type JudgedCase, joinCases, readCases } from "../../bench/jev-evaluation/cases.js";
import { measureCase, percentile, sha256 } from "../../bench/jev-evaluation/metrics.js";
import { readKey, readOptions } from "../../bench/jev-evaluation/options.js";
import { evaluate, readCatalogue } from "../../bench/jev-evaluation/run.js";
import { type Sample, stageMs, statusOf, summariseRemote } from "../../bench/jev-evaluation/summary.js";
import { byPair } from "../harness/jev-policies.js";
import { JevServer } from "../harness/jev-server.js";
import { needsShared, sharedFile } from "../harness/shared.js";
import { temporaryFolder } from "../harness/temporary.js";

const test = suite("evaluation");
const judged = needsShared(test, "judged cases of the evaluation");
const INPUTS = { cases: "cases.jsonl", catalogue: "catalogue.jsonl" };
const options = (...flags: string[]) => readOptions(flags, INPUTS);

test("T-B01: without flags lexical, three times", () => {
  const { modes, repetitions, shortlist, readinessMs, jevModel, jevTimeoutMs, jevMinRelevance, inputPrice, outputPrice } =
    options();
  assert.equal(modes, ["lexical"]);
  assert.equal([repetitions, shortlist, readinessMs], [3, 24, 30_000]);
  assert.equal([jevModel, jevTimeoutMs, jevMinRelevance, inputPrice, outputPrice], ["jev-1.13.0", 3_000, 0.5, 0.042, 0]);
  assert.equal(options("--modes", "lexical,jev", "--allow-remote").modes, ["lexical", "jev"]);
});
const REFUSED: readonly string[][] = [
  ["--modes", "jev"],
  ["--modes", "jev-shortlist"],
  ["--modes", "lexical,lexical"],
  ["--modes", "other"],
  ["--repetitions", "0"],
  ["--repetitions=-1"],
  ["--shortlist", "0"],
  ["--shortlist=-1"],
  ["--jev-min-relevance", "NaN"],
  ["--readiness-ms", "300001"],
  ["--output", "./cases.jsonl"],
];
for (const flags of REFUSED) test(`T-B01: ${flags.join(" ")} is refused`, () => assert.throws(() => options(...flags)));

test("spec 06 §21: the key is looked at only when remote modes are allowed", () => {
  const env = new Proxy({}, { get: () => assert.unreachable("the environment was read") }) as NodeJS.ProcessEnv;
  assert.is(readKey(options(), env), undefined);
  const remote = options("--modes", "jev", "--allow-remote");
  assert.throws(() => readKey(remote, { TYPESAFE_API_KEY: " " }), "TYPESAFE_API_KEY");
  assert.is(readKey(remote, { TYPESAFE_API_KEY: " key " }), "key");
  assert.not.ok(JSON.stringify(remote).includes("key"));
});

const catalogueIds = (): Set<string> =>
  new Set(readCatalogue(readFileSync(sharedFile("bench-data", "iii_catalog.jsonl"), "utf8")).map(({ id }) => id));
const allCases = (): JudgedCase[] => readCases(sharedFile("bench-data", "jev_cases.jsonl"), catalogueIds());
const caseOf = (id: string): JudgedCase => {
  const found = allCases().find((each) => each.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return found;
};

judged("T-B02: twenty cases and more; with one, six and, joined, eighteen capabilities; splits and overrides", () => {
  const cases = allCases();
  assert.ok(cases.length >= 20);
  const eighteen = joinCases("multi-eighteen", cases, 18);
  const sizes = new Set([...cases, eighteen].map(({ capabilities }) => capabilities.length));
  for (const size of [1, 6, 18]) assert.ok(sizes.has(size), `${size}`);
  assert.equal([eighteen.split, eighteen.qrels.length], ["calibration", 18]);
  const [first] = cases;
  const holdout = { ...first, split: "holdout", description_overrides: { "state::get": "Reads." } };
  const checked = checkCase(holdout, catalogueIds());
  assert.equal([checked.split, checked.description_overrides], ["holdout", { "state::get": "Reads." }]);
  assert.is(joinCases("both", [...cases.slice(0, 1), checked], 18).split, "holdout");
});

const KNOWN = new Set(["state::get", "state::set"]);
const QREL = { acceptable_ids: ["state::get"], required_groups: [["state::get"]], expect_empty: false };
const CASE = { id: "c", split: "calibration", tags: [], source: "s", capabilities: ["read"], qrels: [QREL] };
const BROKEN: readonly [what: string, given: unknown][] = [
  ["an unknown field", { ...CASE, more: 1 }],
  ["an unknown field of a qrel", { ...CASE, qrels: [{ ...QREL, more: 1 }] }],
  ["an unknown id", { ...CASE, qrels: [{ ...QREL, acceptable_ids: ["state::get", "no::such"] }] }],
  ["an unknown id of an override", { ...CASE, description_overrides: { "no::such": "x" } }],
  ["no qrels", { ...CASE, qrels: undefined }],
  ["a qrel too few", { ...CASE, capabilities: ["read", "write"] }],
  ["a capability twice", { ...CASE, capabilities: ["read", "read"], qrels: [QREL, QREL] }],
  ["expect_empty with ids", { ...CASE, qrels: [{ ...QREL, expect_empty: true }] }],
  ["nothing expected, and not said so", { ...CASE, qrels: [{ acceptable_ids: [], required_groups: [], expect_empty: false }] }],
  ["a required id that isn't acceptable", { ...CASE, qrels: [{ ...QREL, required_groups: [["state::set"]] }] }],
];
test("T-B03: a sound case is taken", () => assert.is(checkCase(CASE, KNOWN).id, "c"));
for (const [what, given] of BROKEN) test(`T-B03: ${what} is refused`, () => assert.throws(() => checkCase(given, KNOWN), /^case /));

const lane = (...ids: string[]) => ids.map((id) => ({ id, score: 1 }));

judged("T-B04: multi-three with one lane late and one group missing", () => {
  const rankings = [lane("code-runner::register_function"), lane("state::delete", "state::get"), lane("browser::screenshot")];
  const selected = ["code-runner::register_function", "state::delete", "state::get", "browser::screenshot"];
  const { recall_at_12, mrr, group_coverage, all_groups } = measureCase(caseOf("multi-three"), { rankings, selected });
  assert.is(measureLane(caseOf("multi-three"), rankings, 1).recall_at_12, 0.5);
  assert.is(measureLane(caseOf("multi-three"), rankings, 1).mrr, 0.5);
  assert.ok(Math.abs((recall_at_12 ?? 0) - 2.5 / 3) < 1e-9);
  assert.ok(Math.abs((mrr ?? 0) - 2.5 / 3) < 1e-9);
  assert.equal([group_coverage, all_groups], [0.75, false]);
});

function measureLane(of: JudgedCase, rankings: ReturnType<typeof lane>[], at: number) {
  const only = { ...of, capabilities: of.capabilities.slice(at, at + 1), qrels: of.qrels.slice(at, at + 1) };
  return measureCase(only, { rankings: rankings.slice(at, at + 1), selected: [] });
}

judged("T-B05: the right function at rank 13, and nothing selected", () => {
  const twelve = Array.from({ length: 12 }, (_, at) => `other::f${at}`);
  const metrics = measureCase(caseOf("shell-command"), { rankings: [lane(...twelve, "shell::exec")], selected: [] });
  assert.equal([metrics.recall_at_12, metrics.mrr, metrics.group_coverage], [0, 1 / 13, 0]);
});

judged("T-B06: nothing was expected and something came; and no lanes at all", () => {
  const metrics = measureCase(caseOf("gibberish"), { rankings: [lane("state::get")], selected: ["state::get"] });
  assert.equal([metrics.recall_at_12, metrics.mrr, metrics.group_coverage], [null, null, null]);
  assert.equal([metrics.lane_false_positives, metrics.response_false_positives], [1, 1]);
  assert.is(metrics.candidate_bytes, '["state::get"]'.length);
  assert.throws(() => measureCase(caseOf("gibberish"), { rankings: [], selected: [] }), /lanes/);
});

judged("T-B07: one of two alternatives covers its group", () => {
  const metrics = measureCase(caseOf("repo-stars"), { rankings: [lane("github::repo::view")], selected: ["github::repo::view"] });
  assert.equal([metrics.group_coverage, metrics.recall_at_12], [1, 0.5]);
});

test("T-B08: percentiles by nearest rank, and the digest of an input", () => {
  assert.equal([percentile([], 0.5), percentile([30, 10, 20], 0.5), percentile([30, 10, 20], 0.95)], [null, 20, 30]);
  assert.is(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

function sample(complete: boolean, requests: number, questions: number, input: number, output: number, elapsedMs: number): Sample {
  return {
    jev_complete: complete,
    hybrid_complete: false,
    jev_requests: requests,
    jev_questions: questions,
    input_tokens: input,
    output_tokens: output,
    jev_elapsed_ms: elapsedMs,
  };
}

const STAGES: readonly [what: string, mode: "jev" | "lexical" | "hybrid", of: Sample, ms: number | null][] = [
  ["a failure after 2,900 ms", "jev", sample(false, 0, 0, 0, 0, 2_900), 2_900],
  ["lexical", "lexical", sample(false, 0, 0, 0, 0, 7), null],
  ["hybrid", "hybrid", sample(false, 0, 0, 0, 0, 7), null],
  ["nothing had to be judged", "jev", sample(true, 0, 0, 0, 0, 3), null],
  ["one request of 500 ms", "jev", sample(true, 1, 1, 1, 1, 500), 500],
  ["one request in no time", "jev", sample(true, 1, 1, 1, 1, 0), 0],
  ["a failure at once", "jev", sample(false, 0, 0, 0, 0, 0), null],
];
for (const [what, mode, of, ms] of STAGES) test(`T-B09: ${what}`, () => assert.is(stageMs(mode, of), ms));

judged("T-B10: hybrid without a model is skipped and says why", async () => {
  const shared = { cases: sharedFile("bench-data", "jev_cases.jsonl"), catalogue: sharedFile("bench-data", "iii_catalog.jsonl") };
  const { modes } = await evaluate(readOptions(["--modes", "hybrid"], shared), { key: undefined });
  const [{ status, metrics, latency_ms, ...rest } = { status: "", metrics: 0, latency_ms: 0 }] = modes;
  assert.equal([status, metrics, latency_ms], ["skipped", null, { p50: null, p95: null }]);
  assert.match(JSON.stringify(rest), "--model-path");
});

judged("T-B11: multi-eighteen by terms; then a complete, a partial and an unknown judgement", async () => {
  const shared = { cases: sharedFile("bench-data", "jev_cases.jsonl"), catalogue: sharedFile("bench-data", "iii_catalog.jsonl") };
  const { modes, inputs } = await evaluate(readOptions(["--repetitions", "1"], shared), { key: undefined });
  const [lexical] = modes;
  assert.ok(lexical !== undefined && lexical.status === "complete" && lexical.metrics !== null);
  const eighteen = lexical.cases.find(({ capabilities }) => capabilities === 18);
  assert.equal([eighteen?.batches, lexical.jev], [3, null]);
  assert.ok((lexical.metrics.recall_at_12 ?? 0) > 0.7, `${lexical.metrics.recall_at_12}`);
  assert.is(inputs.cases_sha256, sha256(readFileSync(shared.cases, "utf8")));
  const complete = sample(true, 4, 96, 120, 30, 100);
  const partial = sample(false, 1, 24, 50, 10, 2_900);
  const unknown = sample(false, 0, 0, 0, 0, 0);
  const prices = options();
  const usages = [complete, partial, unknown].map((each) => summariseRemote("jev", [each], prices));
  assert.equal(
    usages.map((each) => each?.usage),
    ["complete", "partial", "unavailable"],
  );
  assert.equal(
    usages.map((each) => [(each?.cost ?? -1) > 0, each?.cost_is_lower_bound]),
    [
      [true, false],
      [true, true],
      [false, false],
    ],
  );
  assert.is(usages[2]?.cost, null);
  const all = summariseRemote("jev", [complete, partial, unknown], prices);
  assert.equal([all?.requests, all?.questions, all?.input_tokens, all?.output_tokens], [5, 120, 170, 40]);
  assert.equal([all?.completion, all?.fallbacks], [1 / 3, 2]);
  assert.equal(all?.stage_ms, { p50: 100, p95: 2_900, samples: 2 });
});

test("spec 06 §21: a sample of hybrid counts when vectors have ranked it", () => {
  assert.is(statusOf("hybrid", { ...sample(false, 0, 0, 0, 0, 0), hybrid_complete: true }), "complete");
  assert.is(statusOf("hybrid", sample(false, 0, 0, 0, 0, 0)), "fallback");
});

judged("spec 06 §21: both remote modes against the judge of the tests; a shortlist asks for less", async () => {
  const server = await JevServer.start({ keys: ["key"] });
  try {
    // Says yes to what the cases want: this checks the way of the figures, not a judge.
    const wanted = new Map(
      allCases().flatMap(({ capabilities, qrels }) => capabilities.map((text, at) => [text, qrels[at]] as const)),
    );
    server.policy = byPair((capability, id) => (wanted.get(capability)?.acceptable_ids.includes(id) ? 0.9 : 0.1));
    const few = join(temporaryFolder(), "cases.jsonl");
    writeFileSync(few, [caseOf("multi-three"), caseOf("gibberish")].map((each) => JSON.stringify(each)).join("\n"));
    const inputs = { cases: few, catalogue: sharedFile("bench-data", "iii_catalog.jsonl") };
    const flags = ["--modes", "jev,jev-shortlist", "--allow-remote", "--repetitions", "1", "--jev-timeout-ms", "30000"];
    const { modes } = await evaluate(readOptions(flags, inputs), { key: "key", endpoint: server.endpoint });
    const [jev, shortlist] = modes.map((mode) => ("jev" in mode ? mode : undefined));
    assert.equal([jev?.status, jev?.metrics.recall_at_12, jev?.metrics.lane_false_positives], ["complete", 1, 0]);
    assert.equal([jev?.jev?.usage, jev?.jev?.completion, shortlist?.status], ["complete", 1, "complete"]);
    assert.ok((shortlist?.jev?.questions ?? Number.NaN) < (jev?.jev?.questions ?? 0) / 4);
  } finally {
    await server.close();
  }
});

test.run();
