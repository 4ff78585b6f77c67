/** Comma-separated values as RFC 4180 describes them: quotes around fields with separators, quotes doubled inside quotes. */

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const MOST_ROWS = 50_000;

export function parseTable(text: string, separator: string): Table {
  const [columns = [], ...rows] = records(text.replace(/^\uFEFF/, ""), separator);
  const twice = columns.find((name, place) => columns.indexOf(name) !== place);
  if (twice !== undefined) throw new Error(`invalid_request: two columns are called ${JSON.stringify(twice)}`);
  const odd = rows.findIndex((row) => row.length !== columns.length);
  if (odd >= 0) throw new Error(`invalid_request: row ${odd + 1} has ${rows[odd]?.length} fields instead of ${columns.length}`);
  return { columns, rows };
}

export function writeTable({ columns, rows }: Table, separator: string): string {
  const field = (value: string): string =>
    /["\r\n]/.test(value) || value.includes(separator) ? `"${value.replaceAll('"', '""')}"` : value;
  return [columns, ...rows].map((row) => row.map(field).join(separator)).join("\n");
}

export function columnOf({ columns }: Table, name: string): number {
  const place = columns.indexOf(name);
  if (place < 0) throw new Error(`not_found: there is no column ${JSON.stringify(name)}; there are ${columns.join(", ")}`);
  return place;
}

function records(text: string, separator: string): string[][] {
  const found: string[][] = [];
  let record: string[] = [];
  let place = 0;
  const endRecord = (): void => {
    // A line with nothing in it is no record.
    if (record.length > 1 || record[0] !== "") found.push(record);
    if (found.length > MOST_ROWS + 1) throw new Error(`too_large: more than ${MOST_ROWS} rows`);
    record = [];
  };
  while (place < text.length) {
    const { value, end } = text[place] === '"' ? quoted(text, place) : plain(text, place, separator);
    record.push(value);
    place = end;
    if (text.startsWith(separator, place)) {
      place += separator.length;
      // A separator at the very end stands before an empty field.
      if (place === text.length) record.push("");
      continue;
    }
    if (place < text.length && !/[\r\n]/.test(text[place] ?? ""))
      throw new Error(`invalid_request: text after a closing quote: ${excerpt(text, place)}`);
    place += text.startsWith("\r\n", place) ? 2 : 1;
    endRecord();
  }
  if (record.length > 0) endRecord();
  return found;
}

function plain(text: string, from: number, separator: string): { value: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== "\n" && text[end] !== "\r" && !text.startsWith(separator, end)) end++;
  return { value: text.slice(from, end), end };
}

function quoted(text: string, from: number): { value: string; end: number } {
  let value = "";
  for (let place = from + 1; ; ) {
    const quote = text.indexOf('"', place);
    if (quote < 0) throw new Error(`invalid_request: a quote is never closed: ${excerpt(text, from)}`);
    value += text.slice(place, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    place = quote + 2;
  }
}

const excerpt = (text: string, place: number): string => JSON.stringify(text.slice(place, place + 30));
