import { test } from "uvu";
import * as assert from "uvu/assert";
import { queryTerms, stripJsonKeys, tokenize } from "../../domain/tokenizer.js";

const TERMS: readonly (readonly [text: string, terms: string])[] = [
  ["presignUrl", "presign url presignurl"],
  ["s3Bucket", "s3 bucket s3bucket"],
  ["HTTPServer", "httpserver"],
  ["state::compare-and_set/x", "state compare set x"],
  ["queries repos status redis processes buses class ties its", "query repo status redis processe buse class tie its"],
  ["yes is as gas", "yes gas"],
  ["The A an AND with To", ""],
  ["café naïve 法令", "caf na ve"],
  ["e-mail, v1.2!", "e mail v1 2"],
  ["aB1C", "b1 c ab1c"],
  ["", ""],
];
for (const [text, terms] of TERMS) {
  test(`spec 05 §4.3: terms of ${JSON.stringify(text)}`, () => {
    assert.equal(tokenize(text).join(" "), terms);
  });
}

const KEYS: readonly (readonly [query: string, stripped: string])[] = [
  ['{"path": "a b", "n": 1}', '{ "a b",  1}'],
  ['say "hello" twice', 'say "hello" twice'],
  ['"key"  :value', "value"],
  ['"a\\"b": x', " x"],
  ['open "quote: x', 'open "quote: x'],
  ["plain", "plain"],
];
for (const [query, stripped] of KEYS) {
  test(`spec 05 §4.4: keys of ${query}`, () => {
    assert.is(stripJsonKeys(query), stripped);
  });
}

test("spec 05 §4.7: query terms are a set, in one order", () => {
  assert.equal(queryTerms("write a note, write notes"), ["note", "write"]);
  assert.equal(queryTerms("to the of and"), []);
});

test.run();
