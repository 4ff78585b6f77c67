/** Spec 03 §8.7, §11 "Scanning and parsing" row 1, §12.1 to 12.8, field faults U6 to U8: the rewrite of one field and of nothing else. */
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readAgentProfile } from "../../domain/agent-profile.js";
import { functionsSource, RewriteRefused, rewriteFunctions } from "../../domain/functions-field.js";
import { InvalidContent } from "../../domain/strict-fields.js";

const file = (yaml: string, body = "Body.\n"): string => `---\n${yaml}---\n${body}`;
const functions = (text: string): readonly string[] => readAgentProfile(text).functions;
/** As the worker does it: what it changed itself can be changed back. */
function edit(text: string, next: readonly string[], kept: Map<string, string>): string {
  const before = functionsSource(text);
  const rewritten = rewriteFunctions(text, next, kept.get(JSON.stringify(next)));
  if (before !== undefined) kept.set(JSON.stringify(functions(text)), before);
  return rewritten;
}
const addAndRemove = (text: string, ids: readonly string[]): string => {
  const kept = new Map<string, string>();
  const before = functions(text);
  return edit(edit(text, [...before, ...ids], kept), before, kept);
};

const LISTS: readonly [what: string, yaml: string, next: readonly string[], expected: string][] = [
  ["absent key", "name: a # mine\nskills: [x, y]\n", ["a::b"], "name: a # mine\nskills: [x, y]\nfunctions:\n  - a::b\n"],
  ["needs quotes", "name: a\n", ["needs#quote", "a::b"], 'name: a\nfunctions:\n  - "needs#quote"\n  - a::b\n'],
  [
    "block present",
    "name: a\nfunctions:\n  - a::b\nmodel: m\n",
    ["a::b", "c::d"],
    "name: a\nfunctions:\n  - a::b\n  - c::d\nmodel: m\n",
  ],
  [
    "flow mid-block",
    "name: a\nfunctions: [a::b, 'c::d']\nmodel: m\n",
    ["a::b", "c::d", "e"],
    "name: a\nfunctions:\n  - a::b\n  - c::d\n  - e\nmodel: m\n",
  ],
  ["emptied", "name: a\nfunctions: [a::b]\nmodel: m\n", [], "name: a\nmodel: m\n"],
  ["prefix key", "name: a\nfunctions_extra: [z]\n", ["a"], "name: a\nfunctions_extra: [z]\nfunctions:\n  - a\n"],
  [
    "§12.1 zero indent",
    "name: a\nfunctions:\n- a\n- b\nmodel: m\n",
    ["a", "b", "c"],
    "name: a\nfunctions:\n- a\n- b\n- c\nmodel: m\n",
  ],
  ["§12.1 zero indent, one gone", "name: a\nfunctions:\n- a\n- b\nmodel: m\n", ["b"], "name: a\nfunctions:\n- b\nmodel: m\n"],
  ["§12.1 zero indent, all gone", "name: a\nfunctions:\n- a\n- b\nmodel: m\n", [], "name: a\nmodel: m\n"],
  [
    "§12.1 flow closed at column 0",
    "name: a\nfunctions: [\n  a,\n  b # ]\n]\nmodel: m\n",
    ["a"],
    "name: a\nfunctions:\n  - a\nmodel: m\n",
  ],
  ["§12.1 flow over three lines, all gone", "name: a\nfunctions: [a,\n  b,\n  c]\nmodel: m\n", [], "name: a\nmodel: m\n"],
  ["§12.2 comment between entries", "skills:\n  - s\nfunctions:\n  - a\n# note\n  - b\nname: n\n", [], "skills:\n  - s\nname: n\n"],
  [
    "§12.2 comment survives",
    "name: n\nfunctions:\n  - a # why\n# note\n  - b\n# next\n",
    ["b"],
    "name: n\nfunctions:\n# note\n  - b\n# next\n",
  ],
  ["§12.5 quoted key", 'name: n\n"functions": [a]\n', ["a", "b"], "name: n\nfunctions:\n  - a\n  - b\n"],
  ["§12.5 blank before the colon", "name: n\nfunctions : [a]\n", [], "name: n\n"],
  ["§12.5 empty value", "functions:\nname: n\n", ["a"], "functions:\n  - a\nname: n\n"],
  [
    "§12.5 only behind a block scalar",
    "name: n\ndescription: |+\n  text\n\n",
    ["a"],
    "name: n\ndescription: |+\n  text\n\nfunctions:\n  - a\n",
  ],
  [
    "§12.5 last key after a comment",
    "name: n\nfunctions: # mine\n  - a\n\n# end\n",
    ["a", "b"],
    "name: n\nfunctions: # mine\n  - a\n  - b\n\n# end\n",
  ],
  [
    "§12.6 fake field in a quoted text",
    'name: n\ndescription: "x\n\n  functions: no"\n',
    ["a"],
    'name: n\ndescription: "x\n\n  functions: no"\nfunctions:\n  - a\n',
  ],
  [
    "§8.7 quoted text at column 0",
    'name: n\ndescription: "x\nfunctions: [no]\nend"\n',
    ["a"],
    'name: n\ndescription: "x\nfunctions: [no]\nend"\nfunctions:\n  - a\n',
  ],
  ["§12.8 duplicates", "name: n\nfunctions: [a, a]\n", [], "name: n\n"],
  ["§12.8 duplicates in a block", "name: n\nfunctions:\n  - a\n  - b\n  - a\n", ["b"], "name: n\nfunctions:\n  - b\n"],
  [
    "multi-line entries",
    "name: n\nfunctions:\n  - 'a'\n  - |-\n    b\n",
    ["a", "b", "c"],
    "name: n\nfunctions:\n  - a\n  - b\n  - c\n",
  ],
];
for (const [what, yaml, next, expected] of LISTS) {
  test(`spec 03 §11 scanning, row 1, ${what}`, () => {
    assert.is(rewriteFunctions(file(yaml), next), file(expected));
    if (next.length > 0) assert.equal(functions(file(expected)), next);
  });
}

for (const [what, text] of [
  ["none", "Text.\n"],
  ["empty", "---\n---\nText\n"],
  ["unclosed", "---\nname: a\n"],
] as const) {
  test(`spec 03 §11 scanning, row 1: no frontmatter (${what})`, () => {
    assert.throws(
      () => rewriteFunctions(text, ["a"]),
      (error: unknown) => error instanceof InvalidContent && /missing YAML/.test(error.message),
    );
  });
}

for (const [what, yaml] of [
  ["one flow map", "{name: n, functions: [a]}\n"],
  ["all keys indented", "  name: n\n  model: m\n"],
  ["an anchor that is used", "name: n\nfunctions: &l [a]\nskills: *l\n"],
  ["an anchor of an entry that is used", "name: n\nfunctions:\n  - &l a\nmodel: *l\n"],
  ["an explicit key", "name: n\n? functions\n: - a\n"],
] as const) {
  test(`spec 03 §8.7: refused rather than touching another byte: ${what}`, () => {
    assert.throws(
      () => rewriteFunctions(file(yaml), ["a", "b"]),
      (error: unknown) => error instanceof RewriteRefused,
    );
  });
}

test("spec 03 §12.4: CR LF, a fence at the end, mixed line ends, no newline at the end of the body", () => {
  const crlf = "---\r\nname: n\r\nfunctions: [a]\r\n---\r\nBody.\r\n";
  assert.is(rewriteFunctions(crlf, ["a", "b"]), "---\r\nname: n\r\nfunctions:\r\n  - a\r\n  - b\r\n---\r\nBody.\r\n");
  assert.is(rewriteFunctions("---\nname: n\n---", ["a"]), "---\nname: n\nfunctions:\n  - a\n---");
  assert.is(rewriteFunctions("---\nname: n\r\n---\nx", ["a"]), "---\nname: n\r\nfunctions:\r\n  - a\r\n---\nx");
  const mixed = "---\r\nname: n\nfunctions:\r\n  - a\r\n  - b\n---\nx";
  assert.is(rewriteFunctions(mixed, ["b"]), "---\r\nname: n\nfunctions:\r\n  - b\n---\nx");
});

test("spec 03 §12.6: the body may look like a field or a fence", () => {
  const body = "functions:\n  - no\n---\nfunctions: [x]\n---\n";
  const text = file("name: n\n", body);
  assert.is(rewriteFunctions(rewriteFunctions(text, ["a"]), []), text);
});

test("spec 03 §12.7: ids that YAML would read as something else are written, read again and equal", () => {
  const ids = [
    "null",
    "true",
    "123",
    "1e3",
    "0x10",
    "2024-01-01",
    "a#b",
    "a:",
    "-x",
    ":x",
    "é::x",
    'q"u',
    "b\\s",
    "~",
    "yes",
    "[a]",
    "{",
    "*a",
    "&a",
    "!a",
    "%",
    "@x",
    "`",
    "'",
    "\u0085x".slice(1),
    "a\u007fb",
    "\u{1F6A2}",
    "key: no".replace(" ", ""),
  ];
  const text = rewriteFunctions(file("name: n\n"), [...new Set(ids)]);
  assert.equal(functions(text), [...new Set(ids)]);
  for (const bare of ["null", "true", "123", "1e3", "yes"]) assert.ok(text.includes(`- "${bare}"\n`), bare);
  assert.ok(rewriteFunctions(file("name: n\n"), ["coder::tree"]).includes("  - coder::tree\n"));
});

test("field fault U6: keys nobody knows keep every byte", () => {
  const yaml = "x-team: blue\nname: n\nhidden: true # not ours\ncomposer_placeholder: 'ask'\n";
  assert.is(rewriteFunctions(file(yaml), ["a"]), file(`${yaml}functions:\n  - a\n`));
});

test("field fault U7: comments, single quotes, a flow list, CR LF: add and remove give the same bytes", () => {
  const text =
    "---\r\n# who\r\nname: 'n'   # quoted\r\nsince: 2024-01-02\r\nfunctions: [a::b, 'c::d'] # flow\r\nmodel: \"m\"\r\n---\r\nBody\r\n";
  assert.is(addAndRemove(text, ["e::f"]), text);
});

test("field fault U8: a folded description keeps its form", () => {
  const text = file("name: n\ndescription: >\n  Folded\n  text.\n\n  Second.\nfunctions: []\n");
  assert.is(addAndRemove(text, ["a", "b"]), text);
  assert.ok(rewriteFunctions(text, ["a"]).includes("description: >\n  Folded\n  text.\n\n  Second.\n"));
});

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,7}$/);
const id = fc.oneof(
  fc.tuple(word, word).map(([worker, verb]) => `${worker}::${verb}`),
  fc.stringMatching(/^[!-~]{1,10}$/),
  fc.constantFrom("null", "é::x", "-x", "a:", "123"),
);
const scalar = fc.oneof(
  word,
  word.map((text) => `'${text}''s'`),
  word.map((text) => `"${text} \\u00e9 # no comment"`),
  word.map((text) => `${text} # comment`),
  word.map((text) => `|\n  ${text}\n    deeper\n\n  functions: no`),
  word.map((text) => `>-\n  ${text}\n  folded`),
  word.map((text) => `|+\n  ${text}\n\n`),
  fc.constantFrom(
    "2024-01-01",
    "1.10",
    "~",
    "[x, 'y']",
    "{a: {b: c}}",
    "\n  - x\n# between\n  - y",
    "\n- zero\n- indent",
    "\n  nested:\n    functions: [z]",
  ),
);
const field = fc
  .tuple(fc.uniqueArray(id, { maxLength: 4 }), fc.constantFrom("block", "zero", "flow", "wide", "quoted", "absent"))
  .map(([ids, style]) => {
    const items = ids.map((entry) => `'${entry.replaceAll("'", "''")}'`);
    if (style === "absent") return [];
    if (ids.length === 0) return ["functions: []"];
    if (style === "flow") return [`functions: [${items.join(", ")}] # list`];
    if (style === "wide") return [`functions: [\n${items.map((item) => `  ${item}, # one\n`).join("")}]`];
    if (style === "quoted") return [`"functions":\n${items.map((item) => `    - ${item}`).join("\n")}`];
    const indent = style === "zero" ? "" : "  ";
    return [`functions:\n${items.map((item) => `${indent}- ${item}   # why`).join("\n# between\n")}`];
  });
const profile = fc
  .tuple(
    fc.uniqueArray(fc.tuple(word, scalar), { selector: ([key]) => key, maxLength: 6 }),
    field,
    fc.nat(),
    fc.constantFrom("\n", "\r\n"),
    fc.constantFrom("", "Body.\n", "functions:\n- no\n---\nmore", "\n\n"),
    fc.boolean(),
  )
  .map(([keys, own, position, lineBreak, body, comment]) => {
    const lines = keys
      .filter(([key]) => !["name", "functions", "logo", "icon", "color", "skills", "model", "extends", "description"].includes(key))
      .map(([key, value]) => `${key}: ${value}`.replace(": \n", ":\n"));
    lines.splice(position % (lines.length + 1), 0, ...own);
    const yaml = ["name: n", ...(comment ? ["# a comment: of its own", ""] : []), ...lines].join("\n");
    return `---\n${yaml}\n---\n${body}`.replaceAll("\n", lineBreak);
  });

test("spec 03 §12.3: whatever the profile, adding and removing gives the same bytes, and nothing else changes meanwhile", () => {
  fc.assert(
    fc.property(profile, fc.uniqueArray(id, { minLength: 1, maxLength: 4 }), (text, ids) => {
      const before = functions(text);
      const fresh = ids.filter((entry) => !before.includes(entry));
      if (fresh.length === 0) return;
      const added = rewriteFunctions(text, [...before, ...fresh]);
      assert.equal(functions(added), [...before, ...fresh]);
      const source = functionsSource(text);
      const start = source === undefined ? added.indexOf(functionsSource(added) ?? "") : text.indexOf(source);
      const tail = text.length - start - (source?.length ?? 0);
      assert.is(added.slice(0, start), text.slice(0, start));
      assert.is(added.slice(added.length - tail), text.slice(text.length - tail));
      assert.is(addAndRemove(text, fresh), text);
    }),
    { numRuns: 2_000 },
  );
});

test("spec 03 §12.3: without a list, and with a block list, the file alone is enough to come back", () => {
  fc.assert(
    fc.property(profile, fc.uniqueArray(id, { minLength: 1, maxLength: 4 }), (text, ids) => {
      const before = functions(text);
      const source = functionsSource(text);
      const fresh = ids.filter((entry) => !before.includes(entry));
      if (fresh.length === 0 || (source !== undefined && /^"?functions"?: *\[/.test(source))) return;
      assert.is(rewriteFunctions(rewriteFunctions(text, [...before, ...fresh]), before), text);
    }),
    { numRuns: 1_000 },
  );
});

const TOKENS = [
  "functions",
  ":",
  " ",
  "\n",
  "- ",
  "  ",
  "[",
  "]",
  "{",
  "}",
  ",",
  "'",
  '"',
  "#",
  " # ",
  "&a ",
  "*a",
  "!!str ",
  "|",
  ">-",
  "? ",
  "a",
  "b::c",
  "\t",
  "\r",
  "\r\n",
  "~",
  "%",
  "\u2028",
  "...",
];
const broken = fc
  .tuple(profile, fc.array(fc.tuple(fc.nat(), fc.constantFrom(...TOKENS), fc.nat({ max: 3 })), { maxLength: 3 }))
  .map(([text, edits]) =>
    edits.reduce((given, [at, token, cut]) => {
      const place = at % (given.length + 1);
      return given.slice(0, place) + token + given.slice(place + cut);
    }, text),
  );

test("spec 03 §8.7: whatever stands in a block that is read, the list is changed as meant or refused, and the body stays", () => {
  let [changed, refused] = [0, 0];
  fc.assert(
    fc.property(broken, id, (text, entry) => {
      let before: readonly string[];
      try {
        before = functions(text);
      } catch (error) {
        assert.ok(error instanceof InvalidContent, String(error));
        return;
      }
      const next = before.includes(entry) ? before.filter((kept) => kept !== entry) : [...before, entry];
      try {
        const after = rewriteFunctions(text, next);
        assert.equal(functions(after), next);
        const { functions: _, ...others } = readAgentProfile(after);
        const { functions: __, ...same } = readAgentProfile(text);
        assert.equal(others, same);
        changed++;
      } catch (error) {
        assert.ok(error instanceof RewriteRefused, String(error));
        refused++;
      }
    }),
    { numRuns: 4_000 },
  );
  assert.ok(changed > 500 && changed > refused, `${changed} changed, ${refused} refused`);
});

test.run();
