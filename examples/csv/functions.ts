/** Tables as comma-separated text. The first line names the columns. */
import { Type } from "typebox";
import { type Offer, offer } from "../example.js";
import { columnOf, parseTable, writeTable } from "./table.js";

const Csv = Type.String({
  minLength: 1,
  maxLength: 1_000_000,
  description: "The table as CSV text; its first line names the columns",
});
const Separator = Type.Optional(
  Type.Enum([",", ";", "\t", "|"], {
    default: ",",
    description: "What stands between two fields",
  }),
);
const Column = Type.String({ minLength: 1, maxLength: 200, description: "Name of a column" });
const Result = Type.Object({ csv: Type.String(), rows: Type.Integer({ description: "Without the line of names" }) });

/** Numbers before texts, numbers by value. */
function compare(a: string, b: string): number {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== undefined && right !== undefined) return left - right;
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  return a.localeCompare(b, "en");
}

function numberOf(field: string): number | undefined {
  const number = field.trim() === "" ? Number.NaN : Number(field);
  return Number.isFinite(number) ? number : undefined;
}

const TESTS = {
  equals: (field: string, value: string) =>
    field === value || (numberOf(field) !== undefined && numberOf(field) === numberOf(value)),
  differs: (field: string, value: string) => !TESTS.equals(field, value),
  contains: (field: string, value: string) => field.toLowerCase().includes(value.toLowerCase()),
  above: (field: string, value: string) => numberOf(field) !== undefined && compare(field, value) > 0,
  below: (field: string, value: string) => numberOf(field) !== undefined && compare(field, value) < 0,
} as const;
const Test = Type.Enum(["equals", "differs", "contains", "above", "below"], {
  description: "How to compare the field with the value; above and below compare numbers",
});

export function csvOffers(): Offer[] {
  return [
    offer({
      id: "csv::to-json",
      description: "Parse CSV text, such as an exported spreadsheet, into a list of JSON objects, one for each row.",
      request: Type.Object({ csv: Csv, separator: Separator }, { additionalProperties: false }),
      response: Type.Object({ columns: Type.Array(Type.String()), rows: Type.Array(Type.Record(Type.String(), Type.String())) }),
      answer: ({ csv, separator = "," }) => {
        const { columns, rows } = parseTable(csv, separator);
        return {
          columns: [...columns],
          rows: rows.map((row) => Object.fromEntries(columns.map((name, place) => [name, row[place] ?? ""]))),
        };
      },
    }),
    offer({
      id: "csv::from-json",
      description: "Turn a list of JSON objects into CSV text that a spreadsheet can open.",
      request: Type.Object(
        {
          rows: Type.Array(
            Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
              description: "A row: column names and values",
            }),
            { minItems: 1, maxItems: 10_000, description: "The rows; every name that occurs becomes a column" },
          ),
          separator: Separator,
        },
        { additionalProperties: false },
      ),
      response: Result,
      answer: ({ rows, separator = "," }) => {
        const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
        const cells = rows.map((row) => columns.map((name) => (Object.hasOwn(row, name) ? String(row[name] ?? "") : "")));
        return { csv: writeTable({ columns, rows: cells }, separator), rows: cells.length };
      },
    }),
    offer({
      id: "csv::filter-rows",
      description: "Keep only the rows of a CSV table whose field in a column passes a test, for example amount above 100.",
      request: Type.Object(
        {
          csv: Csv,
          column: Column,
          test: Test,
          value: Type.String({ maxLength: 1000, description: "To compare with" }),
          separator: Separator,
        },
        { additionalProperties: false },
      ),
      response: Result,
      answer: ({ csv, column, test, value, separator = "," }) => {
        const table = parseTable(csv, separator);
        const place = columnOf(table, column);
        const rows = table.rows.filter((row) => TESTS[test](row[place] ?? "", value));
        return { csv: writeTable({ ...table, rows }, separator), rows: rows.length };
      },
    }),
    offer({
      id: "csv::sort-rows",
      description: "Sort the rows of a CSV table by a column; numbers by their value, texts by the alphabet.",
      request: Type.Object(
        {
          csv: Csv,
          column: Column,
          descending: Type.Optional(Type.Boolean({ default: false, description: "Largest first" })),
          separator: Separator,
        },
        { additionalProperties: false },
      ),
      response: Result,
      answer: ({ csv, column, descending = false, separator = "," }) => {
        const table = parseTable(csv, separator);
        const place = columnOf(table, column);
        const sign = descending ? -1 : 1;
        const rows = [...table.rows].sort((a, b) => sign * compare(a[place] ?? "", b[place] ?? ""));
        return { csv: writeTable({ ...table, rows }, separator), rows: rows.length };
      },
    }),
    offer({
      id: "csv::pick-columns",
      description: "Keep only some columns of a CSV table, in a new order.",
      request: Type.Object(
        {
          csv: Csv,
          columns: Type.Array(Column, { minItems: 1, maxItems: 200, description: "Columns to keep, in their order" }),
          separator: Separator,
        },
        { additionalProperties: false },
      ),
      response: Result,
      answer: ({ csv, columns, separator = "," }) => {
        const table = parseTable(csv, separator);
        const places = columns.map((name) => columnOf(table, name));
        const rows = table.rows.map((row) => places.map((place) => row[place] ?? ""));
        return { csv: writeTable({ columns, rows }, separator), rows: rows.length };
      },
    }),
    offer({
      id: "csv::group-totals",
      description: "Group the rows of a CSV table by one column and add up another: count, total and average of each group.",
      request: Type.Object(
        {
          csv: Csv,
          group_by: Column,
          sum: Type.String({ minLength: 1, maxLength: 200, description: "Column of numbers to add up" }),
          separator: Separator,
        },
        { additionalProperties: false },
      ),
      response: Type.Object({
        groups: Type.Array(
          Type.Object({ group: Type.String(), count: Type.Integer(), total: Type.Number(), average: Type.Number() }),
        ),
        skipped: Type.Integer({ description: "Rows without a number in the column" }),
      }),
      answer: ({ csv, group_by, sum, separator = "," }) => {
        const table = parseTable(csv, separator);
        const [by, of] = [columnOf(table, group_by), columnOf(table, sum)];
        const groups = new Map<string, number[]>();
        let skipped = 0;
        for (const row of table.rows) {
          const number = numberOf(row[of] ?? "");
          const group = row[by] ?? "";
          if (number === undefined) skipped++;
          else if (groups.get(group)?.push(number) === undefined) groups.set(group, [number]);
        }
        return { groups: [...groups].map(([group, numbers]) => totals(group, numbers)), skipped };
      },
    }),
  ];
}

function totals(group: string, numbers: readonly number[]) {
  const total = Number(numbers.reduce((sum, number) => sum + number, 0).toPrecision(12));
  return { group, count: numbers.length, total, average: Number((total / numbers.length).toPrecision(12)) };
}
