/** Spec 02 §16.3, §16.6, §16.7: paths, ids, titles and descriptions, row by row. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { kindOfPath } from "../../domain/content-path.js";
import { readFrontmatter } from "../../domain/frontmatter.js";
import { displayedId, idOfPath, isId, normaliseId, resolveId } from "../../domain/skill-id.js";
import { firstHeading, firstParagraph, skillFields } from "../../domain/skill-text.js";
import { DirectoryError } from "../../protocol/errors.js";

const KINDS: readonly [row: string, paths: readonly string[], kind: ReturnType<typeof kindOfPath>][] = [
  ["C1", ["ns/a.md"], "skill"],
  ["C2", ["ns/prompts/a.md"], "command-prompt"],
  ["C3", ["system-prompts/a.md", "ns/system-prompts/a.md"], "system-prompt"],
  ["C4", ["system-prompts/prompts/a.md", "ns/prompts/system-prompts/a.md"], "system-prompt"],
  ["C5", ["promptsx/foo.md", "ns/prompts-extra/a.md", "system-promptsx/a.md", "prompts.md"], "skill"],
  ["C6", ["agents/captain.md", "ns/agents/captain.md"], "reserved-for-agents"],
  ["C7", ["ns/agents/prompts/a.md"], "command-prompt"],
  ["C8", ["system-prompts/agents/a.md"], "system-prompt"],
  ["C9", ["agentsx/a.md", "ns/agents-extra/a.md"], "skill"],
];
for (const [row, paths, kind] of KINDS) {
  test(`spec 02 §16.3 ${row}`, () =>
    assert.equal(
      paths.map(kindOfPath),
      paths.map(() => kind),
    ));
}

const NORMAL: readonly [row: string, input: string, id: string][] = [
  ["N1", "agent-memory/observe", "agent-memory/observe"],
  ["N2", "iii://agent-memory/observe", "agent-memory/observe"],
  ["N3", "  iii://foo  ", "foo"],
  ["N3", "\nfoo\t", "foo"],
  ["N6", "hello-worker/index.md", "hello-worker/index"],
  ["N7", "hello-worker/SKILLS.md", "hello-worker/index"],
  ["N8", "resend/emails/SKILLS.md", "resend/emails/index"],
  ["N9", "iii://hello-worker/index.md", "hello-worker/index"],
  ["N10", "hello-worker/index_md", "hello-worker/index_md"],
  ["N11", "iii://ns/SKILLS.md", "ns/index"],
  ["N12", "iii://resend/emails/SKILLS.md", "resend/emails/index"],
  ["N13", "iii://agent-memory", "agent-memory"],
  ["N13", "iii://agent-memory/index", "agent-memory/index"],
  ["N14", "hello-worker/SKILL.md", "hello-worker/index"],
  ["N15", "resend/emails/SKILL.md", "resend/emails/index"],
  ["only the name", "SKILL.md", "index"],
];
for (const [row, input, id] of NORMAL) {
  test(`spec 02 §16.6 ${row}: ${JSON.stringify(input)}`, () => assert.is(normaliseId(input, "call x"), id));
}
const REFUSED: readonly [row: string, input: string, says: RegExp][] = [
  ["N4", "", /^D111 invalid_input/],
  ["N4", "   ", /^D111 invalid_input/],
  ["N5", "https://example.com", /iii:\/\//],
  ["N5", "ftp://nope", /^D111/],
  ["a.md.md", "a.md.md", /^D111/],
  ["function id", "database::execute", /^D112 invalid_input.*FUNCTION id.*Next: call x/],
  ["§17 case 1", "../x", /^D111/],
  ["§17 case 1", "a/../b", /^D111/],
  ["§17 case 1", "..", /^D111/],
  ["§17 case 1", "%2e%2e/x", /^D111/],
  ["§17 case 1", "a\\b", /^D111/],
  ["§17 case 1", "/etc/passwd", /^D111/],
  ["§17 case 1", "iii:///x", /^D111/],
  ["§17 case 1", "iii://../x", /^D111/],
  ["§17 case 1", ".md", /^D111/],
  ["§17 case 1", "a\0b", /^D111/],
  ["§17 case 9", "ａ/b", /^D111/],
  ["field fault C3", "Coast/x", /^D111/],
  ["field fault C6", "coast/../../other/SKILL", /^D111/],
  ["field fault C6", "iii://coast/..%2f..%2fx", /^D111/],
];
for (const [row, input, says] of REFUSED) {
  test(`spec 02 §16.6 ${row}: ${JSON.stringify(input)} is refused`, () => {
    try {
      normaliseId(input, "call x");
      assert.unreachable();
    } catch (error) {
      assert.instance(error, DirectoryError);
      assert.match(`${(error as DirectoryError).code} ${(error as DirectoryError).message}`, says);
    }
  });
}
const GRAMMAR: readonly [row: string, ids: readonly string[], valid: boolean][] = [
  ["V1", ["brain", "agent_memory", "my-skill-1", "a"], true],
  ["V2", ["a/b", "a/b/c", "a/b/c/d/e", "resend/email/send"], true],
  ["V3", ["fn", "fn/anything", "docs/fn-reference", "a/fn/c"], true],
  ["V4", ["", "UpperCase", "with space", "with::colon"], false],
  ["V5", ["/a", "a/", "a//b"], false],
  ["V6", ["x".repeat(65), `ok/${"x".repeat(65)}`], false],
  ["V6", ["x".repeat(64)], true],
  ["V7", ["ab/".repeat(342)], false],
];
for (const [row, ids, valid] of GRAMMAR)
  test(`spec 02 §16.6 ${row}`, () =>
    assert.equal(
      ids.map(isId),
      ids.map(() => valid),
    ));

test("spec 02 §4: ids of files", () => {
  const paths = ["ns/SKILL.md", "ns/SKILLS.md", "SKILL.md", "ns/skill.md", "ns/a.md", "SKILL/a.md"];
  assert.equal(paths.map(idOfPath), ["ns/index", "ns/index", "index", "ns/skill", "ns/a", "SKILL/a"]);
});
test("spec 02 §16.6 D1: displayed ids", () => {
  const shown = ["iii-sandbox/index", "resend/emails/index", "database/iii-database/query", "index", "indexer/run"].map((id) =>
    displayedId(id, () => false),
  );
  assert.equal(shown, ["iii-sandbox", "resend/emails", "database/iii-database/query", "index", "indexer/run"]);
});
test("spec 02 §16.6 D2: a literal sibling keeps the long id", () => {
  const both = new Set(["sandbox", "sandbox/index"]);
  assert.equal(
    ["sandbox/index", "sandbox"].map((id) => displayedId(id, (other) => both.has(other))),
    ["sandbox/index", "sandbox"],
  );
});
test("spec 02 §5.3: exact first, then the overview, never a sibling", () => {
  const ids = new Set(["sandbox", "sandbox/index", "resend/emails/index"]);
  const resolved = ["sandbox", "sandbox/index", "resend/emails", "resend"].map((id) => resolveId(id, (other) => ids.has(other)));
  assert.equal(resolved, ["sandbox", "sandbox/index", "resend/emails/index", undefined]);
});

const HEADINGS: readonly [row: string, body: string, heading: string | undefined][] = [
  ["T1", "# my skill\n\nbody", "my skill"],
  ["T2", "## sub\n\nbody", undefined],
  ["indented", "   # deep #\n", "deep #"],
  ["no space", "#Title\n", undefined],
  ["CRLF", "# a\r\nb", "a"],
];
for (const [row, body, heading] of HEADINGS) test(`spec 02 §16.7 ${row}`, () => assert.is(firstHeading(body), heading));

const TITLES: readonly [row: string, text: string, title: string][] = [
  ["T3", "---\ntitle: From fm\n---\n# From body", "From fm"],
  ["T4", "---\ntitle: '   spaced   '\n---\nx", "spaced"],
  ["T5", "# Body H1\nx", "Body H1"],
  ["T6", "---\ntitle: ''\n---\n# Body", "Body"],
  ["T7", "plain", "the-id"],
  ["T8 name only", "---\nname: n\n---\nx", "n"],
  ["T8 both", "---\nname: n\ntitle: t\n---\nx", "t"],
  ["blank heading goes to the id", "# \n# Second", "the-id"],
];
for (const [row, text, title] of TITLES) {
  test(`spec 02 §16.7 ${row}`, () => {
    const frontmatter = readFrontmatter(text);
    assert.is(skillFields(frontmatter, frontmatter.body, "the-id").title, title);
  });
}
test("spec 02 §16.7 T9: blank values are null, others trimmed", () => {
  const typeOf = (value: string): string | null => skillFields(readFrontmatter(`---\ntype: ${value}\n---\nx`), "x", "id").type;
  assert.equal(["", "''", "'  '", "' how-to '"].map(typeOf), [null, null, null, "how-to"]);
});

const PARAGRAPHS: readonly [row: string, body: string, paragraph: string][] = [
  ["P1", "# t\n\nfirst line\nsecond line\n\nother", "first line second line"],
  ["P2", "# t\n## sub\n### deeper\ntext", "text"],
  ["P3", "# only", ""],
  ["P4", "> call-out\n\n# h\n\ntext", "text"],
  ["P5", "> a\n> b\n\ntext", "text"],
  ["P6", "> a\n# h\ntext", "text"],
  ["P7", "x".repeat(200), "x".repeat(200)],
  ["stops at a quote", "text\n> quote", "text"],
  ["U+0085 is white space", "\u0085\ntext", "text"],
];
for (const [row, body, paragraph] of PARAGRAPHS) test(`spec 02 §16.7 ${row}`, () => assert.is(firstParagraph(body), paragraph));

test.run();
