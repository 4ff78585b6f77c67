/**
 * A program, `npm run bench:quality -- --catalog FILE --qrels FILE [--mode lexical|hybrid] [--json] [--details]`: how well the search finds
 * the functions of a catalogue, by cases that somebody has judged.
 */
import { parseArgs } from "node:util";
import { evaluate } from "./evaluate.js";
import { readCatalogue, readJudgedCases } from "./judged-set.js";
import type { QualityMode } from "./product.js";
import { asJson, asText } from "./report.js";

const USAGE = "npm run bench:quality -- --catalog FILE --qrels FILE [--mode lexical|hybrid] [--json] [--details]";

try {
  const { catalog, qrels, mode, json, details } = readOptions(process.argv.slice(2));
  const catalogue = readCatalogue(catalog);
  const evaluation = await evaluate(catalogue, readJudgedCases(qrels, catalogue), mode);
  console.log(json ? JSON.stringify(asJson(evaluation, details)) : asText(evaluation, details));
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message.split("\n")[0] : String(error));
  process.exit(2);
}

interface Options {
  readonly catalog: string;
  readonly qrels: string;
  readonly mode: QualityMode;
  readonly json: boolean;
  readonly details: boolean;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      catalog: { type: "string" },
      qrels: { type: "string" },
      mode: { type: "string", default: "hybrid" },
      json: { type: "boolean", default: false },
      details: { type: "boolean", default: false },
    },
  });
  const { catalog, qrels, mode, json, details } = values;
  if (catalog === undefined || qrels === undefined) throw new Error(`Say which catalogue and which judgements: ${USAGE}`);
  if (mode !== "lexical" && mode !== "hybrid") throw new Error(`--mode is lexical or hybrid, not ${mode}: ${USAGE}`);
  return { catalog, qrels, mode, json, details };
}
