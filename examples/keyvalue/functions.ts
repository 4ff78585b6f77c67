/** Values under keys, grouped in scopes, kept on the disk. */
import { Type } from "typebox";
import type { Collection } from "../collection.js";
import { type Offer, offer } from "../example.js";

export interface Entry {
  readonly scope: string;
  readonly key: string;
  readonly value: unknown;
  /** Counts the writes of this key. */
  readonly version: number;
  readonly stored_at: string;
}

const MOST_BYTES = 64 * 1024;
const DEFAULT_SCOPE = "default";

const Scope = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: `Group that the key belongs to; else "${DEFAULT_SCOPE}"` }),
);
const Key = Type.String({ minLength: 1, maxLength: 500, description: "Name under which the value is kept" });
const Value = Type.Unknown({ description: "Any JSON value: text, number, object, list, true, false or null" });
const Version = Type.Integer({ description: "How often this key has been written" });
const Stored = Type.Object({ scope: Type.String(), key: Type.String(), version: Version });

/** A length before the scope: no two pairs have the same name, whatever characters they use. */
export const entryKey = ({ scope, key }: Pick<Entry, "scope" | "key">): string => `${scope.length}:${scope}${key}`;

export function keyvalueOffers(entries: Collection<Entry>, now: () => Date = () => new Date()): Offer[] {
  const write = (rows: Map<string, Entry>, scope: string, key: string, value: unknown): Entry => {
    if (Buffer.byteLength(JSON.stringify(value) ?? "") > MOST_BYTES)
      throw new Error("too_large: a value has at most 64 KiB of JSON");
    const id = entryKey({ scope, key });
    const entry = { scope, key, value, version: (rows.get(id)?.version ?? 0) + 1, stored_at: now().toISOString() };
    rows.set(id, entry);
    return entry;
  };
  return [
    offer({
      id: "keyvalue::put",
      description:
        "Store a JSON value under a key, so that it can be read back later, also after a restart. Replaces what the key held.",
      request: Type.Object({ scope: Scope, key: Key, value: Value }, { additionalProperties: false }),
      response: Stored,
      answer: async ({ scope = DEFAULT_SCOPE, key, value }) => {
        const { version } = await entries.change((rows) => write(rows, scope, key, value));
        return { scope, key, version };
      },
    }),
    offer({
      id: "keyvalue::get",
      description: "Read back the value that was stored under a key. Says found: false where nothing is stored.",
      request: Type.Object({ scope: Scope, key: Key }, { additionalProperties: false }),
      response: Type.Object({
        found: Type.Boolean(),
        value: Value,
        version: Type.Optional(Version),
        stored_at: Type.Optional(Type.String({ format: "date-time", description: "When it was last written" })),
      }),
      answer: ({ scope = DEFAULT_SCOPE, key }) => {
        const entry = entries.get(entryKey({ scope, key }));
        if (entry === undefined) return { found: false, value: null };
        return { found: true, value: entry.value, version: entry.version, stored_at: entry.stored_at };
      },
    }),
    offer({
      id: "keyvalue::delete",
      description: "Forget a key and its value. Deleting a key that isn't there is no error.",
      request: Type.Object({ scope: Scope, key: Key }, { additionalProperties: false }),
      response: Type.Object({ deleted: Type.Boolean({ description: "Whether the key was there" }) }),
      answer: async ({ scope = DEFAULT_SCOPE, key }) => ({ deleted: await entries.remove(entryKey({ scope, key })) }),
    }),
    offer({
      id: "keyvalue::list-keys",
      description: "List the keys stored in a scope, in alphabetical order, optionally only those that start with a prefix.",
      request: Type.Object(
        {
          scope: Scope,
          prefix: Type.Optional(Type.String({ description: "Only keys that start with this text" })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Most keys in the answer" })),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({
        keys: Type.Array(Type.String()),
        total: Type.Integer({ description: "How many keys fit, also beyond the limit" }),
      }),
      answer: ({ scope = DEFAULT_SCOPE, prefix = "", limit = 100 }) => {
        const keys = entries.rows.filter((entry) => entry.scope === scope && entry.key.startsWith(prefix)).map(({ key }) => key);
        return { keys: keys.sort().slice(0, limit), total: keys.length };
      },
    }),
    offer({
      id: "keyvalue::list-scopes",
      description: "List the scopes that hold at least one key, each with the number of its keys.",
      request: Type.Object({}, { additionalProperties: false }),
      response: Type.Object({ scopes: Type.Array(Type.Object({ scope: Type.String(), keys: Type.Integer() })) }),
      answer: () => {
        const counts = new Map<string, number>();
        for (const { scope } of entries.rows) counts.set(scope, (counts.get(scope) ?? 0) + 1);
        return { scopes: [...counts].map(([scope, keys]) => ({ scope, keys })).sort((a, b) => (a.scope < b.scope ? -1 : 1)) };
      },
    }),
    offer({
      id: "keyvalue::increment",
      description:
        "Add a number to a counter under a key and return the new count. A missing key counts from 0. Safe against simultaneous calls.",
      request: Type.Object(
        { scope: Scope, key: Key, by: Type.Optional(Type.Number({ default: 1, description: "May be negative" })) },
        { additionalProperties: false },
      ),
      response: Type.Object({ value: Type.Number(), version: Version }),
      answer: ({ scope = DEFAULT_SCOPE, key, by = 1 }) =>
        entries.change((rows) => {
          const held = rows.get(entryKey({ scope, key }))?.value ?? 0;
          if (typeof held !== "number") throw new Error(`not_a_number: ${JSON.stringify(key)} holds something else than a number`);
          if (!Number.isFinite(held + by)) throw new Error("too_large: the count would leave the range of numbers");
          const { version } = write(rows, scope, key, held + by);
          return { value: held + by, version };
        }),
    }),
    offer({
      id: "keyvalue::compare-and-swap",
      description:
        "Write a value only if the key still has the version that you have seen, so that two writers don't overwrite each other. Version 0 means: only if the key isn't there.",
      request: Type.Object(
        {
          scope: Scope,
          key: Key,
          version: Type.Integer({ minimum: 0, description: "Version that the key must have now" }),
          value: Value,
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ swapped: Type.Boolean(), version: Version }),
      answer: ({ scope = DEFAULT_SCOPE, key, version, value }) =>
        entries.change((rows) => {
          const current = rows.get(entryKey({ scope, key }))?.version ?? 0;
          if (current !== version) return { swapped: false, version: current };
          return { swapped: true, version: write(rows, scope, key, value).version };
        }),
    }),
  ];
}
