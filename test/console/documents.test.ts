/** The pure parts of the directory page: frontmatter as text, drafts, hidden characters. Spec 07 §9.2–9.3, §10 UI, X4. */

import * as fc from "fast-check";
import { property, string } from "fast-check";
import { load } from "js-yaml";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { withKeysOf, withoutKeys } from "../../console/directory/managed-keys.js";
import { type Draft, draftDecision, parseDraft } from "../../console/drafts.js";
import { joinDocument, readList, readScalar, setFlag, setList, setScalar, splitDocument } from "../../console/frontmatter.js";
import { markedText, pieces } from "../../console/hidden-characters.js";

const SCALARS: readonly (readonly [what: string, yaml: string, value: string | undefined])[] = [
  ["plain", "name: A name", "A name"],
  ["plain with a comment", "name: A name # why", "A name"],
  ["double quoted", 'name: "a: \\"b\\""', 'a: "b"'],
  ["single quoted", "name: 'it''s'", "it's"],
  ["literal block", "name: |\n  one\n  two\nnext: 1", "one\ntwo"],
  ["folded block", "name: >-\n  one\n  two", "one two"],
  ["folded plain", "name: one\n  two", "one two"],
  ["quoted key", '"name": x', "x"],
  ["null", "name: ~", undefined],
  ["nothing", "name:", undefined],
  ["a list is no scalar", "name: [a]", undefined],
  ["another key that begins alike", "names: x", undefined],
  ["a nested key", "outer:\n  name: x", undefined],
];
for (const [what, yaml, value] of SCALARS) {
  for (const newline of ["\n", "\r\n"]) {
    test(`spec 07 §9.3 reads a scalar: ${what}, ${JSON.stringify(newline)}`, () => {
      assert.is(readScalar(`---\n${yaml}\n---\nname: body\n`.replaceAll("\n", newline), "name"), value);
    });
  }
}

const LISTS: readonly (readonly [what: string, yaml: string, value: string[] | undefined])[] = [
  ["inline", "skills: [a, 'b, c', \"d\"]", ["a", "b, c", "d"]],
  ["block", "skills:\n  - a\n  - 'b'", ["a", "b"]],
  ["block without indent", "skills:\n- a\n- b\nnext: 1", ["a", "b"]],
  ["inline over two lines", "skills: [a,\n  b]", ["a", "b"]],
  ["empty", "skills: []", []],
  ["absent", "other: [a]", undefined],
];
for (const [what, yaml, value] of LISTS) {
  test(`spec 07 §9.3 reads a list: ${what}`, () => assert.equal(readList(`---\n${yaml}\n---\n`, "skills"), value));
}

test("spec 07 §9.3: setting and removing a key leaves every other byte, in LF and CRLF", () => {
  for (const newline of ["\n", "\r\n"]) {
    const text = "---\n# top\nname:   Old  \nname2: 'x'\nskills:\n  - a\n\nlast: 1\n---\nbody\n---\nname: no\n".replaceAll(
      "\n",
      newline,
    );
    assert.is(setScalar(text, "name", "New"), text.replace("name:   Old  ", "name: New"));
    assert.is(setScalar(text, "name2", undefined), text.replace(`name2: 'x'${newline}`, ""));
    assert.is(setList(text, "skills", []), text.replace(`skills:${newline}  - a${newline}`, ""));
    assert.is(setFlag(text, "flag", true), text.replace(`last: 1${newline}`, `last: 1${newline}flag: true${newline}`));
    assert.is(setScalar(text, "missing", undefined), text);
  }
});

test("a document without a block gets one with the first key, and keeps its body", () => {
  assert.is(setScalar("# Body\n", "title", "T"), "---\ntitle: T\n---\n# Body\n");
  assert.is(setScalar("# Body\n", "title", undefined), "# Body\n");
  assert.is(setScalar("---\nnever closed\n", "title", "T"), "---\ntitle: T\n---\n---\nnever closed\n");
});

test("property: what is split is joined again byte by byte; a text that is set is read back, by us and by YAML", () => {
  fc.assert(property(string(), (text) => joinDocument(splitDocument(text)) === text));
  const printable = string({ unit: "grapheme" }).filter((value) => value !== "" && !/[\p{C}\u0085\u2028\u2029]/u.test(value));
  fc.assert(
    property(printable, (value) => {
      const text = setScalar("---\na: 1\n---\nbody", "title", value);
      const yaml = load(splitDocument(text).lines?.join("\n") ?? "") as Record<string, unknown>;
      return readScalar(text, "title") === value && yaml["title"] === value && splitDocument(text).body === "body";
    }),
  );
});

test("spec 07 §11 row 57: the editor shows a document without the fields' keys, and they come back with each change", () => {
  const text = "---\ntitle: T\ntype: x\ndescription: |\n  a\n  b\n---\nbody";
  const keys = ["title", "description"];
  assert.is(withoutKeys(text, keys), "---\ntype: x\n---\nbody");
  assert.is(withKeysOf(text, keys, "---\ntype: y\n---\nnew"), "---\ntitle: T\ndescription: |\n  a\n  b\ntype: y\n---\nnew");
  assert.is(withKeysOf("---\ntitle: T\n---\nbody", keys, "new"), "---\ntitle: T\n---\nnew");
  assert.is(withKeysOf("body", keys, "---\ntitle: typed\n---\nb"), "---\ntitle: typed\n---\nb");
});

const DRAFTS: readonly (readonly [string | null, Draft | undefined])[] = [
  [JSON.stringify({ creating: true, key: "a", content: "c" }), { creating: true, key: "a", content: "c" }],
  [JSON.stringify({ content: "c" }), { creating: false, key: "", content: "c" }],
  [JSON.stringify({ key: 1, creating: "yes", content: "" }), { creating: false, key: "", content: "" }],
  [JSON.stringify({ key: "a" }), undefined],
  ["{", undefined],
  ["null", undefined],
  ["3", undefined],
  [null, undefined],
];
for (const [stored, draft] of DRAFTS) {
  test(`spec 07 §10 UI drafts: ${stored}`, () => assert.equal(parseDraft(stored), draft));
}

test("spec 07 §10 UI drafts: write, clear, keep", () => {
  const open = { creating: false, key: "a", content: "new", baseline: "old" };
  assert.equal(draftDecision(open), { creating: false, key: "a", content: "new" });
  assert.is(draftDecision({ ...open, content: "old" }), "clear");
  assert.is(draftDecision({ ...open, baseline: undefined }), "keep");
  assert.is(draftDecision({ ...open, key: undefined }), "clear");
  assert.equal(draftDecision({ ...open, creating: true, baseline: undefined }), { creating: true, key: "a", content: "new" });
});

const HIDDEN: readonly (readonly [string, string])[] = [
  ["pay\u200Bload", "pay⟨U+200B⟩load"],
  ["a\u202Eb\u202C", "a⟨U+202E⟩b⟨U+202C⟩"],
  ["\u{E0041}\u{E0042}", "⟨U+E0041⟩⟨U+E0042⟩"],
  ["\uFEFFx\u2060y\u00ADz", "⟨U+FEFF⟩x⟨U+2060⟩y⟨U+00AD⟩z"],
  ["a\u0007b\u001B[1m", "a⟨U+0007⟩b⟨U+001B⟩[1m"],
  ["a\u200Db", "a⟨U+200D⟩b"],
  ["👩\u200D🚀 👨\u200D👩\u200D👧", "👩\u200D🚀 👨\u200D👩\u200D👧"],
  ["tab\tline\nçé漢字 العربية", "tab\tline\nçé漢字 العربية"],
];
for (const [text, marked] of HIDDEN) {
  test(`X4: ${JSON.stringify(marked)}`, () => {
    assert.is(markedText(text), marked);
    assert.is(pieces(text).join(""), text);
  });
}

test.run();
