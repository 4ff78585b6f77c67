/** A plain table for a terminal: columns as wide as their longest cell, the last one cut to what is left of the line. */

const GAP = "  ";
const NARROWEST_LAST = 24;

export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width = process.stdout.columns ?? Number.POSITIVE_INFINITY,
): string {
  const lines = [head, ...rows].map((row) => row.map(oneLine));
  const widths = head.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)));
  const before = widths.slice(0, -1).reduce((sum, columnWidth) => sum + columnWidth + GAP.length, 0);
  const last = Math.max(NARROWEST_LAST, width - before);
  const print = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === head.length - 1 ? cut(cell, last) : cell.padEnd(widths[column] ?? 0)))
      .join(GAP)
      .trimEnd();
  const rule = widths
    .map((columnWidth, column) => "─".repeat(column === head.length - 1 ? Math.min(columnWidth, last) : columnWidth))
    .join(GAP);
  const [first = [], ...rest] = lines;
  return [print(first), rule, ...rest.map(print)].join("\n");
}

/** Control characters of somebody else's text must not steer the terminal. */
function oneLine(cell: string): string {
  return cell.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
}

function cut(cell: string, width: number): string {
  return cell.length <= width ? cell : `${cell.slice(0, width - 1)}…`;
}
