/** The example workers that keep nothing. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { calcOffers } from "../../examples/calc/functions.js";
import { csvOffers } from "../../examples/csv/functions.js";
import { textOffers } from "../../examples/text/functions.js";
import { asking, refusal } from "../harness/offers.js";

const ask = asking([...textOffers(), ...csvOffers(), ...calcOffers()]);

const ANSWERS: readonly [id: string, request: object, answer: object][] = [
  ["text::count", { text: "Two words. Or four?\n" }, { characters: 20, words: 4, sentences: 2, lines: 2, reading_minutes: 0 }],
  ["text::count", { text: "" }, { characters: 0, words: 0, sentences: 0, lines: 0, reading_minutes: 0 }],
  ["text::change-case", { text: "parse HTTP answer", to: "camel" }, { text: "parseHttpAnswer" }],
  ["text::change-case", { text: "parseHttpAnswer2Times", to: "snake" }, { text: "parse_http_answer2_times" }],
  ["text::change-case", { text: "grüß gott", to: "title" }, { text: "Grüß Gott" }],
  ["text::slug", { text: "Crème brûlée — à la carte!" }, { slug: "creme-brulee-a-la-carte" }],
  ["text::slug", { text: "one two", max_length: 4 }, { slug: "one" }],
  ["text::replace", { text: "a.b.c", find: ".", replacement: "$&" }, { text: "a$&b$&c", replaced: 2 }],
  ["text::sort-lines", { text: "b\na\n\nb", unique: true, drop_empty: true }, { text: "a\nb", lines: 2 }],
  ["text::sort-lines", { text: "b\na\nc", order: "descending" }, { text: "c\nb\na", lines: 3 }],
  ["text::compare", { before: "a\nb\nc", after: "a\nx\nc" }, { equal: false, added: 1, removed: 1, diff: "  a\n- b\n+ x\n  c" }],
  ["text::compare", { before: "a\nb", after: "b\na" }, { equal: false, added: 1, removed: 1, diff: "- a\n  b\n+ a" }],
  ["text::compare", { before: "same", after: "same" }, { equal: true, added: 0, removed: 0, diff: "  same" }],
  [
    "text::hash",
    { text: "abc" },
    { algorithm: "sha256", hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
  ],
  ["text::encode", { text: "ü", encoding: "base64" }, { text: "w7w=" }],
  ["text::encode", { text: "a b/\ud800", encoding: "url" }, { text: "a%20b%2F%EF%BF%BD" }],
  ["text::decode", { text: "w7w", encoding: "base64" }, { text: "ü" }],
  ["text::decode", { text: "c3bc", encoding: "hex" }, { text: "ü" }],
  ["text::extract", { text: "to a.b@c.example, and a.b@c.example!", kind: "email" }, { found: ["a.b@c.example"] }],
  ["text::extract", { text: "see <https://x.example/a?b=1>, 3 -4.5 v6", kind: "url" }, { found: ["https://x.example/a?b=1"] }],
  ["text::extract", { text: "3 apples, -4.5 degrees, v6 and 7th", kind: "number" }, { found: ["3", "-4.5"] }],
  [
    "text::fill-template",
    { template: "{{a}} {{ b }} {{c}}", values: { a: "{{b}}", b: 2 } },
    { text: "{{b}} 2 {{c}}", missing: ["c"] },
  ],
  ["text::fill-template", { template: "{{constructor}}", values: {} }, { text: "{{constructor}}", missing: ["constructor"] }],
  [
    "csv::to-json",
    { csv: 'a,b\r\n"x, ""y""",1\n\n"two\nlines",\n' },
    {
      columns: ["a", "b"],
      rows: [
        { a: 'x, "y"', b: "1" },
        { a: "two\nlines", b: "" },
      ],
    },
  ],
  ["csv::to-json", { csv: "\ufeffa;b\n1;", separator: ";" }, { columns: ["a", "b"], rows: [{ a: "1", b: "" }] }],
  ["csv::from-json", { rows: [{ a: 'q"' }, { b: null, a: 1 }] }, { csv: 'a,b\n"q""",\n1,', rows: 2 }],
  ["csv::filter-rows", { csv: "n,v\na,5\nb,50\nc,x", column: "v", test: "above", value: "9" }, { csv: "n,v\nb,50", rows: 1 }],
  ["csv::sort-rows", { csv: "v\n10\n9\nx", column: "v", descending: true }, { csv: "v\nx\n10\n9", rows: 3 }],
  ["csv::pick-columns", { csv: "a,b,c\n1,2,3", columns: ["c", "a"] }, { csv: "c,a\n3,1", rows: 1 }],
  [
    "csv::group-totals",
    { csv: "who,sum\nx,0.1\ny,1\nx,0.2\nx,n/a", group_by: "who", sum: "sum" },
    {
      groups: [
        { group: "x", count: 2, total: 0.3, average: 0.15 },
        { group: "y", count: 1, total: 1, average: 1 },
      ],
      skipped: 1,
    },
  ],
  ["calc::evaluate", { expression: "2 + 3 * 4 ^ 2 / 6 - -1" }, { result: 11 }],
  ["calc::evaluate", { expression: "-2^2 + 2^3^2" }, { result: 508 }],
  ["calc::evaluate", { expression: "max(1, sqrt(16), 2) % 3 + 0.1 + 0.2" }, { result: 1.3 }],
  ["calc::convert-unit", { value: 26.2, from: "mi", to: "km" }, { unit: "km", value: 42.1648128, quantity: "length" }],
  ["calc::convert-unit", { value: 212, from: "F", to: "C" }, { unit: "C", value: 100, quantity: "temperature" }],
  ["calc::convert-unit", { value: 36, from: "km/h", to: "m/s" }, { unit: "m/s", value: 10, quantity: "speed" }],
  [
    "calc::statistics",
    { numbers: [2, 4, 4, 4, 5, 5, 7, 9] },
    { count: 8, sum: 40, mean: 5, median: 4.5, minimum: 2, maximum: 9, standard_deviation: 2 },
  ],
  ["calc::random", { minimum: 3, maximum: 3, count: 2 }, { numbers: [3, 3] }],
];
for (const [id, request, answer] of ANSWERS) {
  test(`${id} ${JSON.stringify(request)}`, async () => {
    assert.equal(await ask(id, request), answer);
  });
}

const REFUSALS: readonly [id: string, request: object, says: RegExp][] = [
  ["text::count", {}, /^invalid_request: .* 'text'/],
  ["text::count", { text: "a", more: 1 }, /unknown field "more"/],
  ["text::decode", { text: "%%%", encoding: "base64" }, /is not base64/],
  ["text::decode", { text: "ff", encoding: "hex" }, /is not hex of UTF-8 text/],
  ["text::decode", { text: "%E0%A4%A", encoding: "url" }, /is not url/],
  ["text::replace", { text: "a".repeat(100_000), find: "a", replacement: "b".repeat(1000) }, /^too_large/],
  ["csv::to-json", { csv: "a,b\n1" }, /row 1 has 1 fields instead of 2/],
  ["csv::to-json", { csv: 'a\n"open' }, /a quote is never closed/],
  ["csv::to-json", { csv: 'a\n"x"y' }, /text after a closing quote/],
  ["csv::to-json", { csv: "a,a\n1,2" }, /two columns are called "a"/],
  ["csv::sort-rows", { csv: "a\n1", column: "z" }, /^not_found: there is no column "z"; there are a/],
  ["calc::evaluate", { expression: "1 / 0" }, /^undefined_result/],
  ["calc::evaluate", { expression: "2 +" }, /a number was expected at the end/],
  ["calc::evaluate", { expression: "process.exit(1)" }, /a number was expected where "process" stands/],
  ["calc::evaluate", { expression: "constructor(1)" }, /a number was expected/],
  ["calc::evaluate", { expression: "(".repeat(900) }, /levels of brackets/],
  ["calc::evaluate", { expression: "2 3" }, /an operator was expected/],
  ["calc::convert-unit", { value: 1, from: "kg", to: "km" }, /kg is a mass; it converts to/],
  ["calc::convert-unit", { value: 1, from: "toString", to: "km" }, /there is no unit|10 characters/],
  ["calc::random", { minimum: 2, maximum: 1 }, /minimum is larger/],
];
for (const [id, request, says] of REFUSALS) {
  test(`refused: ${id} ${JSON.stringify(request).slice(0, 60)}`, async () => {
    assert.match(await refusal(ask(id, request)), says);
  });
}

test("texts that differ in very many lines are refused rather than compared for minutes", async () => {
  const lines = (first: number): string => Array.from({ length: 3_000 }, (_, line) => `${first + line}`).join("\n");
  assert.match(await refusal(ask("text::compare", { before: lines(0), after: lines(10_000) })), /^too_large/);
  assert.is((await ask("text::compare", { before: lines(0), after: `${lines(0)}\nmore` })).added, 1);
});

test.run();
