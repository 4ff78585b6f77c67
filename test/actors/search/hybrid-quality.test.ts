import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Encoder } from "../../../actors/embedding/model/encoder.js";
import { evaluate } from "../../../bench/quality/evaluate.js";
import { readCatalogue, readJudgedCases } from "../../../bench/quality/judged-set.js";
import { asJson } from "../../../bench/quality/report.js";
import { needsShared, ROOT, sharedFile } from "../../harness/shared.js";

interface Figures {
  readonly slices: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly multi: Readonly<Record<string, number>>;
  readonly no_match: { readonly false_positive_rate: number };
  readonly functions_per_query: number;
}

/** Figures with three decimals, as they are published. */
const REQUIRED = {
  lexical: { overall: { "mrr@1": 0.895, "recall@12": 0.86 }, paraphrase: {}, coverage: 1, falsePositives: 0.091, functions: 7.2 },
  hybrid: {
    overall: { "mrr@1": 0.974, "recall@12": 0.961, "ndcg@12": 0.967 },
    paraphrase: { "recall@12": 0.812, "ndcg@12": 0.844 },
    coverage: 1,
    falsePositives: 0,
    functions: 7.2,
  },
} as const;

for (const mode of ["lexical", "hybrid"] as const) {
  needsShared(test, "calibration set")(`the calibration set in ${mode} mode is ranked as well as required`, async () => {
    const catalogue = readCatalogue(sharedFile("bench-data", "iii_catalog.jsonl"));
    const cases = readJudgedCases(sharedFile("bench-data", "iii_qrels.jsonl"), catalogue);
    const figures = asJson(await evaluate(catalogue, cases, mode), false) as Figures;
    const { overall, paraphrase, coverage, falsePositives, functions } = REQUIRED[mode];
    for (const [slice, wanted] of Object.entries({ overall, paraphrase })) {
      for (const [figure, least] of Object.entries(wanted)) {
        const value = figures.slices[slice]?.[figure] ?? 0;
        assert.ok(Math.round(value * 1_000) / 1_000 >= least, `${slice} ${figure} is ${value}`);
      }
    }
    assert.is(figures.multi["coverage@12"], coverage);
    assert.ok(figures.no_match.false_positive_rate <= falsePositives);
    assert.ok(figures.functions_per_query <= functions);
  });
}

test("the vectors of the background bank are those of its needs", async () => {
  const folder = join(ROOT, "models", "background");
  const needs = readFileSync(join(folder, "needs.txt"), "utf8").trim().split("\n");
  assert.is(new Set(needs).size, needs.length);
  const bytes = readFileSync(join(folder, "vectors.bin"));
  const kept = new Float32Array(new Uint8Array(bytes).buffer);
  assert.is(kept.length, needs.length * 384);
  const encoder = await Encoder.load(join(ROOT, "models", "all-MiniLM-L6-v2-w8", "model.onnx"));
  for (const at of [0, 1, 100, 200, needs.length - 1]) {
    const vector = await encoder.embed([needs[at] ?? ""]);
    const cosine = vector.reduce((sum, component, place) => sum + component * (kept[at * 384 + place] ?? 0), 0);
    assert.ok(cosine > 0.9999, `row ${at} is of another text`);
  }
  await encoder.release();
});

test.run();
