/** Spec 02 §16.2 and §16.5: what is found below the roots, under which id, and who hides whom. */

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { scanSkills } from "../../../actors/fs/skill-scan.js";
import { write } from "../../harness/content.js";
import { temporaryFolder } from "../../harness/temporary.js";

const PAGE = "# Page\n\nText.\n";
const GOOD = "---\nname: good\ndescription: d\n---\nbody\n";

/** Scans `skills`, `local` and the given shared roots below a new folder. */
async function scan(paths: readonly string[], shared: readonly string[] = ["shared"], prepare?: (base: string) => void) {
  const base = temporaryFolder();
  write(base, Object.fromEntries(paths.map((path) => [path, path.endsWith("/") ? "" : path.includes("prompts") ? GOOD : PAGE])));
  prepare?.(base);
  const at = (path: string): string => join(base, path);
  const found = await scanSkills({ global: at("skills"), local: at("local"), agentSkills: shared.map(at), agents: at("agents") });
  return { base, ...found, ids: found.skills.map(({ id }) => id), skipped: found.faults.filter(({ kind }) => kind === "skipped") };
}

const FOUND: readonly [row: string, files: readonly string[], ids: readonly string[], skipped: readonly RegExp[]][] = [
  ["S1", ["skills/ns/a.md", "skills/ns/sub/b.md", "skills/ns/sub/deep/c.md"], ["ns/a", "ns/sub/b", "ns/sub/deep/c"], []],
  ["S2", ["skills/ns/skill.md", "skills/ns/prompts/p.md"], ["ns/skill"], []],
  ["S3", ["skills/ns/Bad-Case.md", "skills/ns/with space.md", "skills/ns/ok.md"], ["ns/ok"], [/invalid id/, /invalid id/]],
  ["S4", [], [], []],
  ["S5", ["skills/resend/SKILLS.md"], ["resend/index"], []],
  ["S6", ["skills/resend/emails/SKILLS.md"], ["resend/emails/index"], []],
  ["S7", ["skills/my-worker/SKILL.md"], ["my-worker/index"], []],
  ["S8", ["skills/resend/SKILL.md", "skills/resend/index.md"], ["resend/index"], [/duplicate id "resend\/index"/]],
  [
    "S9",
    ["skills/triple/SKILL.md", "skills/triple/SKILLS.md", "skills/triple/index.md"],
    ["triple/index"],
    [/duplicate/, /duplicate/],
  ],
  ["S10", ["skills/resend/index.md", "skills/resend/SKILLS.md"], ["resend/index"], [/duplicate/]],
  ["S11", ["skills/ns/skill.md", "skills/ns/agents/a.md"], ["ns/skill"], []],
  ["S12", ["skills/ns/prompts/cmd.md", "skills/system-prompts/sys.md"], [], []],
  ["B11", ["skills/ns/Bad-Name.md"], [], [/invalid id/]],
  ["M3", ["skills/only-global/readme.md", "local/"], ["only-global/readme"], []],
  ["M4", ["skills/worker-x/index.md", "local/worker-x/"], [], []],
  [
    "A1",
    ["shared/impeccable/SKILL.md", "shared/impeccable/reference/polish.md", "shared/no-entry/reference/a.md", "shared/stray.md"],
    ["impeccable/index"],
    [],
  ],
  ["A2", ["skills/a.md"], ["a"], []],
  ["A3", ["shared/My-Skill/SKILL.md", "shared/good-skill/SKILL.md"], ["good-skill/index"], [/invalid id/]],
  [
    "A4",
    ["shared/impeccable/SKILL.md", "shared/solo/SKILL.md", "shared/localized/SKILL.md", "skills/impeccable/", "local/localized/"],
    ["solo/index"],
    [],
  ],
  ["A7", ["skills/worker-z/index.md", "shared/aaa-skill/SKILL.md"], ["aaa-skill/index", "worker-z/index"], []],
  [
    "decision 41: a folder with nothing but our marker hides nothing",
    ["local/ns/.iii-skill-complete", "skills/ns/a.md"],
    ["ns/a"],
    [],
  ],
  ["§17 case 8, agents skill.md", ["shared/coast/skill.md"], [], []],
  ["§17 case 6, glob characters in a name", ["skills/ns/a.md"], ["ns/a"], []],
  ["hidden folder", ["skills/.hidden/a.md"], [], [/invalid id/]],
];
for (const [row, files, ids, skipped] of FOUND) {
  test(`spec 02 §16 ${row}`, async () => {
    const found = await scan(files);
    assert.equal(found.ids, ids);
    assert.is(found.skipped.length, skipped.length);
    for (const [at, pattern] of skipped.entries()) assert.match(found.skipped[at]?.reason ?? "", pattern);
  });
}

test("spec 02 §16.5 M1: a namespace comes from one root", async () => {
  const found = await scan([
    "skills/worker-a/index.md",
    "skills/worker-b/index.md",
    "skills/worker-b/extra.md",
    "local/worker-b/index.md",
    "local/worker-c/index.md",
  ]);
  assert.equal(found.ids, ["worker-a/index", "worker-b/index", "worker-c/index"]);
  assert.equal(
    found.skills.map(({ tier }) => tier),
    ["global", "local", "local"],
  );
  assert.equal(found.faults, []);
});
test("spec 02 §16.5 M2: a root-level file in both roots is the local one", async () => {
  const found = await scan(["skills/index.md", "local/index.md"]);
  assert.equal(
    found.skills.map(({ id, tier }) => [id, tier]),
    [["index", "local"]],
  );
});
test("spec 02 §16.5 A1: the path of a shared skill is its SKILL.md", async () => {
  const found = await scan(["shared/impeccable/SKILL.md"]);
  assert.match(found.skills[0]?.path ?? "", /impeccable\/SKILL\.md$/);
});
test("spec 02 §16.5 A5: of two shared roots the first goes before", async () => {
  const found = await scan(["one/shared/SKILL.md", "two/shared/SKILL.md", "two/home-only/SKILL.md"], ["one", "two"]);
  assert.equal(found.ids, ["home-only/index", "shared/index"]);
  assert.match(found.skills[1]?.path ?? "", /one\/shared/);
});
test("spec 02 §16.5 A6: only what is served reserves a name", async () => {
  const found = await scan(["shared/real-skill/SKILL.md", "shared/stray-dir/"]);
  assert.equal([...found.agentNamespaces], ["real-skill"]);
  assert.equal([...(await scan([])).agentNamespaces], []);
});
test("field fault C1: skill.md is served under its name, with a hint", async () => {
  const found = await scan(["skills/coast/skill.md"]);
  assert.equal(found.ids, ["coast/skill"]);
  assert.match(found.faults[0]?.reason ?? "", /rename it to SKILL\.md/);
});
test("field fault C2: SKILL.md and skill.md beside each other are two skills", async () => {
  assert.equal((await scan(["skills/coast/SKILL.md", "skills/coast/skill.md"])).ids, ["coast/index", "coast/skill"]);
});
test("field faults C5, C10, §17 cases 2 to 4: links are followed, loops end, each file once", async () => {
  const found = await scan(["skills/coast/a.md", "elsewhere/reef/page.md", "elsewhere/tide.md"], ["shared"], (base) => {
    symlinkSync("../..", join(base, "skills/coast/up"));
    symlinkSync(".", join(base, "skills/coast/self"));
    symlinkSync(join(base, "elsewhere/reef"), join(base, "skills/reef"));
    mkdirSync(join(base, "skills/tide"));
    symlinkSync(join(base, "elsewhere/tide.md"), join(base, "skills/tide/SKILL.md"));
    symlinkSync(join(base, "nowhere.md"), join(base, "skills/tide/dangling.md"));
    mkdirSync(join(base, "shared"));
    symlinkSync(join(base, "elsewhere/reef"), join(base, "shared/up"));
  });
  assert.ok(found.ids.includes("reef/page") && found.ids.includes("tide/index"));
  assert.is(found.ids.filter((id) => id.startsWith("coast/self") || id.includes("up/skills")).length, 0, found.ids.join(" "));
  assert.not.ok(found.ids.includes("tide/dangling"));
});
test("§17 case 6: a root that is a link, with brackets and spaces in its path", async () => {
  const base = temporaryFolder();
  write(base, { "real [x]*? ü/ns/a.md": PAGE });
  symlinkSync(join(base, "real [x]*? ü"), join(base, "skills"));
  const roots = { local: join(base, "local"), agentSkills: [], agents: join(base, "agents") };
  assert.equal(
    (await scanSkills({ ...roots, global: join(base, "skills") })).skills.map(({ id }) => id),
    ["ns/a"],
  );
  assert.equal(
    (await scanSkills({ ...roots, global: join(base, "real [x]*? ü") })).skills.map(({ id }) => id),
    ["ns/a"],
  );
});
test("§17 case 6: a root that is a file is empty", async () => {
  assert.equal((await scan(["skills"])).ids, []);
});
test("field fault F27: a folder named x.md, a dangling link and a pipe are no skills, and nothing waits for the pipe", async () => {
  const found = await scan(["skills/ns/good.md", "skills/ns/x.md/"], ["shared"], (base) => {
    symlinkSync("nowhere", join(base, "skills/ns/d.md"));
    spawnSync("mkfifo", [join(base, "skills/ns/y.md")]);
  });
  assert.equal(found.ids, ["ns/good"]);
});
test("spec 02 §2.1: a folder that can't be read is left out and told", async () => {
  if (process.getuid?.() === 0) return;
  const found = await scan(["skills/ns/a.md", "skills/closed/b.md"], ["shared"], (base) =>
    chmodSync(join(base, "skills/closed"), 0),
  );
  assert.equal(found.ids, ["ns/a"]);
  assert.match(found.faults[0]?.reason ?? "", /can't be read/);
});
test("spec 02 §1.1: with the default layout a local page has two names", async () => {
  const base = temporaryFolder();
  write(base, { "skills/iii/foo/bar.md": PAGE, "skills/iii/SKILL.md": PAGE });
  const found = await scanSkills({
    global: join(base, "skills"),
    local: join(base, "skills/iii"),
    agentSkills: [],
    agents: join(base, "agents"),
  });
  assert.equal(
    found.skills.map(({ id }) => id),
    ["foo/bar", "iii/foo/bar", "iii/index", "index"],
  );
});

test.run();
