import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { factsOf } from "../../../actors/fs/file-cache.js";
import { newContext } from "../../harness/context.js";
import { temporaryFolder } from "../../harness/temporary.js";
import { type Watching, watching } from "../../harness/watching.js";

function put(path: string, text = "text"): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Writes beside and renames, as careful editors do. */
function saveAtomically(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text);
  renameSync(`${path}.tmp`, path);
}

async function over(
  run: (made: Watching) => Promise<void>,
  prepare?: Parameters<typeof watching>[0],
  options?: Parameters<typeof watching>[1],
): Promise<void> {
  const made = await watching(prepare, options);
  try {
    await run(made);
  } finally {
    await made.stop();
  }
}

const PAGE = (folders: { skills: string }): string => join(folders.skills, "coast", "tides.md");
const withPage = (folders: { skills: string }): void => put(PAGE(folders), "first");

const EDITORS: readonly (readonly [what: string, edit: (page: string) => void])[] = [
  ["a plain write", (page) => writeFileSync(page, "second")],
  ["W1: write beside and rename", (page) => saveAtomically(page, "second")],
  [
    "a backup renamed away, as vim does",
    (page) => {
      renameSync(page, `${page}~`);
      writeFileSync(page, "second");
      unlinkSync(`${page}~`);
    },
  ],
  ["a new file beside it", (page) => put(join(dirname(page), "new.md"))],
  ["a delete", (page) => unlinkSync(page)],
  ["a rename", (page) => renameSync(page, join(dirname(page), "other.md"))],
  ["W10: a folder and a file in it in one go", (page) => put(join(dirname(page), "deep", "er", "x.md"))],
  ["a touch", (page) => utimesSync(page, new Date(), new Date())],
  ["a chmod", (page) => chmodSync(page, 0o600)],
  [
    "W11: an edit of equal size that restores the time",
    (page) => {
      const { atime, mtime } = statSync(page);
      writeFileSync(page, "FIRST");
      utimesSync(page, atime, mtime);
    },
  ],
  [
    "a folder moved in",
    (page) => {
      const outside = join(temporaryFolder(), "moved");
      put(join(outside, "x.md"));
      renameSync(outside, join(dirname(page), "moved"));
    },
  ],
  ["a folder moved out", (page) => renameSync(dirname(page), join(temporaryFolder(), "gone"))],
];
for (const [what, edit] of EDITORS) {
  test(`spec 07 §3.6: ${what} rings once`, () =>
    over(async (made) => {
      edit(PAGE(made));
      assert.equal(await made.rings(), ["skills"]);
    }, withPage));
}

const SILENT: readonly (readonly [what: string, act: (page: string) => void])[] = [
  ["a read", (page) => readFileSync(page)],
  ["a file that is no markdown", (page) => put(join(dirname(page), "script.py"))],
  ["a temporary file", (page) => put(`${page}.tmp`)],
  ["a file of agents below a namespace", (page) => put(join(dirname(page), "agents", "x.md"))],
  ["an empty folder", (page) => mkdirSync(join(dirname(page), "empty"))],
];
for (const [what, act] of SILENT) {
  test(`spec 07 §3: ${what} rings nobody`, () =>
    over(async (made) => {
      act(PAGE(made));
      assert.equal(await made.rings(), []);
    }, withPage));
}

test("W2: five saves in five windows ring five times, also after a replacing save", () =>
  over(async (made) => {
    for (let save = 0; save < 5; save++) {
      if (save % 2 === 0) saveAtomically(PAGE(made), `save ${save}`);
      else writeFileSync(PAGE(made), `save ${save}`);
      assert.equal(await made.rings(), ["skills"], `save ${save}`);
    }
  }, withPage));

test("a burst rings once a window, and each family once", () =>
  over(async (made) => {
    for (let at = 0; at < 300; at++) put(join(made.skills, "burst", `p${at}.md`));
    put(join(made.skills, "system-prompts", "s.md"));
    put(join(made.skills, "ns", "prompts", "c.md"));
    put(join(made.agents, "a.md"));
    const rang = await made.rings();
    for (const family of ["skills", "system-prompts", "prompts", "agents"] as const) assert.ok(rang.includes(family), family);
    assert.ok(rang.filter((family) => family === "skills").length <= 8, rang.join());
  }));

test("W3: the target of a link is replaced twice", () => {
  const outside = temporaryFolder();
  const target = join(outside, "coast.md");
  put(target);
  return over(
    async (made) => {
      for (const text of ["second", "third"]) {
        saveAtomically(target, text);
        assert.equal(await made.rings(), ["skills"], text);
      }
    },
    ({ skills }) => {
      mkdirSync(join(skills, "coast"));
      symlinkSync(target, join(skills, "coast", "SKILL.md"));
    },
  );
});

test("W4: a root that is removed and made again is watched again", () =>
  over(async (made) => {
    rmSync(made.skills, { recursive: true });
    put(PAGE(made), "anew");
    assert.ok((await made.rings()).includes("skills"));
    appendFileSync(PAGE(made), "more");
    assert.equal(await made.rings(), ["skills"]);
    rmSync(made.skills, { recursive: true });
    assert.ok((await made.rings()).includes("skills"));
    const { roots } = await made.watcher.report({}, newContext());
    assert.is(roots.find(({ path }) => path === made.skills)?.watched, false);
    put(PAGE(made), "again");
    await made.rings();
    appendFileSync(PAGE(made), "more");
    assert.equal(await made.rings(), ["skills"]);
  }, withPage));

test("W6: a shared root that isn't there at the start is never made, and not watched", () =>
  over(
    async (made) => {
      assert.not(existsSync(made.shared));
      const { roots } = await made.watcher.report({}, newContext());
      assert.not(roots.some(({ path }) => path === made.shared));
      put(join(made.shared, "x", "SKILL.md"));
      assert.equal(await made.rings(), []);
    },
    ({ shared }) => rmSync(shared, { recursive: true }),
  ));

test("a shared skill rings for skills", () =>
  over(async (made) => {
    put(join(made.shared, "x", "SKILL.md"));
    assert.equal(await made.rings(), ["skills"]);
  }));

test("W7: a loop of links costs one ring for one edit, and no fault", () =>
  over(
    async (made) => {
      writeFileSync(PAGE(made), "second");
      assert.equal(await made.rings(), ["skills"]);
      const { roots } = await made.watcher.report({}, newContext());
      assert.ok(roots.every(({ watched }) => watched));
    },
    (folders) => {
      withPage(folders);
      symlinkSync("..", join(folders.skills, "coast", "up"));
    },
  ));

test("W8: a tree that goes while files are made in it", () =>
  over(async (made) => {
    const deep = join(made.skills, "deep", "a", "b", "c");
    for (let at = 0; at < 200; at++) {
      put(join(deep, `p${at}.md`));
      if (at % 40 === 39) rmSync(join(made.skills, "deep"), { recursive: true });
    }
    await made.rings();
    put(join(made.skills, "after.md"));
    assert.equal(await made.rings(), ["skills"]);
  }));

test("W10: a folder and a file in it, made in the same tick, a hundred times", () =>
  over(async (made) => {
    for (let at = 0; at < 100; at++) put(join(made.skills, `ns${at}`, "a.md"));
    assert.ok((await made.rings()).length >= 1);
    for (let at = 0; at < 100; at += 7) {
      writeFileSync(join(made.skills, `ns${at}`, "a.md"), "changed");
      assert.equal(await made.rings(), ["skills"], `ns${at} is watched`);
    }
  }));

test("W15: a link that leads out, and its target goes", () => {
  const target = join(temporaryFolder(), "x.md");
  put(target);
  return over(
    async (made) => {
      unlinkSync(target);
      assert.ok((await made.rings()).length <= 1);
      writeFileSync(PAGE(made), "second");
      assert.equal(await made.rings(), ["skills"]);
    },
    (folders) => {
      withPage(folders);
      symlinkSync(target, join(folders.skills, "coast", "linked.md"));
    },
  );
});

test("W13, spec 07 §3.5: what we wrote ourselves is silent, an edit of somebody else right behind it is not", () =>
  over(async (made) => {
    writeFileSync(PAGE(made), "ours");
    const facts = await factsOf(PAGE(made));
    await made.own([facts === undefined ? { path: PAGE(made) } : { path: PAGE(made), identity: facts.identity }]);
    assert.equal(await made.rings(), []);
    writeFileSync(PAGE(made), "theirs");
    assert.equal(await made.rings(), ["skills"]);
    unlinkSync(PAGE(made));
    await made.own([{ path: PAGE(made) }]);
    assert.equal(await made.rings(), []);
  }, withPage));

test("W12: an edit of somebody else a moment after a write of ours rings within its own window", () =>
  over(async (made) => {
    writeFileSync(PAGE(made), "ours");
    const facts = await factsOf(PAGE(made));
    await made.own([facts === undefined ? { path: PAGE(made) } : { path: PAGE(made), identity: facts.identity }]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    writeFileSync(join(made.skills, "coast", "other.md"), "theirs");
    assert.equal(await made.rings(), ["skills"]);
  }, withPage));

/** chokidar with a fault: its watchers report `code` a moment after the start, as often as told. */
function faulty(code: string, times: number): { watch: never; starts: () => number } {
  let starts = 0;
  const watch = (): unknown => {
    starts++;
    const handlers = new Map<string, (value?: unknown) => void>();
    setTimeout(() => {
      if (starts <= times) handlers.get("error")?.(Object.assign(new Error(code), { code }));
      else handlers.get("ready")?.();
    }, 10);
    return { on: (event: string, handler: never) => handlers.set(event, handler), close: async () => {} };
  };
  return { watch: watch as never, starts: () => starts };
}

test("W9: the limit of the system is named, and the watch tried again with growing pauses, without a storm", async () => {
  const { watch, starts } = faulty("ENOSPC", 8);
  await over(
    async (made) => {
      const { roots } = await made.watcher.report({}, newContext());
      assert.match(roots.find(({ reason }) => reason !== undefined)?.reason ?? "", /ENOSPC.*max_user_watches/);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      assert.ok(starts() >= 9 && starts() <= 16, `${starts()} starts`);
      const { roots: later } = await made.watcher.report({}, newContext());
      assert.ok(later.every(({ watched }) => watched));
    },
    undefined,
    { watch },
  );
});

test.run();
