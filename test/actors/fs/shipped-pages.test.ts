/** Decision 34: the pages that the package ships are a bundle that our own rules take as it is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { planBundle } from "../../../domain/bundle.js";
import { FUNCTIONS } from "../../../protocol/functions/index.js";
import { newContext } from "../../harness/context.js";
import { downloading } from "../../harness/downloading.js";
import { RegistryServer } from "../../harness/registry-server.js";
import { ROOT } from "../../harness/shared.js";

const FOLDER = join(ROOT, "skills");
const pages = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));
const textOf = (name: string): string => readFileSync(join(FOLDER, name), "utf8");

test("the pages are a bundle that a registry could serve, and every one is served and listed", async () => {
  const entries = pages.map((path) => ({ path, content: Buffer.from(textOf(path)) }));
  assert.is(planBundle(entries, { source: "registry", commandPrompts: false }).length, pages.length);
  const server = await RegistryServer.start([
    { name: "iii-directory", skills: pages.map((path) => ({ path: `skills/${path}`, content: textOf(path) })) },
  ]);
  const made = await downloading(server.url);
  await made.registry.download({ worker: "iii-directory" }, newContext(30_000));
  const { skills } = await made.fs.listSkills({}, newContext(30_000));
  assert.equal(
    skills.map(({ id }) => id).sort(),
    ["iii-directory", ...pages.filter((page) => page !== "SKILL.md").map((page) => `iii-directory/${page.slice(0, -3)}`)].sort(),
  );
  for (const { id, title, type, description } of skills) {
    assert.ok(title !== "" && type !== null && description.length > 40, id);
    assert.ok(description.length <= 1_024, id);
  }
  const { faults } = await made.fs.report({}, newContext(30_000));
  assert.equal(
    faults.filter(({ path }) => path.includes("iii-directory")),
    [],
  );
  const { body } = await made.fs.indexSkills({}, newContext(30_000));
  assert.match(body, /iii directory/);
  await made.stop();
  await server.close();
});

test("the overview has the name under which it is looked for", () => {
  assert.match(textOf("SKILL.md"), /^---\nname: iii-directory\n/);
});

test("every page names only functions that there are, and links only pages that there are", () => {
  const known = new Set(FUNCTIONS.map(({ id }) => id));
  for (const page of pages) {
    const text = textOf(page);
    for (const [, link] of text.matchAll(/\]\(([a-z-]+\.md)\)/g)) assert.ok(pages.includes(link ?? ""), `${page} links ${link}`);
    const named = [...text.matchAll(/(?<!-)\bdirectory(?:::[a-z][a-z_-]*)+/g)].map(([id]) => id);
    const wrong = named.filter(
      (id) => !known.has(id) && !id.endsWith("::on-change") && ![...known].some((each) => each.startsWith(`${id}::`)),
    );
    assert.equal(wrong, [], page);
  }
});

const FACTS: readonly RegExp[] = [
  /eighteen/,
  /at most twelve/,
  /max\(6, 2 × capabilities\)/,
  /engine::functions::info/,
  /"function_ids"/,
  /registry_search/,
  /compose::schema \{ "function_id": "compose::add" \}/,
  /inject_hint/,
  /hint_min_workers/,
  /"operation_id"/,
  /"start_after"/,
  /"config_override"/,
  /config_name/,
  /pre_run.*pre_run_timeout.*run.*post_run/,
  /working_dir/,
  /env_file/,
  /startup_timeout/,
  /scripts\.run` is only for local/,
  /path:\/\//,
  /replaces the whole field/,
  /terminal_only/,
  /"once": true/,
  /compose::operation/,
  /Don't poll/,
  /leave out `namespace` and `file`/,
];
for (const fact of FACTS) {
  test(`decision 34: the page about the function search says ${fact.source}`, () =>
    assert.match(textOf("function-search.md"), fact));
}

test.run();
