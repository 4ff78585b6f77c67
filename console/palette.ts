/** Entries of the directory in the console's command palette. */
import { COLLECTIONS, matches } from "./directory/collections.js";
import { markedText } from "./hidden-characters.js";
import type { Bus, PaletteRow, PaletteSource } from "./host.js";

const MOST_ROWS = 30;

export function paletteSource(bus: Bus, open: (context: unknown) => void): PaletteSource {
  return {
    id: "directory-entries",
    kind: "item",
    minCharacters: 2,
    search: async (query, signal) => {
      if (query.trim().length < 2 || signal.aborted) return [];
      // A collection that can't be listed is only missing from the rows.
      const lists = await Promise.all(
        COLLECTIONS.map(async (collection) => ({ collection, rows: await collection.list(bus).catch(() => []) })),
      );
      if (signal.aborted) return [];
      return lists
        .flatMap(({ collection, rows }) =>
          rows
            .filter((row) => matches(row, query))
            .map(
              ({ key, title }): PaletteRow => ({
                id: `${collection.id}:${key}`,
                title: markedText(title),
                subtitle: `${collection.noun} · ${markedText(key)}`,
                run: () => open({ collection: collection.id, key }),
              }),
            ),
        )
        .slice(0, MOST_ROWS);
    },
  };
}
