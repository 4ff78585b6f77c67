/** What an evaluation may do. Asking the real judge costs money and sends the catalogue away, so it has to be allowed by name. */

import { resolve } from "node:path";
import { parseArgs } from "node:util";

export type EvaluationMode = "lexical" | "hybrid" | "jev" | "jev-shortlist";

const MODES: ReadonlySet<string> = new Set(["lexical", "hybrid", "jev", "jev-shortlist"] satisfies EvaluationMode[]);

export interface EvaluationOptions {
  readonly modes: readonly EvaluationMode[];
  readonly allowRemote: boolean;
  readonly repetitions: number;
  readonly shortlist: number;
  readonly jevModel: string;
  readonly jevTimeoutMs: number;
  readonly jevMinRelevance: number;
  /** Folder of a model bundle; without it hybrid is skipped. */
  readonly modelPath: string | undefined;
  readonly readinessMs: number;
  /** US dollars for a million tokens. */
  readonly inputPrice: number;
  readonly outputPrice: number;
  readonly cases: string;
  readonly catalogue: string;
  /** Where the report goes; standard output when absent. */
  readonly output: string | undefined;
}

/** Throws a line that says what is wrong. */
export function readOptions(given: readonly string[], defaults: Pick<EvaluationOptions, "cases" | "catalogue">): EvaluationOptions {
  const { values } = parseArgs({ args: [...given], options: FLAGS });
  const modes = (values.modes ?? "lexical").split(",");
  const unknown = modes.find((mode) => !MODES.has(mode));
  if (unknown !== undefined) throw new Error(`--modes: there is no mode ${unknown}; there are ${[...MODES].join(", ")}`);
  if (new Set(modes).size < modes.length) throw new Error("--modes names a mode twice");
  const allowRemote = values["allow-remote"] ?? false;
  const remote = modes.find((mode) => mode.startsWith("jev"));
  if (remote !== undefined && !allowRemote) {
    throw new Error(`${remote} sends the catalogue to the remote judge and costs money: say --allow-remote`);
  }
  const options: EvaluationOptions = {
    modes: modes as EvaluationMode[],
    allowRemote,
    repetitions: whole("repetitions", values.repetitions, 1, 1_000) ?? 3,
    shortlist: whole("shortlist", values.shortlist, 1, 10_000) ?? 24,
    jevModel: values["jev-model"]?.trim() || "jev-1.13.0",
    jevTimeoutMs: whole("jev-timeout-ms", values["jev-timeout-ms"], 1, 30_000) ?? 3_000,
    jevMinRelevance: part("jev-min-relevance", values["jev-min-relevance"]) ?? 0.5,
    modelPath: values["model-path"],
    readinessMs: whole("readiness-ms", values["readiness-ms"], 1, 300_000) ?? 30_000,
    inputPrice: price("input-price", values["input-price"]) ?? 0.042,
    outputPrice: price("output-price", values["output-price"]) ?? 0,
    cases: values.cases ?? defaults.cases,
    catalogue: values.catalogue ?? defaults.catalogue,
    output: values.output,
  };
  const { output } = options;
  if (output !== undefined && [options.cases, options.catalogue].some((input) => resolve(input) === resolve(output))) {
    throw new Error(`--output would overwrite ${output}, which is read`);
  }
  return options;
}

const FLAGS = {
  modes: { type: "string" },
  "allow-remote": { type: "boolean" },
  repetitions: { type: "string" },
  shortlist: { type: "string" },
  "jev-model": { type: "string" },
  "jev-timeout-ms": { type: "string" },
  "jev-min-relevance": { type: "string" },
  "model-path": { type: "string" },
  "readiness-ms": { type: "string" },
  "input-price": { type: "string" },
  "output-price": { type: "string" },
  cases: { type: "string" },
  catalogue: { type: "string" },
  output: { type: "string" },
} as const;

/** The key, which is no option: it is looked at only when remote modes were allowed, and is in no report. */
export function readKey({ allowRemote, modes }: EvaluationOptions, env: NodeJS.ProcessEnv): string | undefined {
  if (!allowRemote || !modes.some((mode) => mode.startsWith("jev"))) return undefined;
  const key = env["TYPESAFE_API_KEY"]?.trim() ?? "";
  if (key === "") throw new Error("TYPESAFE_API_KEY is empty: the remote modes need it");
  return key;
}

function whole(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || value < least || value > most) {
    throw new Error(`--${flag} must be a whole number from ${least} to ${most}`);
  }
  return value;
}

function part(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1)) throw new Error(`--${flag} must be a number from 0 to 1`);
  return value;
}

function price(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) throw new Error(`--${flag} must be a number of dollars`);
  return value;
}
