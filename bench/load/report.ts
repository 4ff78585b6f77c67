/** The findings of the load bench as a page of Markdown tables. */
import type { LexicalResult } from "./lexical.js";
import type { LoadResults } from "./results.js";

export interface Machine {
  readonly node: string;
  readonly cpus: number;
  readonly model: string;
}

export function report({ lexical }: LoadResults, { node, cpus, model }: Machine): string {
  return [
    "# Load and scale",
    `Written by \`npm run bench -- load\`: Node ${node}, ${cpus} × ${model}. The machine is shared: read ratios of one run, not single times.`,
    "## Ranking by terms beside other libraries",
    "One need against a synthetic catalogue, in one thread. Contenders take turns over the same needs; times in milliseconds. " +
      "FlexSearch stops at the first rows that it finds and doesn't weigh the rarity of words.",
    table(
      ["functions", "contender", "reading all", "a need, median", "slowest need", "all needs, over ours"],
      lexical.flatMap(lexicalRows),
    ),
  ].join("\n\n");
}

function lexicalRows({ functions, contenders, missing }: LexicalResult): string[][] {
  const rows = contenders.map(({ name, buildMs, searchMs, slowestMs, overOurs }) => [
    thousands(functions),
    name,
    String(buildMs),
    String(searchMs),
    String(slowestMs),
    `${overOurs} ×`,
  ]);
  return [...rows, ...missing.map((name) => [thousands(functions), name, "can't run here", "", "", ""])];
}

/** Columns are padded, so that the source is a table too. Cells must not hold `|`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, 3, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** 50 000: a thin line between is harder to type. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, " ");
}
