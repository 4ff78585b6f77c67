/** Spec 07 §2.9, T-C09 of spec 06 §20: who is told that there is no model. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Moment, warnOfMissingModel } from "../../../actors/embedding/missing-model.js";
import type { Configuration } from "../../../protocol/configuration.js";
import { settingFor } from "../../harness/setting.js";
import { ROOT } from "../../harness/shared.js";
import { temporaryFolder } from "../../harness/temporary.js";

/** A package that says which models there are, and carries none. */
function withoutModels(): string {
  const root = temporaryFolder();
  cpSync(join(ROOT, "models"), join(root, "models"), { recursive: true, filter: (path) => !path.endsWith(".onnx") });
  return root;
}

async function warningsOf(values: Partial<Configuration>, packageRoot: string, moment: Moment): Promise<string[]> {
  const said: string[] = [];
  const { setting, configuration } = settingFor("embedding", values, { surroundings: { packageRoot } });
  const log = { warn: (line: string) => void said.push(line) } as unknown as Parameters<typeof warnOfMissingModel>[2];
  await warnOfMissingModel(configuration.current, setting.surroundings, log, moment);
  return said;
}

const NOWHERE = "/nowhere/at/all";
const ROWS: readonly [what: string, values: Partial<Configuration>, carriesOne: boolean, moment: Moment, warnings: number][] = [
  ["lexical", { function_search_mode: "lexical" }, false, "boot", 0],
  ["jev", { function_search_mode: "jev" }, false, "boot", 0],
  ["jev, reloaded", { function_search_mode: "jev", function_search_model_path: null }, false, "reload", 0],
  ["hybrid without a model", { function_search_mode: "hybrid" }, false, "boot", 1],
  ["hybrid with the model of the package", { function_search_mode: "hybrid" }, true, "boot", 0],
  ["hybrid, models switched off", { function_search_mode: "hybrid", function_search_model_path: null }, true, "boot", 1],
  ["hybrid without a model, reloaded", { function_search_mode: "hybrid", function_search_model_path: NOWHERE }, false, "reload", 1],
  [
    "hybrid, no download allowed",
    { function_search_mode: "hybrid", function_search_model_path: NOWHERE, function_search_model_download: false },
    false,
    "boot",
    1,
  ],
];
for (const [what, values, carriesOne, moment, warnings] of ROWS) {
  test(`T-C09: ${what}: ${warnings === 0 ? "nothing is said" : "a warning"}`, async () => {
    const said = await warningsOf(values, carriesOne ? ROOT : withoutModels(), moment);
    assert.is(said.length, warnings, said.join());
    for (const line of said) assert.match(line, "function_search_model_path");
  });
}

test.run();
