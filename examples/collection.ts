/** Rows in a JSON file. A change is on the disk, whole, before it is reported, and a change that could not be written never was. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import writeFileAtomic from "write-file-atomic";

const MOST_ROWS = 10_000;

export class Collection<Row> {
  readonly #path: string;
  readonly #keyOf: (row: Row) => string;
  #rows: ReadonlyMap<string, Row>;
  #last: Promise<unknown> = Promise.resolve();

  /** Throws when the file is there and can't be read: starting with nothing would overwrite it. */
  constructor(path: string, keyOf: (row: Row) => string) {
    this.#path = path;
    this.#keyOf = keyOf;
    this.#rows = new Map(read<Row>(path).map((row) => [keyOf(row), row]));
  }

  get rows(): Row[] {
    return [...this.#rows.values()];
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  /** As `get`; what isn't there is an error that names it. */
  need(key: string, what: string): Row {
    const row = this.get(key);
    if (row === undefined) throw new Error(`not_found: there is no ${what} ${JSON.stringify(key)}`);
    return row;
  }

  /** Changes happen one after another; each sees what the one before has stored. */
  change<Value>(work: (rows: Map<string, Row>) => Value): Promise<Value> {
    const done = this.#last.then(async () => {
      const next = new Map(this.#rows);
      const value = work(next);
      if (next.size > MOST_ROWS) throw new Error(`limit_reached: ${MOST_ROWS} entries are the most; remove some first`);
      await writeFileAtomic(this.#path, `${JSON.stringify([...next.values()], null, 1)}\n`);
      this.#rows = next;
      return value;
    });
    this.#last = done.catch(() => {});
    return done;
  }

  put(row: Row): Promise<Row> {
    return this.change((rows) => {
      rows.set(this.#keyOf(row), row);
      return row;
    });
  }

  /** Changes fields of a row that must be there. */
  edit(key: string, what: string, fields: (row: Row) => Partial<Row>): Promise<Row> {
    return this.change((rows) => {
      const row = rows.get(key);
      if (row === undefined) throw new Error(`not_found: there is no ${what} ${JSON.stringify(key)}`);
      const edited = { ...row, ...fields(row) };
      rows.set(key, edited);
      return edited;
    });
  }

  /** Whether it was there. */
  remove(key: string): Promise<boolean> {
    return this.change((rows) => rows.delete(key));
  }
}

/**
 * The collection of an example worker, in the folder `III_EXAMPLES_DATA`, else `data/examples` in the working folder. What keeps it from
 * opening ends the worker with one line: there is nothing it could do without.
 */
export function openCollection<Row>(name: string, keyOf: (row: Row) => string): Collection<Row> {
  const folder = resolve(process.env["III_EXAMPLES_DATA"]?.trim() || join("data", "examples"));
  try {
    mkdirSync(folder, { recursive: true });
    return new Collection(join(folder, `${name}.json`), keyOf);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

function read<Row>(path: string): Row[] {
  if (!existsSync(path)) return [];
  try {
    const rows: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (Array.isArray(rows)) return rows as Row[];
  } catch (error) {
    throw new Error(`${path} can't be read (${(error as Error).message}); mend it or move it away`);
  }
  throw new Error(`${path} is not a list of entries; mend it or move it away`);
}
