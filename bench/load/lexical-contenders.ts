/** Libraries that rank by terms, each with its own defaults for words that need not all match, over the same texts, asked for as many rows. */
import { createRequire } from "node:module";
import { create, insertMultiple, search } from "@orama/orama";
import { Index } from "flexsearch";
import MiniSearch from "minisearch";
import { parameterNames, searchableText } from "../../domain/function-contract.js";
import { queryTerms } from "../../domain/tokenizer.js";
import type { Registered } from "../../test/harness/catalogue.js";
import { catalogOf } from "../../test/harness/catalogue.js";
import { newContext } from "../../test/harness/context.js";

/** Answers how many rows it found. */
export type Search = (need: string) => number | Promise<number>;

type Build = (functions: readonly Registered[], texts: readonly string[]) => Promise<Search>;

const ROWS = 20;
const PATIENCE_MS = 3_600_000;

/** Ours first. SQLite is missing where neither its package is built nor Node has it. */
export const CONTENDERS: Readonly<Record<string, Build>> = {
  "iii-directory": async (functions) => {
    const { catalog } = await catalogOf(functions);
    return async (need) => {
      const { lanes } = await catalog.rank({ lanes: [need] }, newContext(PATIENCE_MS));
      return lanes[0]?.rows.length ?? 0;
    };
  },
  MiniSearch: async (_, texts) => {
    const index = new MiniSearch({ fields: ["text"] });
    index.addAll(texts.map((text, id) => ({ id, text })));
    return (need) => index.search(need).slice(0, ROWS).length;
  },
  FlexSearch: async (_, texts) => {
    const index = new Index({ tokenize: "strict" });
    for (const [id, text] of texts.entries()) index.add(id, text);
    return (need) => index.search(need, { limit: ROWS, suggest: true }).length;
  },
  Orama: async (_, texts) => {
    const index = create({ schema: { text: "string" } as const });
    await insertMultiple(
      index,
      texts.map((text) => ({ text })),
    );
    return async (term) => (await search(index, { term, limit: ROWS })).hits.length;
  },
  "SQLite FTS5": async (_, texts) => {
    const Database = await sqlite();
    const database = new Database(":memory:");
    database.exec("CREATE VIRTUAL TABLE functions USING fts5(text)");
    const insert = database.prepare("INSERT INTO functions(rowid, text) VALUES (?, ?)");
    database.exec("BEGIN");
    for (const [id, text] of texts.entries()) insert.run(id + 1, text);
    database.exec("COMMIT");
    const select = database.prepare(`SELECT rowid FROM functions WHERE functions MATCH ? ORDER BY rank LIMIT ${ROWS}`);
    return (need) => select.all(anyOf(need)).length;
  },
};

export function textOf({ id, description = "", parameters }: Registered): string {
  return searchableText(id, description, parameterNames(parameters));
}

/** The same words as for the others: one of them is enough. */
function anyOf(need: string): string {
  return queryTerms(need)
    .map((term) => `"${term}"`)
    .join(" OR ");
}

interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown[] };
}

/** The package where its native part is built (`npm rebuild better-sqlite3 --ignore-scripts=false`), else what newer Nodes have themselves. */
async function sqlite(): Promise<new (path: string) => SqliteDatabase> {
  const load = createRequire(import.meta.url);
  try {
    const Database = load("better-sqlite3") as new (path: string) => SqliteDatabase;
    new Database(":memory:");
    return Database;
  } catch {
    const { DatabaseSync } = load("node:sqlite") as { DatabaseSync: new (path: string) => SqliteDatabase };
    return DatabaseSync;
  }
}
