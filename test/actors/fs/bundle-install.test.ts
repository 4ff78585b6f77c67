import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { recoverBundles } from "../../../actors/fs/bundle-install.js";
import { scanSkills } from "../../../actors/fs/skill-scan.js";
import { temporaryFolder } from "../../harness/temporary.js";

const PROGRAM = fileURLToPath(new URL("../../harness/install-main.js", import.meta.url));

/** A namespace with an old bundle, and a file of the user's own. */
function before(): { skills: string; agents: string } {
  const skills = temporaryFolder();
  const agents = temporaryFolder();
  mkdirSync(join(skills, "coast", "deep"), { recursive: true });
  for (const path of ["a.md", "deep/b.md", "c.md"]) writeFileSync(join(skills, "coast", path), "old");
  writeFileSync(join(skills, "coast", "own.md"), "mine");
  writeFileSync(join(agents, "x.md"), "old");
  return { skills, agents };
}

function contents({ skills, agents }: { skills: string; agents: string }): string[] {
  const read = (path: string): string => readFileSync(path, "utf8");
  return [...["a.md", "deep/b.md", "c.md"].map((path) => read(join(skills, "coast", path))), read(join(agents, "x.md"))];
}

const whole = spawnSync(process.execPath, [PROGRAM, ...Object.values(before()), "0"], { encoding: "utf8" });
const steps = Number(/after (\d+) steps/.exec(whole.stdout)?.[1]);

test("an install that isn't disturbed ends", () => {
  assert.ok(steps > 10, whole.stdout + whole.stderr);
});

for (let step = 1; step <= steps; step++) {
  test(`U4, spec 04 §11: killed at step ${step} of ${steps}, the old bundle or the new one is there after the next start`, async () => {
    const folders = before();
    const { signal } = spawnSync(process.execPath, [PROGRAM, folders.skills, folders.agents, String(step)]);
    assert.is(signal, "SIGKILL");
    const roots = { global: folders.skills, local: join(folders.skills, "none"), agents: folders.agents, agentSkills: [] };
    const scanned = await scanSkills(roots);
    assert.ok(
      scanned.skills.every(({ id }) => id.startsWith("coast/")),
      "what was staged is no content",
    );
    await recoverBundles(roots, async () => {});
    const found = contents(folders);
    assert.is(new Set(found).size, 1, found.join());
    assert.is(readFileSync(join(folders.skills, "coast", "own.md"), "utf8"), "mine");
    assert.is(existsSync(join(folders.skills, "coast", ".iii-skill-complete")), found[0] === "new");
    assert.equal(readdirSync(folders.skills), ["coast"]);
    assert.equal(readdirSync(folders.agents), ["x.md"]);
  });
}

test("what another process that lives is staging is left alone", async () => {
  const folders = before();
  const stage = join(folders.skills, ".iii-staging", `${process.ppid}-abc`);
  mkdirSync(stage, { recursive: true });
  const roots = { global: folders.skills, local: join(folders.skills, "none"), agents: folders.agents, agentSkills: [] };
  await recoverBundles(roots, async () => {});
  assert.ok(existsSync(stage));
});

test.run();
