import { test } from "uvu";
import * as assert from "uvu/assert";
import { compareBytes, cutText, trimWhiteSpace } from "../../domain/text.js";

const CUTS: readonly (readonly [text: string, limit: number, cut: string])[] = [
  ["ação", 4, "aç"],
  ["ação", 5, "açã"],
  ["ab ", 10, "ab"],
  ["", 0, ""],
  ["🌊🌊", 7, "🌊"],
  ["abc", 0, ""],
  ["ab cd", 3, "ab"],
];
for (const [text, limit, cut] of CUTS) {
  test(`spec 05 §14 row 35: ${JSON.stringify(text)} cut at ${limit} bytes`, () => {
    assert.is(cutText(text, limit), cut);
  });
}

test("bytes, not UTF-16 units, order text", () => {
  const words = ["\u{1f30a}", "\uffee", "b", "a::b", "a", "Z", "é"];
  const bytes = [...words].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  assert.equal([...words].sort(compareBytes), bytes);
});

test("white space is what Unicode says: next line goes, the byte order mark stays", () => {
  assert.is(trimWhiteSpace("\u0085\u3000\t x y \u00a0\r\n"), "x y");
  assert.is(trimWhiteSpace("\ufeffx"), "\ufeffx");
  assert.is(trimWhiteSpace("  "), "");
});

test.run();
