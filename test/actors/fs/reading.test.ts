/** Spec 02 §16.4, §16.7 W, §16.8, §16.10 and field faults of SKILL.md files: what callers read. */
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Fallback, fallbackFor, fallbackNote, meantWorker } from "../../../actors/fs/fallback.js";
import { DirectoryError } from "../../../protocol/errors.js";
import type { GetSkillRequest, ListSkillsRequest, SkillDocument, SkillRow } from "../../../protocol/functions/skills.js";
import { type Content, type ContentOptions, content, write } from "../../harness/content.js";
import { newContext } from "../../harness/context.js";

type Files = Readonly<Record<string, string | Buffer>>;
const list = async ({ fs }: Content, request: ListSkillsRequest = {}): Promise<readonly SkillRow[]> =>
  (await fs.listSkills(request, newContext())).skills;
const get = ({ fs }: Content, request: GetSkillRequest): Promise<SkillDocument> => fs.getSkill(request, newContext());
const refused = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "answered",
    (error: unknown) => (error instanceof DirectoryError ? `${error.code} ${error.message}` : `foreign: ${String(error)}`),
  );
const row = async (files: Files, options?: ContentOptions): Promise<SkillRow | undefined> =>
  (await list(await content(files, options)))[0];

const BIG = "x".repeat(262_145);

const READERS: readonly [row: string, file: string | Buffer, says: RegExp][] = [
  ["R3 frontmatter only", "---\nname: x\n---\n", /empty body/],
  ["R4 too large", BIG, /too large/],
  ["not UTF-8", Buffer.from([0x23, 0x20, 0xff, 0xfe]), /not UTF-8/],
  ["field fault F4, UTF-16", Buffer.from("\uFEFF# Title\ntext", "utf16le"), /not UTF-8/],
  ["field fault F10", "---\ntitle: T\n---", /empty body/],
];
for (const [name, file, says] of READERS) {
  test(`spec 02 §16.4 ${name}: a plain error from get, a row in the list`, async () => {
    const skills = await content({ "skills/ns/a.md": file, "skills/ns/b.md": "# B\nb" });
    const error = await refused(get(skills, { id: "ns/a" }));
    assert.match(error, says);
    assert.not.match(error, /^D\d/);
    const rows = await list(skills);
    assert.equal(
      rows.map(({ id }) => id),
      ["ns/a", "ns/b"],
    );
    assert.is(rows[0]?.bytes, Buffer.byteLength(file));
    assert.equal([rows[0]?.type, rows[0]?.description], [null, ""]);
    assert.ok((await skills.fs.report({}, newContext())).faults.length > 0);
  });
}
test("spec 02 §2.3, §17 case 13: exactly 262 144 bytes with many-byte characters is served", async () => {
  const body = `# T\n${"é".repeat(131_070)}`;
  assert.is(Buffer.byteLength(body), 262_144);
  assert.is((await get(await content({ "skills/a.md": body }), { id: "a" })).body, body);
});
test("spec 02 §16.4 R5: a file that vanished after the scan", async () => {
  const skills = await content({ "skills/a.md": "# A\nx" });
  rmSync(skills.at("skills/a.md"));
  assert.match(await refused(get(skills, { id: "a" })), /^D110/);
});
test("field fault F10: the row of a file with nothing behind its frontmatter has its title", async () => {
  assert.is((await row({ "skills/a.md": "---\ntitle: T\n---" }))?.title, "T");
});

const ROWS: readonly [row: string, files: Files, expected: Partial<SkillRow>][] = [
  [
    "W1",
    { "skills/foo.md": "# My title\n\nFirst paragraph.\n" },
    { id: "foo", title: "My title", type: null, description: "First paragraph." },
  ],
  [
    "W2",
    { "skills/foo.md": "---\ntitle: T\ntype: how-to\n---\n# H\n\nPara.\n" },
    { title: "T", type: "how-to", description: "Para." },
  ],
  ["W3", { "skills/bare.md": "no heading at all\n" }, { title: "bare", description: "no heading at all" }],
  ["W5", { "skills/a.md": "---\ndescription: From fm\n---\nBody.\n" }, { description: "From fm" }],
  ["W6", { "skills/a.md": "---\ntitle: x\n---\nBody.\n" }, { description: "Body." }],
  [
    "W7",
    { "skills/sandbox/create.md": "---\nfunction_id: sandbox::create\ntype: how-to\n---\nx" },
    { id: "sandbox/create", function_id: "sandbox::create" },
  ],
  ["W8", { "skills/a.md": "x" }, { function_id: null }],
  ["W9", { "skills/a.md": "---\ndisable-model-invocation: true\n---\nx" }, { disable_model_invocation: true }],
  ["W9 absent", { "skills/a.md": "x" }, { disable_model_invocation: false }],
  ["W10", { "skills/iii-sandbox/index.md": "---\nname: n\ndescription: d\n---\nx" }, { id: "iii-sandbox", type: null }],
  ["R9", { "skills/a.md": "---\nnot: [valid yaml\n---\n# heading\n" }, { title: "heading" }],
  [
    "R10",
    { "skills/a.md": "---\nname: impeccable\ndescription: d\nversion: 4.0.4\n---\nx" },
    { title: "impeccable", description: "d" },
  ],
  ["B2", { "skills/ns/labelled.md": "# L\n\none\n\ntwo\n" }, { title: "L", description: "one", type: null }],
  ["B13", { "skills/ns-skills/SKILLS.md": "# x\ny" }, { id: "ns-skills" }],
  ["B14", { "skills/ns-nested/section/SKILLS.md": "# x\ny" }, { id: "ns-nested/section" }],
  [
    "field fault F1",
    {
      "skills/tide.md": "---\nname: tide-tables\ntitle: Tides\ndescription: Use when: planning\ntype: guide\n---\n# Tide tables\nx",
    },
    { title: "Tides", type: "guide", description: "Use when: planning" },
  ],
  ["field fault F3", { "skills/a.md": "\uFEFF---\ntitle: Reef\n---\nText" }, { title: "Reef" }],
  [
    "field fault F5",
    { "skills/a.md": "---\r\ntitle: Coast\r\ntype: guide\r\n---\r\n# H\r\n\r\nPara one\r\nmore" },
    { title: "Coast", type: "guide", description: "Para one more" },
  ],
  ["field fault F6", { "skills/a.md": "---\ntitle: Open end\n# Heading\ntext" }, { title: "Heading" }],
  ["field fault F13", { "skills/a.md": "---\nname: 12306\n---\nx" }, { title: "12306" }],
  [
    "field fault F14",
    { "skills/yes/SKILL.md": "---\nname: yes\ndisable-model-invocation: yes\n---\nx" },
    { id: "yes", title: "yes", disable_model_invocation: false },
  ],
  [
    "field fault F17",
    { "skills/a.md": "---\ndescription: >-\n  Folded\n  text.\n\n  Second.\n---\nx" },
    { description: "Folded text.\nSecond." },
  ],
  [
    "field fault F18",
    { "skills/a.md": "---\ndescription: |\n  Say \"hello\" and 'bye'.\n---\nx" },
    { description: "Say \"hello\" and 'bye'." },
  ],
  [
    "field fault F24",
    { "skills/a.md": `---\ndescription: ${"word ".repeat(1_000)}\n---\nx` },
    { description: "word ".repeat(1_000).trim() },
  ],
  ["lone surrogate by escape", { "skills/a.md": '---\ntitle: "a\\ud800b"\n---\nx' }, {}],
];
for (const [name, files, expected] of ROWS) {
  test(`spec 02 §16.7 ${name}`, async () => {
    const found = await row(files);
    for (const [field, value] of Object.entries(expected)) assert.equal(found?.[field as keyof SkillRow], value, field);
    assert.is(Object.keys(found ?? {}).length, 8);
    assert.ok((found?.bytes ?? 0) > 0 && found?.modified_at !== "");
    assert.not.match(JSON.stringify(found), /\\ud[89a-f]/);
  });
}
test("spec 02 §7: times are RFC 3339 in UTC with +00:00", async () => {
  assert.match(
    (await row({ "skills/a.md": "x" }))?.modified_at ?? "",
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(?:\d{3}){1,3})?\+00:00$/,
  );
});
test("field fault F12: a tab in one of five costs nobody a row", async () => {
  const files = Object.fromEntries([1, 2, 3, 4].map((n) => [`skills/s${n}.md`, "x"]));
  assert.is((await list(await content({ ...files, "skills/tab.md": "---\nmeta:\n\tkind: a\n---\nx" }))).length, 5);
});
test("field fault F2: what was repaired can be seen without the log, with its line", async () => {
  const skills = await content({ "skills/bad.md": "---\nname: x\ndescription: a: b\n---\nx", "skills/good.md": "x" });
  await list(skills);
  const { faults, skills: count } = await skills.fs.report({}, newContext());
  assert.is(count, 2);
  assert.equal(
    faults.map(({ path, line, kind }) => [path, line, kind]),
    [[skills.at("skills/bad.md"), 3, "repaired"]],
  );
});
test("field faults F11, F20, F21: the same fields everywhere, also the second time and under another id", async () => {
  const file = "---\ndescription: one\ndescription: two\ntitle: Twice\ntype: index\n---\n# H\nx";
  const skills = await content({ "skills/a/index.md": file, "skills/b/index.md": file });
  const both = [await list(skills), await list(skills)].flat();
  assert.equal([...new Set(both.map(({ title, description, type }) => [title, description, type].join("|")))], ["Twice|one|index"]);
  assert.is((await get(skills, { id: "a" })).title, "Twice");
  assert.match((await skills.fs.indexSkills({}, newContext())).body, /## Twice\n\none\n/);
  assert.is((await skills.fs.searchRows({}, newContext())).rows[0]?.description, "one");
});
test("field fault F22: rows are nobody's to change", async () => {
  const skills = await content({ "skills/a.md": "# A\nx" });
  const first = await list(skills);
  Object.assign(first[0] ?? {}, { title: "changed" });
  assert.is((await list(skills))[0]?.title, "A");
});

const FILTERS: readonly [row: string, request: ListSkillsRequest, ids: readonly string[]][] = [
  ["all", {}, ["a-b/x", "ns", "ns/a", "ns/z", "other"]],
  ["prefix of the id on disk", { prefix: "ns/" }, ["ns", "ns/a", "ns/z"]],
  ["prefix without slash", { prefix: "ns" }, ["ns", "ns/a", "ns/z"]],
  ["empty prefix", { prefix: "" }, ["a-b/x", "ns", "ns/a", "ns/z", "other"]],
  ["type", { type: "how-to" }, ["ns/a"]],
  ["empty type never matches", { type: "" }, []],
  ["search in the title, any case", { search: "ZEBRA" }, ["ns/z"]],
  ["search in the description", { search: "needle" }, ["other"]],
  ["descriptions that are left out are not searched", { search: "needle", include_description: false }, []],
  ["regular expression characters are text", { search: ".*" }, []],
  [
    "null is absent",
    { search: null, prefix: null, type: null, include_description: null },
    ["a-b/x", "ns", "ns/a", "ns/z", "other"],
  ],
  ["filters add up", { prefix: "ns/", search: "zebra", type: "how-to" }, []],
];
for (const [name, request, ids] of FILTERS) {
  test(`spec 02 §9 list, ${name}`, async () => {
    const skills = await content({
      "skills/ns/index.md": "# Ns\nx",
      "skills/ns/a.md": "---\ntype: how-to\n---\nx",
      "skills/ns/z.md": "# Zebra\nx",
      "skills/other.md": "has a needle",
      "skills/a-b/x.md": "x",
    });
    const rows = await list(skills, request);
    assert.equal(
      rows.map(({ id }) => id),
      ids,
    );
    if (request.include_description === false) assert.ok(rows.every(({ description }) => description === ""));
  });
}

const PAGES: Files = {
  "skills/sandbox/index.md": "---\ntitle: Sandbox\ntype: index\n---\n# Box\n\nOverview.\n",
  "skills/resend/emails/index.md": "# Emails\nbody",
  "skills/ns/doc.md": "---\ntitle: Doc\ntype: how-to\nfunction_id: ns::doc\n---\n# H1\ntext\n",
};
const GETS: readonly [row: string, files: Files, id: string, expected: Partial<SkillDocument>][] = [
  ["G1", PAGES, "ns/doc", { id: "ns/doc", title: "Doc", type: "how-to", body: "# H1\ntext\n" }],
  ["G3", { "skills/a.md": "# From H1\nx" }, "a", { title: "From H1", type: null }],
  ["G11", PAGES, "sandbox", { id: "sandbox", body: "# Box\n\nOverview.\n" }],
  ["G12", PAGES, "sandbox/index", { id: "sandbox", title: "Sandbox", type: "index" }],
  ["G14", PAGES, "resend/emails", { id: "resend/emails" }],
  [
    "G15",
    { "skills/sandbox.md": "root file", "skills/sandbox/index.md": "overview" },
    "sandbox",
    { id: "sandbox", body: "root file" },
  ],
  [
    "G15 the other",
    { "skills/sandbox.md": "root file", "skills/sandbox/index.md": "overview" },
    "sandbox/index",
    { id: "sandbox/index", body: "overview" },
  ],
  ["G16", PAGES, "ns/doc", { function_id: "ns::doc" }],
  ["G17", { "skills/a.md": "x" }, "a", { function_id: null }],
  ["B7", { "skills/ns/prefixed.md": "x" }, "iii://ns/prefixed", { id: "ns/prefixed" }],
  ["B15", { "skills/ns-path/lookup.md": "x" }, "ns-path/lookup.md", { id: "ns-path/lookup" }],
  ["B16", { "skills/ns-skills-get/SKILLS.md": "x" }, "ns-skills-get/SKILLS.md", { id: "ns-skills-get" }],
  ["B17", { "skills/ns-combo/lookup.md": "x" }, "iii://ns-combo/lookup.md", { id: "ns-combo/lookup" }],
];
for (const [name, files, id, expected] of GETS) {
  test(`spec 02 §16.8 ${name}`, async () => {
    const document = await get(await content(files), { id });
    for (const [field, value] of Object.entries(expected)) assert.equal(document[field as keyof SkillDocument], value, field);
    assert.equal(Object.keys(document).sort(), [
      "body",
      "disable_model_invocation",
      "function_id",
      "id",
      "modified_at",
      "path",
      "title",
      "type",
    ]);
  });
}
test("spec 02 §16.8 G2: raw is the whole file, only when asked for", async () => {
  const skills = await content(PAGES);
  const { raw, body } = await get(skills, { id: "ns/doc", raw: true });
  assert.is(raw, PAGES["skills/ns/doc.md"]);
  assert.not.match(body, "---");
  for (const asked of [undefined, null, false] as const)
    assert.not.ok("raw" in (await get(skills, { id: "ns/doc", ...(asked === undefined ? {} : { raw: asked }) })));
});
for (const [name, text] of [
  ["byte order mark", "\uFEFF---\ntitle: x\n---\nbody"],
  ["CRLF", "---\r\ntitle: x\r\n---\r\nbody\r\n"],
  ["lone CR, U+2028, no newline at the end", "# a\rb\u2028c"],
] as const) {
  test(`spec 02 §17 case 10: raw and update round-trip the bytes, ${name}`, async () => {
    const skills = await content({ "skills/a.md": text });
    const { raw = "" } = await get(skills, { id: "a", raw: true });
    assert.is(raw, text);
    await skills.fs.updateSkill({ id: "a", content: raw }, newContext());
    assert.is((await get(skills, { id: "a", raw: true })).raw, text);
  });
}
test("spec 02 §16.10 B8: every get reads the disk", async () => {
  const skills = await content({ "skills/a.md": "first body!" });
  assert.is((await get(skills, { id: "a" })).body, "first body!");
  writeFileSync(skills.at("skills/a.md"), "other body!");
  assert.is((await get(skills, { id: "a" })).body, "other body!");
});

const MISSES: readonly [row: string, files: Files, id: string, says: readonly RegExp[], never?: RegExp][] = [
  [
    "G4",
    {},
    "sandbox/create",
    [/^D110 not_found:/, /"sandbox\/create"/, /directory::skills::list/, /directory::skills::index/],
    /Did you mean/,
  ],
  ["G5", {}, "database::execute", [/^D112 invalid_input:/, /FUNCTION id/, /directory::skills::list/]],
  ["G5", {}, "shell::fs::mv", [/^D112 invalid_input:/, /FUNCTION id/]],
  [
    "G6",
    { "skills/sandbox/skills/sandbox/exec.md": "x" },
    "sandbox/exec",
    [/^D110/, /Did you mean: sandbox\/skills\/sandbox\/exec/],
  ],
  [
    "G7",
    { "skills/sandbox/skills/sandbox/exec.md": "x", "skills/sandbox/skills/legacy/exec.md": "x" },
    "sandbox/exec",
    [/sandbox\/skills\/sandbox\/exec/, /sandbox\/skills\/legacy\/exec/],
  ],
  [
    "G8",
    { "skills/iii/skills/iii/quick-reference.md": "x", "skills/iii/index.md": "x", "skills/sandbox/index.md": "x" },
    "iii/skills/sandbox/index",
    [/Did you mean: sandbox,/],
  ],
  ["G9", {}, "anything", [/^D110/], /Did you mean/],
  ["G13", { "skills/sandbox/index.md": "x" }, "sandbox/exec", [/not_found.*"sandbox\/exec"/]],
  ["a slip of the keyboard", { "skills/sandbox/index.md": "x" }, "sandbx", [/Did you mean: sandbox/]],
  ["B10", {}, "https://example.com", [/iii:\/\//]],
];
for (const [name, files, id, says, never] of MISSES) {
  test(`spec 02 §16.8 ${name}: ${id} is missed`, async () => {
    const error = await refused(get(await content(files), { id }));
    for (const pattern of says) assert.match(error, pattern);
    if (never !== undefined) assert.not.match(error, never);
  });
}

const set = (...names: string[]): Set<string> => new Set(names);
const overviewOf = (found: Fallback | undefined): string | undefined => (found?.kind === "overview" ? found.id : undefined);
const OVERVIEWS: readonly [
  row: string,
  installed: Set<string>,
  visible: Set<string>,
  missed: string,
  overview: string | undefined,
][] = [
  ["O1", set("iii-sandbox"), set("iii-sandbox/index", "iii/index"), "iii-sandbox/sandbox/create", "iii-sandbox/index"],
  ["O1", set("iii-sandbox"), set("iii-sandbox/index", "iii/index"), "iii-sandbox/create", "iii-sandbox/index"],
  ["O2", set("iii-sandbox"), set("iii-sandbox/index", "iii/index"), "sandbox", "iii-sandbox/index"],
  ["O2", set("iii-sandbox"), set("iii-sandbox/index", "iii/index"), "sandbox/create", "iii-sandbox/index"],
  ["O2", set("iii-sandbox"), set("iii-sandbox/index", "iii/index"), "Sandbox", "iii-sandbox/index"],
  ["O3", set("agent-memory"), set("agent-memory/index"), "memory", "agent-memory/index"],
  ["O4", set("iii-foobar", "iii-fooqux"), set("iii-foobar/index", "iii-fooqux/index"), "foo", undefined],
  ["O4", set("iii-foobar", "iii-fooqux"), set("iii-foobar/index", "iii-fooqux/index"), "iii-foobar", "iii-foobar/index"],
  ["O5", set("iii-foo"), set("iii-foo/index", "iii-foo/a", "iii-foo/b"), "foo", "iii-foo/index"],
  ["O5", set("iii-foo"), set("iii-foo/index", "iii-foo/a", "iii-foo/b"), "foo/c", undefined],
  ["O6", set(), set("directory/index", "directory/skills/get", "directory/skills/list"), "directory/skills/got", undefined],
  ["O7", set("iii-sandbox"), set("iii-http/index"), "iii-sandbox/x", undefined],
  ["O8", set("iii-http"), set("iii-http/index"), "iii/skills/sandbox/index", undefined],
  ["O8", set("iii-http"), set("iii-http/index"), "totally-unknown/x", undefined],
  ["O8", set("iii-http"), set("iii-http/index"), "nope", undefined],
  ["E5", set("box", "iii-sandbox"), set("iii-sandbox/index"), "box", undefined],
];
for (const [name, installed, visible, missed, overview] of OVERVIEWS) {
  test(`spec 02 §16.8 ${name}: ${missed}`, () => assert.is(overviewOf(fallbackFor(missed, installed, visible)), overview));
}
test("spec 02 §16.8 O9: resolver", () => {
  const installed = set("box", "iii-sandbox");
  assert.equal(
    ["box", "sandbox", "iii", ""].map((query) => meantWorker(query, installed)),
    ["box", "iii-sandbox", undefined, undefined],
  );
});
test("spec 02 §16.8 O10: the note names the missed id, shows the overview, hints at the list", () => {
  const note = fallbackNote("iii-sandbox/sandbox/create", { kind: "overview", id: "iii-sandbox/index", worker: "iii-sandbox" });
  assert.match(note, /^> Note: no skill `iii-sandbox\/sandbox\/create`/);
  assert.match(note, /Showing.*`iii-sandbox`/);
  assert.not.match(note, "iii-sandbox/index");
  assert.match(note, 'prefix="iii-sandbox/"');
  assert.match(note, /\n\n---\n\n$/);
});
const ENGINE: readonly [row: string, installed: Set<string>, visible: Set<string>, missed: string, worker: string | undefined][] = [
  ["E1", set("iii-sandbox", "iii-http"), set("iii-http/index", "iii/index"), "iii-sandbox/index", "iii-sandbox"],
  ["E1", set("iii-sandbox", "iii-http"), set("iii-http/index", "iii/index"), "iii-sandbox/anything/here", "iii-sandbox"],
  ["E2", set("iii-http"), set("iii-http/index", "iii-http/a"), "iii-http/typo", undefined],
  ["E3", set("iii-http"), set("iii/index"), "other/x", undefined],
  ["E3", set("iii-http"), set("iii/index"), "iii/x", undefined],
  ["E4", set("iii-sandbox"), set("iii/index"), "sandbox", "iii-sandbox"],
  ["E4", set("iii-sandbox"), set("iii/index"), "iii-sandbox", "iii-sandbox"],
  ["E5", set("box", "iii-sandbox"), set("iii-sandbox/index"), "box", "box"],
];
for (const [name, installed, visible, missed, worker] of ENGINE) {
  test(`spec 02 §16.8 ${name}: engine fallback for ${missed}`, () => {
    const found = fallbackFor(missed, installed, visible);
    assert.is(found?.kind === "engine" ? found.worker : undefined, worker);
  });
}
test("spec 02 §5.4, §17 case 22: a redirected get has the note in its body and not in raw", async () => {
  const skills = await content(
    { "skills/iii-sandbox/SKILL.md": "# Box\nx" },
    { installed: ["iii-sandbox"], configuration: { filter_unregistered: true } },
  );
  const document = await get(skills, { id: "sandbox", raw: true });
  assert.is(document.id, "iii-sandbox");
  assert.match(document.body, /^> Note: no skill `sandbox`/);
  assert.is(document.raw, "# Box\nx");
});
test("spec 02 §5.4 step 2: an installed worker without pages is answered with the engine's overview, else an error that says so", async () => {
  const options = { installed: ["iii-http"], configuration: { filter_unregistered: true } };
  const skills = await content({ "skills/iii/SKILL.md": "# Engine\nx" }, options);
  assert.match((await get(skills, { id: "iii-http" })).body, /^> Note: no skill `iii-http`.*`iii`.*iii-http/);
  assert.match(await refused(get(await content({}, options), { id: "iii-http/x" })), /^D110 not_found:.*engine::workers::info/);
});
test("field fault F27: an unreadable file is a bare row", async () => {
  if (process.getuid?.() === 0) return;
  const skills = await content({ "skills/a.md": "# A\nx", "skills/b.md": "# B\nx" });
  chmodSync(skills.at("skills/a.md"), 0);
  assert.equal(
    (await list(skills)).map(({ title }) => title),
    ["a", "B"],
  );
});
test("field faults P1, P6: two hundred lists share their scans, a thousand gets too", async () => {
  const skills = await content(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`skills/ns/s${n}.md`, "# S\nx"])));
  const lists = await Promise.all(Array.from({ length: 200 }, () => list(skills)));
  assert.ok(lists.every((rows) => rows.length === 50));
  const gets = await Promise.all(Array.from({ length: 1_000 }, (_, n) => get(skills, { id: `ns/s${n % 50}` })));
  assert.ok(gets.every(({ title }) => title === "S"));
});
test("a write that ended before the call is seen, whatever scan is running", async () => {
  const skills = await content({ "skills/a.md": "x" });
  for (let turn = 0; turn < 20; turn++) {
    const running = list(skills);
    write(skills.base, { [`skills/new${turn}.md`]: "x" });
    assert.ok((await list(skills)).some(({ id }) => id === `new${turn}`));
    await running;
  }
});

test.run();
