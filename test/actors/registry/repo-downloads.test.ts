import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { newContext } from "../../harness/context.js";
import { type Downloading, downloading } from "../../harness/downloading.js";
import { gitFixture, gitHttpServer } from "../../harness/git-fixture.js";
import { temporaryFolder } from "../../harness/temporary.js";

// Clones of this test file, apart from those of every other process.
process.env["TMPDIR"] = temporaryFolder();
const fixture = gitFixture();
const NOWHERE = "http://127.0.0.1:1";
const PATIENCE_MS = 60_000;

async function with_(run: (made: Downloading) => Promise<void>, setting: Parameters<typeof downloading>[1] = {}): Promise<void> {
  const made = await downloading(NOWHERE, setting);
  try {
    await run(made);
  } finally {
    await made.stop();
    assert.equal(clones(), [], "no clone is left");
  }
}

function clones(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("iii-directory-clone-"));
}

const download = (made: Downloading, skill: string, repository = "kit", branch?: string) =>
  made.registry.download(
    { repo: fixture.url(repository), skill, ...(branch === undefined ? {} : { branch }) },
    newContext(PATIENCE_MS),
  );

async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("it succeeded");
}

test("spec 04 §10.6: a skill folder is copied, nested files too, in byte order", async () => {
  fixture.commit("kit", {
    "skills/design/SKILL.md": "one",
    "skills/design/layouts/grid.md": "two",
    "skills/design/scripts/run.py": "three",
    "skills/other/SKILL.md": "no",
    "README.md": "no",
  });
  await with_(async (made) => {
    const answer = await download(made, "design");
    assert.equal(answer, {
      namespace: "design",
      skills_written: ["SKILL.md", "layouts/grid.md", "scripts/run.py"],
      system_prompts_written: [],
      agents_written: [],
      source: { kind: "repo", repo: fixture.url("kit"), skill: "design", branch: "main" },
    });
    assert.is(readFileSync(join(made.skills, "design", "layouts", "grid.md"), "utf8"), "two");
    assert.equal(made.rung, [{ family: "skills", payload: { op: "download", namespace: "design", source: "repo" } }]);
    const marker = JSON.parse(readFileSync(join(made.skills, "design", ".iii-skill-complete"), "utf8")) as Record<string, unknown>;
    assert.equal([marker["source"], marker["repo"], marker["branch"]], ["repo", fixture.url("kit"), "main"]);
  });
});

test("spec 04 §10.2: system prompts are named, command prompts and profiles stay behind", async () => {
  fixture.commit("tree", {
    "skills/mixed/guide.md": "g",
    "skills/mixed/prompts/cmd.md": "p",
    "skills/mixed/system-prompts/sys.md": "s",
    "skills/mixed/agents/reviewer.md": "a",
    "skills/mixed/.hidden/x.md": "h",
  });
  await with_(async (made) => {
    const { skills_written, system_prompts_written, agents_written } = await download(made, "mixed", "tree");
    assert.equal([skills_written, system_prompts_written, agents_written], [["guide.md"], ["sys"], []]);
    assert.not(existsSync(join(made.skills, "mixed", "prompts")));
    assert.equal(readdirSync(made.agents), []);
  });
});

test("spec 04 §10.6: downloaded again after a commit, the new text is there", async () => {
  fixture.commit("kit", { "skills/again/SKILL.md": "v1" });
  await with_(async (made) => {
    await download(made, "again");
    fixture.commit("kit", { "skills/again/SKILL.md": "v2" });
    await download(made, "again");
    assert.is(readFileSync(join(made.skills, "again", "SKILL.md"), "utf8"), "v2");
  });
});

test("S33: a skill from git is listed at once, whatever is installed", async () => {
  fixture.commit("kit", { "skills/listed/SKILL.md": "---\ndescription: Shows itself.\n---\n# Listed\n" });
  await with_(
    async (made) => {
      await download(made, "listed");
      const { skills } = await made.fs.listSkills({}, newContext(PATIENCE_MS));
      assert.equal(
        skills.map(({ id }) => id),
        ["listed"],
      );
    },
    { engine: () => ({ containers: [] }) },
  );
});

test("G1: a branch with a slash, and a tag", async () => {
  const folder = fixture.commit("branched", { "skills/coast/SKILL.md": "on a branch" }, "feature/coast-2");
  fixture.git(folder, "tag", "v1");
  await with_(async (made) => {
    const { source } = await download(made, "coast", "branched", "feature/coast-2");
    assert.is((source as { branch: string }).branch, "feature/coast-2");
    await download(made, "coast", "branched", "v1");
  });
});

test("spec 04 §2.5: a folder that isn't there, a branch that isn't there, an empty repository", async () => {
  fixture.commit("kit", { "skills/file": "no folder" });
  await with_(async (made) => {
    assert.match(await failure(download(made, "missing-skill")), /skills\/missing-skill/);
    assert.match(await failure(download(made, "file")), /skills\/file/);
    const said = await failure(download(made, "design", "kit", "nowhere"));
    assert.match(said, /branch "nowhere" \(exit status \d+\)/);
    assert.not(said.includes(tmpdir()));
    assert.match(await failure(download(made, "design", "no-such-repository")), /could not clone/);
    assert.equal(readdirSync(made.skills), []);
  });
});

test("C4, C14: links in a repository are left behind, whatever they lead to", async () => {
  const folder = fixture.commit("links", { "skills/coast/real.md": "real", "skills/coast/sub/deep.md": "deep" });
  symlinkSync("/etc/hostname", join(folder, "skills", "coast", "notes.md"));
  symlinkSync("/etc", join(folder, "skills", "coast", "etc"));
  symlinkSync("/etc", join(folder, "skills", "evil"));
  fixture.commit("links", {});
  await with_(async (made) => {
    assert.equal((await download(made, "coast", "links")).skills_written, ["real.md", "sub/deep.md"]);
    assert.match(await failure(download(made, "evil", "links")), /skills\/evil/);
  });
});

test("C2: two names that some disks take for one are refused", async () => {
  fixture.commit("twins", { "skills/coast/SKILL.md": "a", "skills/coast/skill.md": "b" });
  await with_(async (made) => {
    assert.match(await failure(download(made, "coast", "twins")), /collides/);
    assert.equal(readdirSync(made.skills), []);
  });
});

test("spec 04 §11: a file that is too large is refused, and nothing was read into memory before", async () => {
  const folder = fixture.commit("huge", { "skills/coast/SKILL.md": "a" });
  writeFileSync(join(folder, "skills", "coast", "huge.bin"), Buffer.alloc(5 * 2 ** 20));
  fixture.commit("huge", {});
  await with_(async (made) => {
    assert.match(await failure(download(made, "coast", "huge")), /huge\.bin.*at most/);
  });
});

test("G4, G11: large files stay pointers; hooks, templates, filters and submodules of a repository or of the user do nothing", async () => {
  const traps = temporaryFolder();
  const trap = join(traps, "sprung");
  const script = join(traps, "trap.sh");
  writeFileSync(script, `#!/bin/sh\ntouch ${trap}\ncat\n`);
  chmodSync(script, 0o755);
  mkdirSync(join(traps, "template", "hooks"), { recursive: true });
  for (const hook of ["post-checkout", "post-merge"]) symlinkSync(script, join(traps, "template", "hooks", hook));
  fixture.commit("trapped", {
    "skills/coast/SKILL.md": "a",
    "skills/coast/big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    ".gitattributes": "*.bin filter=lfs\n",
    ".gitmodules": '[submodule "x"]\n path = skills/coast/x\n url = ext::sh -c touch% sprung\n',
  });
  fixture.configure(
    `[init]\n templateDir = ${join(traps, "template")}\n[core]\n hooksPath = ${join(traps, "template", "hooks")}\n fsmonitor = ${script}\n[filter "lfs"]\n smudge = ${script}\n process = ${script}\n required = true`,
  );
  try {
    await with_(async (made) => {
      const { skills_written } = await download(made, "coast", "trapped");
      assert.equal(skills_written, ["SKILL.md", "big.bin"]);
      assert.match(readFileSync(join(made.skills, "coast", "big.bin"), "utf8"), /^version https:\/\/git-lfs/);
    });
  } finally {
    fixture.configure("");
  }
  assert.not(existsSync(trap));
});

test("G3, G5: a server that never answers is given up at the limit, with its whole process group", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  fixture.configure(`[url "http://127.0.0.1:${port}/"]\n insteadOf = https://silent.test/`);
  await with_(
    async (made) => {
      const said = await failure(
        made.registry.download({ repo: "https://silent.test/x", skill: "coast" }, newContext(PATIENCE_MS)),
      );
      assert.match(said, /timed out after 700 ms/);
      const left = spawnSync("pgrep", ["-f", `127.0.0.1:${port}`], { encoding: "utf8" }).stdout.trim();
      assert.is(left, "");
    },
    { configuration: { download_timeout_ms: 700 } },
  );
  fixture.configure("");
  silent.close();
});

test("a clone over the smart HTTP protocol; G5: one that wants a password fails at once", async () => {
  const folder = fixture.commit("served", { "skills/coast/SKILL.md": "served" });
  for (const token of [undefined, "secret"]) {
    const { url, server } = await gitHttpServer(join(folder, ".."), token === undefined ? {} : { token });
    fixture.configure(`[url "${url}"]\n insteadOf = https://served.test/`);
    await with_(async (made) => {
      const work = made.registry.download({ repo: "https://served.test/served/.git", skill: "coast" }, newContext(PATIENCE_MS));
      if (token === undefined) assert.equal((await work).skills_written, ["SKILL.md"]);
      else assert.match(await failure(work), /could not clone/);
    });
    fixture.configure("");
    server.close();
  }
});

test("G6: a host that nobody knows is a failure at once, not a question", () =>
  with_(async (made) => {
    const said = await failure(made.registry.download({ repo: "git@127.0.0.1:x/y", skill: "coast" }, newContext(PATIENCE_MS)));
    assert.match(said, /could not clone/);
  }));

test("G7: a token in an address is in no answer, message or marker", async () => {
  fixture.commit("kit", { "skills/coast/SKILL.md": "a" });
  fixture.configure(`[url "${fixture.url("kit")}"]\n insteadOf = https://user:tok-123@private.test/kit`);
  await with_(async (made) => {
    const said = await failure(
      made.registry.download({ repo: "https://user:tok-123@127.0.0.1:1/none.git", skill: "coast" }, newContext(PATIENCE_MS)),
    );
    assert.not(said.includes("tok-123"), said);
    assert.match(said, /could not clone/);
  });
  fixture.configure("");
});

test("G10: git that can't be started is a readable line, and the next download is fine", async () => {
  fixture.commit("kit", { "skills/coast/SKILL.md": "a" });
  const { PATH } = process.env;
  await with_(async (made) => {
    process.env["PATH"] = "/nonexistent";
    assert.match(await failure(download(made, "coast")), /git could not be started/);
    process.env["PATH"] = PATH;
    await download(made, "coast");
  });
});

test("spec 07 case 47: a worker that ends gives up a clone at once", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  fixture.configure(`[url "http://127.0.0.1:${port}/"]\n insteadOf = https://silent.test/`);
  const made = await downloading(NOWHERE);
  const work = failure(made.registry.download({ repo: "https://silent.test/x", skill: "coast" }, newContext(PATIENCE_MS)));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const begin = Date.now();
  await made.stop();
  assert.match(await work, /ending/);
  assert.ok(Date.now() - begin < 10_000);
  assert.equal(clones(), []);
  fixture.configure("");
  silent.close();
});

test.run();
