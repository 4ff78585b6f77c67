/** Spec 02 §16.9, §16.11, §16.12 and §17: filter, index, and what a write leaves on disk. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { containerNames, Installed, statusPayload } from "../../../actors/fs/installed.js";
import { type IndexEntry, isOverview, renderIndex } from "../../../actors/fs/skill-index.js";
import { Store } from "../../../actors/fs/store.js";
import { isKept } from "../../../actors/fs/visible.js";
import { invalidInput, notFound } from "../../../domain/refusal.js";
import { DirectoryError } from "../../../protocol/errors.js";
import { type Content, content, write } from "../../harness/content.js";
import { newContext } from "../../harness/context.js";
import { temporaryFolder } from "../../harness/temporary.js";

const BODY = "# New\n\nText.\n";
const call = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof DirectoryError ? `${error.code} ${error.message}` : `foreign: ${String(error)}`),
  );
const create = (skills: Content, id: string, text = BODY) => skills.fs.createSkill({ id, content: text }, newContext());
const update = (skills: Content, id: string, text = BODY) => skills.fs.updateSkill({ id, content: text }, newContext());
const remove = (skills: Content, id: string) => skills.fs.deleteSkill({ id }, newContext());
const ids = async (skills: Content): Promise<string[]> => (await skills.fs.listSkills({}, newContext())).skills.map(({ id }) => id);

test("spec 02 §16.9 I1 to I4, I6: names of the installed workers", () => {
  assert.equal(
    [
      ...(containerNames({
        containers: [
          { container: "resend", state: "ready" },
          { container: "agent-memory", state: "stopped" },
        ],
      }) ?? []),
    ],
    ["resend", "agent-memory"],
  );
  for (const answer of [{}, { containers: "not an array" }, null]) assert.is(containerNames(answer), undefined);
  assert.is(containerNames({ containers: [] })?.size, 0);
  assert.equal(
    [...(containerNames({ containers: [{ container: "a" }, { state: "x" }, null, { container: "b" }] }) ?? [])],
    ["a", "b"],
  );
});
test("spec 02 §16.9 I5: the payload of compose::status", () => {
  assert.equal(statusPayload({}), {});
  assert.equal(statusPayload({ III_COMPOSE_FILE: "f", III_COMPOSE_NAMESPACE: "n" }), { file: "f", namespace: "n" });
  assert.equal(statusPayload({ III_COMPOSE_FILE: " " }), {});
});

const NONE = { agentNamespaces: new Set<string>(), markedNamespaces: new Set<string>() };
const KEPT: readonly [row: string, installed: readonly string[], namespaces: typeof NONE, id: string, kept: boolean][] = [
  ["K1", ["other"], NONE, "index", true],
  ["K2", [], NONE, "directory/engine/functions/info", true],
  ["K3", [], NONE, "iii/index", true],
  ["K4", [], { ...NONE, agentNamespaces: new Set(["impeccable"]) }, "impeccable/notes", true],
  ["K4", [], { ...NONE, agentNamespaces: new Set(["impeccable"]) }, "orphan/index", false],
  ["K5", ["resend"], NONE, "resend/emails/index", true],
  ["K6", ["resend"], NONE, "otherworker/x", false],
  ["K7", ["agent-memory"], NONE, "resend/index", false],
  ["decision 8, a marker", [], { ...NONE, markedNamespaces: new Set(["got"]) }, "got/page", true],
  ["§17 case 18, prototype names", [], NONE, "constructor/x", false],
];
for (const [row, installed, namespaces, id, kept] of KEPT) {
  test(`spec 02 §16.9 ${row}: ${id}`, () => assert.is(isKept(id, new Set(installed), namespaces), kept));
}

test("§17 case 18, field fault S32: unknown hides nothing, then known hides, then the last known counts", async () => {
  const skills = await content(
    { "skills/a/x.md": BODY, "skills/b/x.md": BODY },
    { configuration: { filter_unregistered: true, registry_cache_ttl_ms: 0 } },
  );
  assert.equal(await ids(skills), ["a/x", "b/x"]);
  skills.configuration.add({ generation: 2, values: skills.configuration.current });
  skills.installed = ["a"];
  assert.equal(await ids(skills), ["a/x"]);
  skills.installed = undefined;
  assert.equal(await ids(skills), ["a/x"]);
});
test("§17 case 18: an empty list hides all but the exempt; downloads on purpose stay", async () => {
  const files = {
    "skills/a/x.md": BODY,
    "skills/got/x.md": BODY,
    "skills/got/.iii-skill-complete": "{}",
    "skills/solo.md": BODY,
    "shared/s/SKILL.md": BODY,
  };
  const skills = await content(files, { installed: [], configuration: { filter_unregistered: true } });
  assert.equal(await ids(skills), ["got/x", "s", "solo"]);
});
test("§17 case 18: many reads share one question, a failure is not repeated at once, index asks afresh", async () => {
  let now = 0;
  let asked = 0;
  let fails = false;
  const bus = {
    call: async () => {
      asked++;
      if (fails) throw new Error("down");
      return { containers: [{ container: "a" }] };
    },
  };
  const installed = new Installed({ bus, maxAgeMs: () => 60_000, env: {}, now: () => now });
  await Promise.all(Array.from({ length: 20 }, () => installed.names(newContext())));
  assert.is(asked, 1);
  await installed.names(newContext(), true);
  assert.is(asked, 2);
  fails = true;
  now += 61_000;
  for (let turn = 0; turn < 5; turn++) assert.equal([...((await installed.names(newContext())) ?? [])], ["a"]);
  assert.is(asked, 3);
});

const entry = (id: string, title = "T", description = "D"): IndexEntry => ({
  id,
  shownId: id.replace(/\/index$/, ""),
  title,
  description,
});
test("spec 02 §16.9 X1, X2, X4, X8: header, blocks in their order", () => {
  assert.is(renderIndex([]).body, "# Skills index\n\n0 worker(s).\n");
  const { body, workers_count } = renderIndex([entry("a/index", "One"), entry("b/index", "Two"), entry("c/index", "Three")]);
  assert.match(body, /^# Skills index\n\n3 worker\(s\)\.\n/);
  assert.equal(
    [...body.matchAll(/\n## (.*)\n/g)].map(([, title]) => title),
    ["One", "Two", "Three"],
  );
  assert.is(workers_count, 3);
});
test("spec 02 §16.9 X3, X12: only overviews", () => {
  assert.equal(
    [
      ["ns/index", null],
      ["ns/observe", "how-to"],
      ["ns/exec", null],
      ["deep/er/index", null],
      ["deep/er/index", "index"],
      ["index", null],
      ["page", "index"],
    ].map(([id, type]) => isOverview(id ?? "", type ?? null)),
    [true, false, false, false, true, false, true],
  );
});
test("spec 02 §16.9 X5, X6, X7, X9: description between blank lines, pointer, no address", () => {
  const { body } = renderIndex([entry("agent-memory/index", "Memory", "Remembers.")]);
  assert.match(body, "\n## Memory\n\nRemembers.\n\nRead iii://agent-memory/index");
  assert.match(body, '`directory::skills::get { "id": "agent-memory" }`');
  assert.not.match(body, /https?:/);
  assert.match(renderIndex([entry("a/index", "T", "")]).body, "\n## T\n\nRead iii://");
});
test("spec 02 §16.9 X10: fifty long descriptions", () => {
  const { body } = renderIndex(Array.from({ length: 50 }, (_, n) => entry(`w${n}/index`, `W${n}`, "x".repeat(200))));
  assert.match(body, "50 worker(s).");
  assert.is([...body.matchAll(/\n## /g)].length, 50);
  assert.match(body, /descriptions omitted.*directory::skills::get/);
  assert.not.match(body, "truncated");
});
test("field fault F19, §17 case 12: no text forges a heading", () => {
  const { body } = renderIndex([entry("a/index", "T\n## evil", "a\nb\n# not a heading\r## nor this")]);
  assert.is([...body.matchAll(/\n#+ /g)].length, 1);
});
test("spec 02 §11: agents' skills have no block, B12", async () => {
  const skills = await content({
    "skills/team-a/index.md": "---\ntype: index\n---\n# Team A\n\nPara A.",
    "skills/team-b/index.md": "# Team B\n\nPara B.",
    "skills/team-a/foo.md": "---\ntype: how-to\n---\n# Foo\nx",
    "shared/s/SKILL.md": "# Shared\nx",
  });
  const { body, workers_count } = await skills.fs.indexSkills({}, newContext());
  assert.is(workers_count, 2);
  assert.match(body, /Team A[\s\S]*Para A[\s\S]*Team B[\s\S]*Para B/);
  assert.not.match(body, /Foo|Shared/);
});

test("spec 02 §16.11 U1: update", async () => {
  const skills = await content({ "skills/ns/how-to.md": "old text" });
  const text = "---\ntitle: T\ntype: how-to\n---\nnew\n";
  const written = await update(skills, "ns/how-to", text);
  assert.equal([written.id, written.title, written.type, written.bytes], ["ns/how-to", "T", "how-to", text.length]);
  assert.is(readFileSync(skills.at("skills/ns/how-to.md"), "utf8"), text);
  assert.equal(
    skills.rings.map(({ payload }) => payload),
    [{ op: "update", namespace: "ns", id: "ns/how-to" }],
  );
});
test("spec 02 §16.11 U2: update of an overview by its bare name keeps the file's name", async () => {
  const skills = await content({ "skills/ns/SKILL.md": "old" });
  assert.is((await update(skills, "ns")).id, "ns");
  assert.is(readFileSync(skills.at("skills/ns/SKILL.md"), "utf8"), BODY);
  assert.is((await update(skills, "ns/index.md")).id, "ns/index");
});
const REFUSED_UPDATES: readonly [row: string, id: string, text: string, says: RegExp][] = [
  ["U3", "ns/reel", BODY, /^D110 not_found:.*ns\/real.*directory::skills::create/],
  ["U4", "ns/real", "---\nname: x\n---\n", /^D113 invalid_input:/],
  ["U4", "ns/real", "x".repeat(262_145), /^D113 invalid_input:.*too large/],
  ["U5", "sandbox::create", BODY, /^D112.*FUNCTION id/],
  ["§15 lone surrogate", "ns/real", "a\ud800b", /^D113/],
  ["§17 case 13 blank body", "ns/real", "\u00a0\n\u2003", /^D113/],
  ["Z4", "impeccable", BODY, /^D116 invalid_input:/],
  ["Z4", "impeccable/index", BODY, /^D116 invalid_input:/],
];
for (const [row, id, text, says] of REFUSED_UPDATES) {
  test(`spec 02 §16.11 ${row}: update of ${id} is refused and changes nothing`, async () => {
    const skills = await content({ "skills/ns/real.md": "untouched", "shared/impeccable/SKILL.md": "untouched" });
    assert.match(await call(update(skills, id, text)), says);
    for (const file of ["skills/ns/real.md", "shared/impeccable/SKILL.md"])
      assert.is(readFileSync(skills.at(file), "utf8"), "untouched");
    assert.equal([skills.rings, readdirSync(skills.at("skills/ns"))], [[], ["real.md"]]);
  });
}

test("spec 02 §16.11 Q1: create", async () => {
  const skills = await content();
  const written = await create(skills, "my-skill");
  assert.equal(
    [written.id, written.title, written.type, written.function_id, written.bytes],
    ["my-skill", "New", null, null, BODY.length],
  );
  assert.is(readFileSync(skills.at("skills/my-skill.md"), "utf8"), BODY);
  assert.equal(await ids(skills), ["my-skill"]);
  assert.equal(
    skills.rings.map(({ payload }) => payload),
    [{ op: "create", namespace: "my-skill", id: "my-skill" }],
  );
  assert.is(skills.writes[0]?.path, skills.at("skills/my-skill.md"));
});
const FILES = {
  "skills/ns/SKILL.md": BODY,
  "skills/ghost.md": "",
  "shared/impeccable/SKILL.md": BODY,
  "shared/stray/": "",
  "local/mine/": "",
};
const REFUSED_CREATES: readonly [row: string, id: string, text: string, says: RegExp, never?: RegExp][] = [
  ["Q2", "ns/index", BODY, /^D114 invalid_input:.*directory::skills::update/],
  ["Q2", "ns", BODY, /^D114/],
  ["Q3", "ghost", BODY, /^D114/],
  ["Q4", "new", "---\nname: x\n---\n", /^D113/],
  ["Q4", "new", "x".repeat(262_145), /^D113.*too large/],
  ["Q5", "sandbox::create", BODY, /FUNCTION id/],
  ["Q5", "Bad Name", BODY, /^D111/],
  ["Q6", "ns/prompts/foo", BODY, /^D115.*`prompts`.*rename/, /directory::prompts::/],
  ["Q6", "prompts/foo", BODY, /^D115/, /directory::prompts::/],
  ["Q6", "ns/system-prompts/foo", BODY, /^D115.*directory::system-prompts::create/],
  ["Q7", "agents/foo", BODY, /^D115.*directory::agents::create/],
  ["Q7", "ns/agents/foo", BODY, /^D115.*directory::agents::create/],
  ["Q10", "impeccable/notes", BODY, /^D115.*reserved/],
  ["Q10", "impeccable", BODY, /^D114/],
  ["decision 7, §17 case 20", "mine/page", BODY, /^D115.*local/],
];
for (const [row, id, text, says, never] of REFUSED_CREATES) {
  test(`spec 02 §16.11 ${row}: create of ${id} is refused and makes nothing`, async () => {
    const skills = await content(FILES);
    const before = readdirSync(skills.at("skills"), { recursive: true });
    const error = await call(create(skills, id, text));
    assert.match(error, says);
    if (never !== undefined) assert.not.match(error, never);
    assert.equal(readdirSync(skills.at("skills"), { recursive: true }), before);
    assert.equal(skills.rings, []);
  });
}
test("spec 02 §16.11 Q8: a shared folder without SKILL.md reserves nothing", async () => {
  assert.is((await create(await content(FILES), "stray/notes")).id, "stray/notes");
});
test("spec 02 §16.11 Q9: with the filter, only what will be visible", async () => {
  const skills = await content({}, { installed: ["other"], configuration: { filter_unregistered: true } });
  assert.match(await call(create(skills, "ghost/doc")), /^D115.*filter_unregistered/);
  assert.not.ok(existsSync(skills.at("skills/ghost")));
  for (const id of ["solo", "directory/note", "iii/note", "other/note"]) assert.is(await call(create(skills, id)), "done", id);
});
test("§17 case 19: create while nothing is known, and it is visible", async () => {
  const skills = await content({}, { configuration: { filter_unregistered: true } });
  await create(skills, "unknown/page");
  assert.equal(await ids(skills), ["unknown/page"]);
});

test("spec 02 §16.11 Z1: delete removes the file and the folders it empties", async () => {
  const skills = await content({ "skills/ns/deep/doc.md": BODY, "skills/keep/a.md": BODY });
  assert.equal(await remove(skills, "ns/deep/doc"), { id: "ns/deep/doc" });
  assert.equal(readdirSync(skills.at("skills")), ["keep"]);
  assert.equal(skills.rings.at(-1)?.payload, { op: "delete", namespace: "ns", id: "ns/deep/doc" });
  assert.equal(skills.writes.at(-1), { path: skills.at("skills/ns/deep/doc.md") });
});
test("spec 02 §16.11 Z2, decision 41: delete of an overview, with the marker that was left", async () => {
  const skills = await content({ "skills/ns/index.md": BODY, "skills/ns/.iii-skill-complete": "{}" });
  assert.equal(await remove(skills, "ns"), { id: "ns/index" });
  assert.not.ok(existsSync(skills.at("skills/ns")));
});
test("spec 02 §16.11 Z3: a miss names the near one", async () => {
  const skills = await content({ "skills/ns/real.md": BODY });
  assert.match(await call(remove(skills, "ns/reel")), /^D110 not_found:.*ns\/real/);
  assert.ok(existsSync(skills.at("skills/ns/real.md")));
});
test("spec 02 §16.11 Z4: shared skills are not deleted", async () => {
  const skills = await content({ "shared/impeccable/SKILL.md": BODY });
  for (const id of ["impeccable", "impeccable/index"]) assert.match(await call(remove(skills, id)), /^D116 invalid_input:/);
  assert.ok(existsSync(skills.at("shared/impeccable/SKILL.md")));
});
test("spec 02 §16.11 Z5: a local root inside the global one survives", async () => {
  const skills = await content({ "skills/iii/ns/a.md": BODY }, { configuration: { local_skills_folder: "skills/iii" } });
  await remove(skills, "ns/a");
  assert.equal(readdirSync(skills.at("skills/iii")), []);
});
test("§17 case 24: somebody's leftover keeps the folder", async () => {
  const skills = await content({ "skills/ns/a.md": BODY, "skills/ns/.DS_Store": "" });
  await remove(skills, "ns/a");
  assert.equal(readdirSync(skills.at("skills/ns")), [".DS_Store"]);
});

test("spec 02 §16.12 H1 to H3: sentences of the catalogue", () => {
  const next = [
    ["directory::skills::list", "see"],
    ["directory::skills::index", "read"],
  ] as const;
  const text = (error: DirectoryError): string => `${error.code} ${error.message}`;
  assert.match(
    text(notFound("D110", "skill", "x", [], next)),
    /^D110 not_found: .*"x".*Next: call directory::skills::list to see; or call directory::skills::index to read\.$/,
  );
  assert.not.match(text(notFound("D110", "skill", "x", [], next)), "Did you mean");
  assert.match(text(notFound("D110", "skill", "x", ["a", "b"], next)), /Did you mean: a, b\. Next:/);
  assert.is(text(invalidInput("D113", "bad", [["f", "mend it"]])), "D113 invalid_input: bad. Next: call f to mend it.");
});
test("spec 02 §16.12 H5, H6: a write makes its folders, and replaces", async () => {
  const base = temporaryFolder();
  const store = new Store({ tell: async () => {} });
  await store.replace(join(base, "nested/dir/foo.md"), "one");
  await store.replace(join(base, "nested/dir/foo.md"), "two");
  assert.equal([readFileSync(join(base, "nested/dir/foo.md"), "utf8"), readdirSync(join(base, "nested/dir"))], ["two", ["foo.md"]]);
});
test("§17 case 15: 32 creates of one id, one wins, the others get D114", async () => {
  const skills = await content();
  const outcomes = await Promise.all(Array.from({ length: 32 }, (_, n) => call(create(skills, "contested", `# ${n}\nx`))));
  assert.is(outcomes.filter((outcome) => outcome === "done").length, 1);
  assert.is(outcomes.filter((outcome) => outcome.startsWith("D114")).length, 31);
  assert.equal(readdirSync(skills.at("skills")), ["contested.md"]);
});
test("§17 case 15: creates in two workers over one folder, one wins", async () => {
  const one = await content();
  const two = await content({}, { base: one.base });
  const outcomes = await Promise.all([one, two, one, two].map((skills) => call(create(skills, "contested"))));
  assert.is(outcomes.filter((outcome) => outcome === "done").length, 1);
});
test("§17 case 15: updates in a crowd leave one of the contents whole", async () => {
  const skills = await content({ "skills/a.md": "x" });
  const texts = Array.from({ length: 16 }, (_, n) => `# ${n}\n${String(n).repeat(5_000)}`);
  await Promise.all(texts.map((text) => update(skills, "a", text)));
  assert.ok(texts.includes(readFileSync(skills.at("skills/a.md"), "utf8")));
  assert.equal(readdirSync(skills.at("skills")), ["a.md"]);
});
test("§17 case 15: creates and deletes that meet in one folder", async () => {
  const skills = await content();
  for (let turn = 0; turn < 30; turn++) {
    await create(skills, "ns/a");
    const [, created] = await Promise.all([call(remove(skills, "ns/a")), call(create(skills, "ns/b"))]);
    assert.is(created, "done");
    assert.is(await call(remove(skills, "ns/b")), "done");
  }
});
test("§17 cases 3, 5, field fault C11: links are written through or left, never replaced; a dangling one is taken", async () => {
  const skills = await content({ "elsewhere/real.md": "old text" });
  mkdirSync(skills.at("skills"));
  symlinkSync(skills.at("elsewhere/real.md"), skills.at("skills/linked.md"));
  symlinkSync(skills.at("nowhere.md"), skills.at("skills/dangling.md"));
  await update(skills, "linked");
  assert.is(readFileSync(skills.at("elsewhere/real.md"), "utf8"), BODY);
  assert.match(await call(create(skills, "dangling")), /^D114/);
  await remove(skills, "linked");
  assert.ok(existsSync(skills.at("elsewhere/real.md")));
});
test("field fault C11: everything works where the root is a link", async () => {
  const skills = await content({ "disk/": "" });
  symlinkSync(skills.at("disk"), skills.at("skills"));
  await create(skills, "ns/a");
  await update(skills, "ns/a", "# B\nx");
  assert.is(skills.writes[0]?.path, skills.at("disk/ns/a.md"));
  await remove(skills, "ns/a");
  assert.equal(readdirSync(skills.at("disk")), []);
});
test("§17 case 17: mode is kept", async () => {
  const skills = await content({ "skills/a.md": "x" });
  chmodSync(skills.at("skills/a.md"), 0o640);
  await update(skills, "a");
  assert.is(statSync(skills.at("skills/a.md")).mode & 0o777, 0o640);
});
test("§17 case 16: a write that fails says so in a line, leaves the old file and no staged one, and rings nobody", async () => {
  const skills = await content({ "skills/ns/a.md": "old" });
  rmSync(skills.at("skills/ns"), { recursive: true });
  writeFileSync(skills.at("skills/ns"), "a file where a folder was");
  const error = await call(create(skills, "ns/b"));
  assert.match(error, /could not write .*ns\/b\.md: (ENOTDIR|EEXIST)/);
  assert.equal([skills.rings, readdirSync(skills.at("skills"))], [[], ["ns"]]);
});
test("§17 case 8: another spelling on disk takes the id", async () => {
  const skills = await content();
  mkdirSync(skills.at("skills/ns"), { recursive: true });
  writeFileSync(skills.at("skills/ns/Foo.md"), BODY);
  const outcome = await call(create(skills, "ns/foo"));
  assert.ok(outcome === "done" || outcome.startsWith("D114"), outcome);
  assert.is(readFileSync(skills.at("skills/ns/Foo.md"), "utf8"), BODY);
});
test("§17 case 23: an overview beside a page of its name", async () => {
  const skills = await content({ "skills/x.md": "page" });
  await create(skills, "x/index", "overview");
  assert.equal(await ids(skills), ["x", "x/index"]);
  await update(skills, "x/index", "new overview");
  assert.is(readFileSync(skills.at("skills/x.md"), "utf8"), "page");
  assert.match(await call(create(skills, "x")), /^D114/);
});

test("any bytes as SKILL.md: a list never fails, and what get gives is the file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, fenced) => {
      const file = Buffer.concat([Buffer.from(fenced ? "---\n" : ""), Buffer.from(bytes)]);
      const skills = await content({ "skills/ns/SKILL.md": file });
      const { skills: rows } = await skills.fs.listSkills({}, newContext());
      assert.is(rows.length, 1);
      assert.ok(JSON.parse(JSON.stringify(rows)));
      const raw = await skills.fs.getSkill({ id: "ns", raw: true }, newContext()).then(
        ({ raw: text }) => text,
        () => undefined,
      );
      if (raw !== undefined) assert.ok(Buffer.from(raw).equals(file));
    }),
    { numRuns: 100 },
  );
});
test("create, get, update, delete: what goes in comes out", async () => {
  const skills = await content();
  const text = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 80 })
    .filter((value) => value.trim() !== "" && !value.startsWith("---"));
  const segment = fc.stringMatching(/^[a-z0-9_-]{1,12}$/).filter((name) => !["prompts", "agents", "system-prompts"].includes(name));
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 3 }), text, text, async (segments, first, second) => {
      const id = segments.join("/");
      if ((await call(create(skills, id, first))) !== "done") return;
      assert.is((await skills.fs.getSkill({ id, raw: true }, newContext())).raw, first);
      await update(skills, id, second);
      assert.is((await skills.fs.getSkill({ id, raw: true }, newContext())).raw, second);
      await remove(skills, id);
    }),
    { numRuns: 60 },
  );
  assert.equal(readdirSync(skills.at("skills")), []);
});
test("any text as id: nothing outside the root is made", async () => {
  const skills = await content();
  write(skills.base, { "outside/": "" });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.constantFrom("../outside/x", "a/../../outside/x", "/tmp/x", "..", "iii://../x")),
      async (id) => {
        await call(create(skills, id));
        assert.equal(readdirSync(skills.at("outside")), []);
      },
    ),
    { numRuns: 100 },
  );
  assert.equal(
    readdirSync(skills.base).filter((name) => !["outside", "skills"].includes(name)),
    [],
  );
});

test.run();
