/** Notes: a title, a text, tags. */
import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import type { Collection } from "../collection.js";
import { type Offer, offer } from "../example.js";

export interface Note {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly changed_at: string;
}

const MOST_TEXT = 100_000;
const EXCERPT = 160;

const Id = Type.String({ minLength: 1, maxLength: 100, description: "Id of the note, as notes::write returned it" });
const Title = Type.String({ minLength: 1, maxLength: 200, description: "Title of the note" });
const Text = Type.String({ maxLength: MOST_TEXT, description: "Body of the note, plain text or Markdown" });
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 20, description: "Words to find the note by" });
const Full = Type.Object({
  id: Type.String(),
  title: Type.String(),
  text: Type.String(),
  tags: Type.Array(Type.String()),
  created_at: Type.String({ format: "date-time" }),
  changed_at: Type.String({ format: "date-time" }),
});
const Row = Type.Object({
  id: Type.String(),
  title: Type.String(),
  excerpt: Type.String({ description: "Beginning of the text" }),
  tags: Type.Array(Type.String()),
  changed_at: Type.String({ format: "date-time" }),
});
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 20, description: "Most notes in the answer" }));

const full = (note: Note) => ({ ...note, tags: [...note.tags] });
const row = ({ id, title, text, tags, changed_at }: Note) => ({
  id,
  title,
  excerpt: text.slice(0, EXCERPT),
  tags: [...tags],
  changed_at,
});
const distinct = (tags: readonly string[]): string[] => [...new Set(tags.map((tag) => tag.toLowerCase()))].sort();
const newestFirst = (a: Note, b: Note): number => (a.changed_at < b.changed_at ? 1 : a.changed_at > b.changed_at ? -1 : 0);

export function notesOffers(notes: Collection<Note>, now: () => Date = () => new Date()): Offer[] {
  const time = (): string => now().toISOString();
  return [
    offer({
      id: "notes::write",
      description: "Write down a new note with a title, a text and optional tags. Returns its id.",
      request: Type.Object({ title: Title, text: Text, tags: Type.Optional(Tags) }, { additionalProperties: false }),
      response: Full,
      answer: async ({ title, text, tags = [] }) =>
        full(await notes.put({ id: randomUUID(), title, text, tags: distinct(tags), created_at: time(), changed_at: time() })),
    }),
    offer({
      id: "notes::read",
      description: "Read one note in full: title, text, tags, when it was made and changed.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: Full,
      answer: ({ id }) => full(notes.need(id, "note")),
    }),
    offer({
      id: "notes::rewrite",
      description: "Change the title or replace the text of a note. Fields that are left out stay as they are.",
      request: Type.Object({ id: Id, title: Type.Optional(Title), text: Type.Optional(Text) }, { additionalProperties: false }),
      response: Full,
      answer: async ({ id, ...fields }) => full(await notes.edit(id, "note", () => ({ ...fields, changed_at: time() }))),
    }),
    offer({
      id: "notes::append",
      description: "Add a paragraph to the end of a note, such as the next entry of a journal or a meeting protocol.",
      request: Type.Object({ id: Id, text: Text }, { additionalProperties: false }),
      response: Full,
      answer: async ({ id, text: addition }) =>
        full(
          await notes.edit(id, "note", ({ text }) => {
            const longer = text === "" ? addition : `${text}\n\n${addition}`;
            if (longer.length > MOST_TEXT) throw new Error(`too_large: a note has at most ${MOST_TEXT} characters`);
            return { text: longer, changed_at: time() };
          }),
        ),
    }),
    offer({
      id: "notes::discard",
      description: "Throw a note away for good.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: Type.Object({ discarded: Type.Boolean({ description: "Whether the note was there" }) }),
      answer: async ({ id }) => ({ discarded: await notes.remove(id) }),
    }),
    offer({
      id: "notes::list",
      description:
        "List notes, the last changed one first, optionally only those with a tag. Shows titles and the beginning of each text.",
      request: Type.Object(
        { tag: Type.Optional(Type.String({ minLength: 1, description: "Only notes with this tag" })), limit: Limit },
        { additionalProperties: false },
      ),
      response: Type.Object({ notes: Type.Array(Row), total: Type.Integer() }),
      answer: ({ tag, limit = 20 }) => {
        const found = notes.rows.filter(({ tags }) => tag === undefined || tags.includes(tag.toLowerCase())).sort(newestFirst);
        return { notes: found.slice(0, limit).map(row), total: found.length };
      },
    }),
    offer({
      id: "notes::find",
      description: "Find notes by words: every word must occur in the title, the text or a tag, in any case of letters.",
      request: Type.Object(
        {
          words: Type.String({ minLength: 1, maxLength: 200, description: "Words to look for, separated by blanks" }),
          limit: Limit,
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ notes: Type.Array(Row), total: Type.Integer() }),
      answer: ({ words, limit = 20 }) => {
        const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
        const found = notes.rows
          .filter(({ title, text, tags }) => {
            const all = [title, text, ...tags].join("\n").toLowerCase();
            return wanted.every((word) => all.includes(word));
          })
          .sort(newestFirst);
        return { notes: found.slice(0, limit).map(row), total: found.length };
      },
    }),
    offer({
      id: "notes::label",
      description: "Add tags to a note or take tags off it.",
      request: Type.Object({ id: Id, add: Type.Optional(Tags), remove: Type.Optional(Tags) }, { additionalProperties: false }),
      response: Full,
      answer: async ({ id, add = [], remove = [] }) =>
        full(
          await notes.edit(id, "note", ({ tags }) => {
            const off = new Set(distinct(remove));
            return { tags: distinct([...tags, ...add]).filter((tag) => !off.has(tag)), changed_at: time() };
          }),
        ),
    }),
  ];
}
