/** Small tools for text. Nothing here takes a pattern from the caller: a hostile one could keep the worker busy for ever. */
import { createHash } from "node:crypto";
import { Type } from "typebox";
import { type Offer, offer } from "../example.js";
import { differences } from "./differences.js";

const MOST_TEXT = 200_000;
const Text = Type.String({ maxLength: MOST_TEXT, description: "The text to work on" });

const CASES = ["lower", "upper", "title", "camel", "snake", "kebab"] as const;
type Case = (typeof CASES)[number];
const ENCODINGS = ["base64", "base64url", "hex", "url"] as const;
type Encoding = (typeof ENCODINGS)[number];

const words = (text: string): string[] =>
  text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

const RECASE: Readonly<Record<Case, (text: string) => string>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  title: (text) => text.replace(/[\p{L}\p{N}]+/gu, capital),
  camel: (text) =>
    words(text)
      .map((word, place) => (place === 0 ? word.toLowerCase() : capital(word)))
      .join(""),
  snake: (text) => words(text).join("_").toLowerCase(),
  kebab: (text) => words(text).join("-").toLowerCase(),
};

/** Each finds its things in one pass. */
const FINDERS = {
  email: /[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g,
  url: /\bhttps?:\/\/[^\s<>"')\]]{1,2000}/g,
  number: /(?<![\w.])-?\d{1,30}(?:\.\d{1,30})?(?![\w.]*\w)/g,
  hashtag: /(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]{1,100}/gu,
} as const;
type Kind = keyof typeof FINDERS;

function decode(text: string, encoding: Encoding): string {
  if (encoding === "url") return decodeURIComponent(text);
  const bytes = Buffer.from(text, encoding);
  const back = bytes.toString(encoding).replace(/=+$/, "");
  if (back !== text.trim().replace(/=+$/, "")) throw new Error(`invalid_request: the text is not ${encoding}`);
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

export function textOffers(): Offer[] {
  return [
    offer({
      id: "text::count",
      description: "Count the characters, words, sentences and lines of a text and estimate the time to read it.",
      request: Type.Object({ text: Text }, { additionalProperties: false }),
      response: Type.Object({
        characters: Type.Integer(),
        words: Type.Integer(),
        sentences: Type.Integer(),
        lines: Type.Integer(),
        reading_minutes: Type.Number({ description: "At 220 words a minute" }),
      }),
      answer: ({ text }) => {
        const count = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;
        return {
          characters: [...text].length,
          words: count,
          sentences: text.split(/[.!?]+(?:\s|$)/).filter((part) => part.trim() !== "").length,
          lines: text === "" ? 0 : text.split(/\r?\n/).length,
          reading_minutes: Math.round((count / 220) * 10) / 10,
        };
      },
    }),
    offer({
      id: "text::change-case",
      description:
        "Change the case of a text: lower, upper or title case, or an identifier in camelCase, snake_case or kebab-case.",
      request: Type.Object({ text: Text, to: Type.Enum(CASES, { description: "Wanted case" }) }, { additionalProperties: false }),
      response: Type.Object({ text: Type.String() }),
      answer: ({ text, to }) => ({ text: RECASE[to](text) }),
    }),
    offer({
      id: "text::slug",
      description: "Turn a title into a slug for a web address: plain lower-case letters, digits and hyphens.",
      request: Type.Object(
        { text: Text, max_length: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 80 })) },
        { additionalProperties: false },
      ),
      response: Type.Object({ slug: Type.String() }),
      answer: ({ text, max_length = 80 }) => {
        const plain = text
          .normalize("NFKD")
          .replace(/\p{M}+/gu, "")
          .toLowerCase();
        const slug = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
        return { slug: slug.slice(0, max_length).replace(/-$/, "") };
      },
    }),
    offer({
      id: "text::replace",
      description: "Replace every occurrence of a phrase in a text with another one and say how many there were.",
      request: Type.Object(
        {
          text: Text,
          find: Type.String({ minLength: 1, maxLength: 1000, description: "Exact phrase, no pattern" }),
          replacement: Type.String({ maxLength: 1000, description: "Goes in its place" }),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ text: Type.String(), replaced: Type.Integer() }),
      answer: ({ text, find, replacement }) => {
        const parts = text.split(find);
        const length = text.length + (parts.length - 1) * (replacement.length - find.length);
        if (length > 10 * MOST_TEXT) throw new Error(`too_large: the result would have ${length} characters`);
        return { text: parts.join(replacement), replaced: parts.length - 1 };
      },
    }),
    offer({
      id: "text::sort-lines",
      description: "Sort the lines of a text alphabetically, remove duplicate or empty lines, or turn their order round.",
      request: Type.Object(
        {
          text: Text,
          order: Type.Optional(
            Type.Enum(["ascending", "descending", "as-is"], { description: "Order of the lines; ascending if left out" }),
          ),
          unique: Type.Optional(Type.Boolean({ default: false, description: "Keep only the first of equal lines" })),
          drop_empty: Type.Optional(Type.Boolean({ default: false, description: "Leave out blank lines" })),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ text: Type.String(), lines: Type.Integer() }),
      answer: ({ text, order = "ascending", unique = false, drop_empty = false }) => {
        let lines = text.split(/\r?\n/);
        if (drop_empty) lines = lines.filter((line) => line.trim() !== "");
        if (unique) lines = [...new Set(lines)];
        if (order !== "as-is") lines.sort((a, b) => a.localeCompare(b, "en"));
        if (order === "descending") lines.reverse();
        return { text: lines.join("\n"), lines: lines.length };
      },
    }),
    offer({
      id: "text::compare",
      description: "Compare two texts line by line and show what was added and what was removed, as a diff does.",
      request: Type.Object(
        {
          before: Type.String({ maxLength: MOST_TEXT, description: "Old version" }),
          after: Type.String({ maxLength: MOST_TEXT, description: "New version" }),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({
        equal: Type.Boolean(),
        added: Type.Integer(),
        removed: Type.Integer(),
        diff: Type.String({ description: 'A line each: "+ " new, "- " gone, "  " in both' }),
      }),
      answer: ({ before, after }) => {
        const changes = differences(before.split(/\r?\n/), after.split(/\r?\n/));
        const count = (sign: string): number => changes.filter((change) => change.sign === sign).length;
        const [added, removed] = [count("+"), count("-")];
        return {
          equal: added + removed === 0,
          added,
          removed,
          diff: changes.map(({ sign, line }) => `${sign} ${line}`).join("\n"),
        };
      },
    }),
    offer({
      id: "text::hash",
      description: "Compute the checksum of a text (SHA-256, SHA-512 or MD5), as hexadecimal digits.",
      request: Type.Object(
        {
          text: Text,
          algorithm: Type.Optional(
            Type.Enum(["sha256", "sha512", "md5"], { description: "sha256 if left out; md5 is not secure" }),
          ),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ algorithm: Type.String(), hash: Type.String() }),
      answer: ({ text, algorithm = "sha256" }) => ({ algorithm, hash: createHash(algorithm).update(text).digest("hex") }),
    }),
    offer({
      id: "text::encode",
      description: "Encode a text as Base64, hexadecimal or percent-encoding for web addresses.",
      request: Type.Object(
        { text: Text, encoding: Type.Enum(ENCODINGS, { description: "How to encode it" }) },
        { additionalProperties: false },
      ),
      response: Type.Object({ text: Type.String() }),
      answer: ({ text, encoding }) => ({
        text: encoding === "url" ? encodeURIComponent(text.toWellFormed()) : Buffer.from(text).toString(encoding),
      }),
    }),
    offer({
      id: "text::decode",
      description: "Decode Base64, hexadecimal or percent-encoded text back to plain text.",
      request: Type.Object(
        { text: Text, encoding: Type.Enum(ENCODINGS, { description: "How it was encoded" }) },
        { additionalProperties: false },
      ),
      response: Type.Object({ text: Type.String() }),
      answer: ({ text, encoding }) => {
        try {
          return { text: decode(text, encoding) };
        } catch {
          throw new Error(`invalid_request: the text is not ${encoding} of UTF-8 text`);
        }
      },
    }),
    offer({
      id: "text::extract",
      description: "Pull all e-mail addresses, links, numbers or hashtags out of a text.",
      request: Type.Object(
        { text: Text, kind: Type.Enum(["email", "url", "number", "hashtag"], { description: "What to look for" }) },
        { additionalProperties: false },
      ),
      response: Type.Object({ found: Type.Array(Type.String({ description: "In the order of the text, each once" })) }),
      answer: ({ text, kind }) => ({ found: [...new Set(text.match(FINDERS[kind as Kind]) ?? [])] }),
    }),
    offer({
      id: "text::fill-template",
      description: "Fill the {{placeholders}} of a template with values, for letters, messages and reports.",
      request: Type.Object(
        {
          template: Type.String({ maxLength: MOST_TEXT, description: "Text with {{name}} where a value belongs" }),
          values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
            description: "Value of each name",
          }),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ text: Type.String(), missing: Type.Array(Type.String({ description: "A name without a value" })) }),
      answer: ({ template, values }) => {
        const missing = new Set<string>();
        const text = template.replace(/\{\{\s{0,10}([\w.-]{1,100})\s{0,10}\}\}/g, (whole, name: string) => {
          if (Object.hasOwn(values, name)) return String(values[name]);
          missing.add(name);
          return whole;
        });
        return { text, missing: [...missing] };
      },
    }),
  ];
}
