/** Where a bench leaves what it found: one JSON file a subject, so that a change can be compared with the last run. */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { ROOT } from "../test/harness/shared.js";

/** One line of a bench: a ratio or a figure, and what the issue asks of it. */
export interface Finding {
  readonly what: string;
  readonly value: number;
  /** `×` for a ratio to the contender named in `what`. */
  readonly unit: string;
  /** Largest value that is all right. */
  readonly limit?: number;
}

export interface Findings {
  readonly subject: string;
  readonly findings: readonly Finding[];
}

export function print({ subject, findings }: Findings): void {
  console.log(`\n${subject}`);
  for (const { what, value, unit, limit } of findings) {
    const verdict = limit === undefined ? "" : value <= limit ? `  (at most ${limit}: met)` : `  (at most ${limit}: MISSED)`;
    console.log(`  ${what}: ${value} ${unit}${verdict}`);
  }
}

export function keep(results: Findings): void {
  const folder = join(ROOT, "bench", "results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${results.subject}.json`), `${JSON.stringify({ ...results, machine: machine() }, null, 2)}\n`);
}

export function machine(): { readonly node: string; readonly cpus: number; readonly model: string } {
  return { node: process.version, cpus: cpus().length, model: cpus()[0]?.model ?? "unknown" };
}
