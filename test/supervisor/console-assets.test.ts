/** Spec 07 §7: what the console is told of, what it gets, and what happens when a file changes. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../border/log.js";
import { ASSETS, assetFolderOf, ConsoleAssets, checkDeclarations } from "../../supervisor/console-assets.js";
import { temporaryFolder } from "../harness/temporary.js";

interface Bound {
  readonly type: string;
  readonly functionId: string;
  readonly config: unknown;
}

class FakeEngine {
  readonly events: string[] = [];
  readonly bound: Bound[] = [];
  fails = false;

  bind(type: string, functionId: string, config: unknown): () => void {
    if (this.fails) throw new Error("not now");
    const { path } = config as { path: string };
    this.bound.push({ type, functionId, config });
    this.events.push(`bind ${path}`);
    return () => this.events.push(`unbind ${path}`);
  }
}

function folderWith(script: string, style = "a{}"): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "page.js"), script);
  writeFileSync(join(folder, "styles.css"), style);
  return folder;
}

const log = createLogger("test", "silent");

test("spec 07 §7.1–7.2: one trigger for each asset, with exactly the path as configuration; content from memory", () => {
  const engine = new FakeEngine();
  const assets = new ConsoleAssets({ engine, log, shipped: folderWith("export default 1;") });
  assets.offer();
  const functionId = "iii-directory::ui-content";
  assert.equal(engine.bound, [
    { type: "console:script", functionId, config: { path: "iii-directory/page.js" } },
    { type: "console:style", functionId, config: { path: "iii-directory/styles.css" } },
  ]);
  assert.equal(assets.content("iii-directory/page.js"), {
    content: "export default 1;",
    content_type: "text/javascript; charset=utf-8",
  });
  assert.is(assets.content("iii-directory/styles.css").content_type, "text/css; charset=utf-8");
});

for (const path of [
  "",
  "nope.js",
  "/iii-directory/page.js",
  "../iii-directory/page.js",
  "__proto__",
  "constructor",
  "iii-directory/PAGE.js",
  "x".repeat(10_240),
]) {
  test(`spec 07 §10 UI registration, §11 row 52: ${JSON.stringify(path.slice(0, 40))} is no asset, and the message lists those there are`, () => {
    const assets = new ConsoleAssets({ engine: new FakeEngine(), log, shipped: folderWith("") });
    try {
      assets.content(path);
      assert.unreachable();
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      assert.is(code, "UNKNOWN_UI_ASSET");
      assert.ok(message.startsWith(JSON.stringify(path)));
      assert.ok(message.endsWith("iii-directory/page.js, iii-directory/styles.css"));
    }
  });
}

const WATCH_VALUES: readonly (readonly [string | undefined, string | undefined])[] = [
  [undefined, undefined],
  ["", undefined],
  ["0", undefined],
  ["false", undefined],
  ["FALSE", undefined],
  ["1", resolve("ui", "dist")],
  ["True", resolve("ui", "dist")],
  ["/srv/ui", "/srv/ui"],
  ["/srv/ui/page.js", "/srv/ui"],
];
for (const [value, folder] of WATCH_VALUES) {
  test(`spec 07 §10 watch env values: ${value}`, () => {
    assert.is(assetFolderOf({ III_III_DIRECTORY_UI_WATCH: value }, "iii-directory"), folder);
  });
}

test("spec 07 §7.4, §11 row 53: changed bytes are served and bound before the old binding goes; the same bytes are no change", () => {
  const engine = new FakeEngine();
  const folder = folderWith("one");
  const assets = new ConsoleAssets({ engine, log, shipped: temporaryFolder(), watched: folder });
  assets.offer();
  writeFileSync(join(folder, "page.js"), "one");
  assets.look();
  assert.is(engine.events.length, 2);
  writeFileSync(join(folder, "page.js"), "two");
  assets.look();
  assets.close();
  assert.equal(engine.events.slice(2), ["bind iii-directory/page.js", "unbind iii-directory/page.js"]);
  assert.is(assets.content("iii-directory/page.js").content, "two");
});

test("a file that is missing and a binding that fails leave the worker running", () => {
  const engine = new FakeEngine();
  engine.fails = true;
  const folder = temporaryFolder();
  mkdirSync(join(folder, "page.js"));
  const assets = new ConsoleAssets({ engine, log, shipped: folder });
  assets.offer();
  assert.throws(() => assets.content("iii-directory/page.js"), /there are: none/);
});

const BAD: readonly (readonly [string, "script" | "style"])[] = [
  ["iii-directory/page.css", "script"],
  ["iii-directory/page.js", "style"],
  ["iii-directory/Page.js", "script"],
  ["iii-directory/../page.js", "script"],
  ["/iii-directory/page.js", "script"],
  [`iii-directory/${"x".repeat(512)}.js`, "script"],
];
for (const [path, kind] of BAD) {
  test(`spec 07 §10 bad paths: ${path.slice(0, 40)} as ${kind}`, () => {
    assert.throws(() => checkDeclarations([{ path, kind, file: "x" }]));
  });
}

test("spec 07 §10 bad paths: a duplicate", () => {
  assert.throws(() => checkDeclarations([...ASSETS, ...ASSETS]), /twice/);
});

test.run();
