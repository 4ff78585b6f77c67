/** Spec 02 §16.1 rows F1 to F7, §17 case 11, field faults F1, F3, F6 to F18, F23, F25: one parser, and nothing makes it throw. */
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { flagField, parseFrontmatter, readFrontmatter, splitFrontmatter, textField } from "../../domain/frontmatter.js";

const SPLITS: readonly [row: string, text: string, block: string | undefined, body: string][] = [
  ["F1", "# Title\nbody\n", undefined, "# Title\nbody\n"],
  ["F2", "---\nname: open-pr\n---\nThe body.\n", "name: open-pr", "The body.\n"],
  ["F3", "---\nname: x\ndescription: y\n---\n", "name: x\ndescription: y", ""],
  ["F4", "---\nfoo: bar\n---", "foo: bar", ""],
  ["F5", "---\nname: x\nbody without closing fence\n", undefined, "---\nname: x\nbody without closing fence\n"],
  ["F6", "# header\n---\nname: x\n---\nbody\n", undefined, "# header\n---\nname: x\n---\nbody\n"],
  ["F7", "---\r\nname: x\r\n---\r\nbody\r\n", "name: x\r", "body\r\n"],
  ["case 11, empty block", "---\n---\nbody", "", "body"],
  ["case 11, space behind the fence", "--- \ntitle: x\n---\n", undefined, "--- \ntitle: x\n---\n"],
  ["case 11, a rule later in the body", "---\na: b\n---\nx\n---\ny", "a: b", "x\n---\ny"],
  ["mixed line ends", "---\r\na: b\r\n---\r\nx\n---\ny", "a: b\r", "x\n---\ny"],
  ["field fault F3, byte order mark", "\uFEFF---\ntitle: Reef\n---\nText", "title: Reef", "Text"],
  ["field fault F6, no closing fence", "---\ntitle: Open end\n# Heading\ntext", undefined, "---\ntitle: Open end\n# Heading\ntext"],
  ["field fault F8, only the exact fence closes", "---\na: b\n----\n--- \n---\nx", "a: b\n----\n--- ", "x"],
  ["field fault F9, blank line before", "\n---\ntitle: Late\n---\nx", undefined, "\n---\ntitle: Late\n---\nx"],
  ["field fault F10, nothing behind", "---\ntitle: T\n---", "title: T", ""],
  ["closing fence with a CR at the end of the file", "---\na: b\n---\r", "a: b", ""],
];
for (const [row, text, block, body] of SPLITS) {
  test(`spec 02 §16.1 split ${row}`, () => {
    const split = splitFrontmatter(text);
    assert.equal([split.block, split.body], [block, body]);
  });
}

const FIELDS: readonly [row: string, block: string, field: string, expected: string | undefined][] = [
  ["a number keeps its text", "title: 1.0", "title", "1.0"],
  ["a date keeps its text", "title: 2024-01-02", "title", "2024-01-02"],
  ["field fault F13, a number as name", "name: 12306", "name", "12306"],
  ["field fault F14, yes is a word", "name: yes", "name", "yes"],
  ["null is nothing", "title: ~\nname: null", "title", undefined],
  ["a quoted null is a word", 'title: "null"', "title", "null"],
  ["an empty value is nothing", "title:", "title", undefined],
  ["a list is no title, the others stay", "title: [a]\nname: n", "name", "n"],
  ["a map is no title", "title: {a: b}", "title", undefined],
  ["comment", "title: x # not", "title", "x"],
  ["anchor and alias", "name: &a Alpha\ntitle: *a", "title", "Alpha"],
  ["field fault F17, folded block", "description: >-\n  Folded\n  text.\n\n  Second.", "description", "Folded text.\nSecond."],
  [
    "field fault F18, quotes inside a block",
    "description: |\n  Say \"hello\" and 'bye'.",
    "description",
    "Say \"hello\" and 'bye'.\n",
  ],
  ["CRLF", "title: x\r\nname: y\r", "name", "y"],
  [
    "field fault F1, colon in a value",
    "name: tide-tables\ndescription: Use when: planning\ntype: guide",
    "description",
    "Use when: planning",
  ],
  ["field fault F1, the keys around it", "name: tide-tables\ndescription: Use when: planning\ntype: guide", "type", "guide"],
  ["field fault F11, a key twice: the first", "description: one\ndescription: two\ntitle: Twice", "description", "one"],
  ["field fault F11, the other keys", "description: one\ndescription: two\ntitle: Twice", "title", "Twice"],
  ["field fault F12, a tab", "title: Tab\nmeta:\n\tkind: a", "title", "Tab"],
  ["not a map", "- a\n- b", "title", undefined],
  ["rescued quotes and comment", 'title: "In quotes" # c\nbroken: [a', "title", "In quotes"],
  [
    "field fault F23, far down",
    `${"x-key: value value value\n".repeat(0)}${Array.from({ length: 200 }, (_, n) => `k${n}: some words here`).join("\n")}\ntitle: Deep`,
    "title",
    "Deep",
  ],
  ["field fault F25, prototype keys", "__proto__:\n  title: Evil\nconstructor: x\ntitle: Good", "title", "Good"],
];
for (const [row, block, field, expected] of FIELDS) {
  test(`spec 02 §6.2 field: ${row}`, () => assert.is(textField(parseFrontmatter(block), field), expected));
}
test("field fault F25: no prototype was changed", () => assert.is(({} as { title?: string }).title, undefined));

const FLAGS: readonly [source: string, expected: boolean][] = [
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["true # not for models", true],
  ["false", false],
  ["yes", false],
  ["on", false],
  ["1", false],
  ['"true"', false],
  ["'true'", false],
  ['"false"', false],
  ["~", false],
  ["", false],
];
for (const [source, expected] of FLAGS) {
  test(`field faults F14 to F16: disable-model-invocation: ${source} is ${expected}`, () => {
    assert.is(flagField(parseFrontmatter(`disable-model-invocation: ${source}\ntitle: x`), "disable-model-invocation"), expected);
  });
}

test("a fault names the line in the file and one line of reason", () => {
  const { fault } = readFrontmatter("---\nname: x\ndescription: a: b\n---\nbody");
  assert.is(fault?.line, 3);
  assert.not.match(fault?.reason ?? "\n", /\n/);
});
test("lists keep their words, also when rescued", () => {
  for (const block of ["skills:\n  - a\n  - 'b'\n", "skills:\n  - a\n  - 'b'\nx: y: z\n"]) {
    const value = parseFrontmatter(block).fields.get("skills");
    assert.equal(value?.kind === "list" ? value.items.map((item) => (item.kind === "scalar" ? item.text : item.kind)) : value, [
      "a",
      "b",
    ]);
  }
});

test("any text: never throws, and body and block are parts of it", () => {
  const lines = fc.array(
    fc.constantFrom(
      "---",
      "--- ",
      "----",
      "a: b",
      "a: b: c",
      "\tx: y",
      "- i",
      "&a *a",
      "",
      "text",
      "key: |",
      "  more",
      "\uFEFF",
      "{",
      "[",
      "'",
      '"',
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(lines, fc.constantFrom("\n", "\r\n"), fc.string({ unit: "binary" }), (parts, end, tail) => {
      const text = parts.join(end) + tail;
      const { body, fields } = readFrontmatter(text);
      assert.ok(text.endsWith(body));
      assert.ok(fields instanceof Map);
    }),
    { numRuns: 500 },
  );
});

const HOSTILE: readonly [row: string, block: string][] = [
  [
    "alias bomb",
    `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
      .split("")
      .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[at]}`).join(",")}]`)
      .join("\n")}\ntitle: Bomb`,
  ],
  ["20 000 keys", `${Array.from({ length: 20_000 }, (_, n) => `k${n}: v`).join("\n")}\ntitle: Many`],
  ["deep nesting", `deep: ${"[".repeat(5_000)}${"]".repeat(5_000)}\ntitle: Deep`],
];
for (const [row, block] of HOSTILE) {
  test(`hostile YAML, ${row}: the title is read`, () =>
    assert.ok(["Bomb", "Many", "Deep"].includes(textField(parseFrontmatter(block), "title") ?? "")));
}

test.run();
