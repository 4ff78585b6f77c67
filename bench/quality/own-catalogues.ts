/**
 * The figures of the search over the judged data that comes with the project: catalogues that nothing was tuned on, lexical and hybrid beside
 * the vectors alone; and how often an answer comes to a need that no function serves.
 */

import { ROOT } from "../../test/harness/shared.js";
import { round } from "../measure.js";
import type { Finding, Findings } from "../results.js";
import { denseAlone } from "./dense-alone.js";
import { type Evaluation, evaluate } from "./evaluate.js";
import { interval, MATCH_MEASURES, SLICES } from "./figures.js";
import { readCatalogue, readJudgedCases } from "./judged-set.js";
import type { QualityMode } from "./product.js";

const DATA = `${ROOT}/bench/quality/data`;
const CATALOGUES = ["clinic", "studio"];
const NOTHING_FITS = ["clinic", "examples"];
const MODES: readonly QualityMode[] = ["lexical", "hybrid"];

export async function run(): Promise<Findings> {
  const findings: Finding[] = [];
  for (const name of CATALOGUES) findings.push(...(await measureCatalogue(name)));
  for (const mode of MODES) findings.push(...(await measureNothingFits(mode)));
  return { subject: "quality", findings };
}

async function measureCatalogue(name: string): Promise<Finding[]> {
  const catalogue = readCatalogue(`${DATA}/${name}_catalog.jsonl`);
  const cases = readJudgedCases(`${DATA}/${name}_qrels.jsonl`, catalogue);
  const findings: Finding[] = [];
  for (const mode of MODES) findings.push(...figuresOf(name, await evaluate(catalogue, cases, mode)));
  const alone = await denseAlone(catalogue, cases);
  for (const [slice, belongs] of Object.entries(SLICES)) {
    const answered = alone.filter(({ judged }) => belongs(judged));
    for (const figure of ["mrr@1", "recall@12", "ndcg@12"]) {
      const measured = interval(answered.map((each) => MATCH_MEASURES[figure]?.(each) ?? 0));
      findings.push(share(`${name}, vectors alone, ${slice}: ${figure}`, measured?.value));
    }
  }
  return findings;
}

function figuresOf(name: string, { mode, slices, multi, lanesKept, functionsPerQuery }: Evaluation): Finding[] {
  const ofSlices = Object.entries(slices).flatMap(([slice, figures]) =>
    ["mrr@1", "recall@12", "ndcg@12"].map((figure) => share(`${name}, ${mode}, ${slice}: ${figure}`, figures?.[figure]?.value)),
  );
  return [
    ...ofSlices,
    share(`${name}, ${mode}: every capability of a set covered`, multi?.["coverage@12"].value),
    share(`${name}, ${mode}: lanes that keep rows`, lanesKept?.value),
    { what: `${name}, ${mode}: functions a query`, value: round(functionsPerQuery.value), unit: "" },
  ];
}

/** Over both catalogues together, as each alone has too few cases. */
async function measureNothingFits(mode: QualityMode): Promise<Finding[]> {
  let unserved = 0;
  let answered = 0;
  let controls = 0;
  let kept = 0;
  for (const name of NOTHING_FITS) {
    const catalogue = readCatalogue(`${DATA}/${name}_catalog.jsonl`);
    const { cases } = await evaluate(catalogue, readJudgedCases(`${DATA}/${name}_nothing_qrels.jsonl`, catalogue), mode);
    for (const { judged, ids } of cases) {
      const any = ids.length > 0 ? 1 : 0;
      if (judged.kind === "no_match") {
        unserved++;
        answered += any;
      } else {
        controls++;
        kept += any;
      }
    }
  }
  return [
    share(`${mode}: answers to ${unserved} needs that no function serves`, answered / unserved),
    share(`${mode}: answers to ${controls} needs that one does`, kept / controls),
  ];
}

function share(what: string, value: number | undefined): Finding {
  return { what, value: Number((value ?? Number.NaN).toFixed(3)), unit: "of 1" };
}
