/** An evaluation as one JSON object for programs, and as a table for people. */
import type { Evaluation } from "./evaluate.js";
import type { Interval } from "./figures.js";

const JSON_FIGURES = ["mrr@1", "recall@1", "recall@5", "recall@12", "ndcg@12"];

export function asJson(
  { mode, slices, multi, noMatch, lanesKept, functionsPerQuery, latency, cases }: Evaluation,
  details: boolean,
): object {
  return {
    mode,
    slices: Object.fromEntries(
      Object.entries(slices).map(([name, figures]) => [
        name,
        figures === null ? null : Object.fromEntries(JSON_FIGURES.map((figure) => [figure, rounded(figures[figure]?.value)])),
      ]),
    ),
    multi: multi === null ? null : { "coverage@12": rounded(multi["coverage@12"].value) },
    no_match: noMatch === null ? null : { false_positive_rate: rounded(noMatch.false_positive_rate.value) },
    lanes_kept: rounded(lanesKept?.value),
    functions_per_query: rounded(functionsPerQuery.value),
    latency_ms: { p50: rounded(latency.p50), p95: rounded(latency.p95) },
    ...(details ? { details: cases.map(({ judged, ids }) => ({ id: judged.id, function_ids: ids })) } : {}),
  };
}

export function asText(evaluation: Evaluation, details: boolean): string {
  const { mode, slices, multi, noMatch, lanesKept, functionsPerQuery, latency, cases } = evaluation;
  const lines = [`mode ${mode}, ${cases.length} cases; each figure with the interval that 95 % of resamples lie in`, ""];
  for (const [name, figures] of Object.entries(slices)) {
    if (figures === null) lines.push(`${name}: no case`);
    else for (const [figure, value] of Object.entries(figures)) lines.push(row(name, figure, value));
  }
  lines.push(row("multi", "coverage@12", multi?.["coverage@12"]));
  lines.push(row("no match", "false_positive_rate", noMatch?.false_positive_rate));
  lines.push(row("all", "lanes_kept", lanesKept ?? undefined));
  lines.push(row("all", "functions_per_query", functionsPerQuery));
  lines.push(
    `latency ms   mean ${latency.mean.toFixed(1)}  p50 ${latency.p50.toFixed(1)}  p95 ${latency.p95.toFixed(1)}  max ${latency.max.toFixed(1)}`,
  );
  if (details) for (const { judged, ids } of cases) lines.push(`${judged.id}: ${ids.join(" ") || "nothing"}`);
  return lines.join("\n");
}

function row(slice: string, figure: string, value: Interval | undefined): string {
  const name = `${slice.padEnd(12)} ${figure.padEnd(20)}`;
  if (value === undefined) return `${name} no case`;
  return `${name} ${value.value.toFixed(3)}  (${value.low.toFixed(3)} to ${value.high.toFixed(3)})`;
}

function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toFixed(4));
}
