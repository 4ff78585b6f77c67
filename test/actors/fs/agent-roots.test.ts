/** Spec 03 §11 "Agent profile functions", rows 10 and 11, decision 3: the code takes a list of folders, though one is shipped. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { AgentLibrary } from "../../../actors/fs/agent-library.js";
import { AgentWriting } from "../../../actors/fs/agent-writing.js";
import { Store } from "../../../actors/fs/store.js";
import type { DirectoryError } from "../../../protocol/errors.js";
import { write } from "../../harness/content.js";
import { temporaryFolder } from "../../harness/temporary.js";

const profile = (name: string): string => `---\nname: ${name}\n---\n`;

function twoRoots(files: Readonly<Record<string, string>>) {
  const base = temporaryFolder();
  write(base, files);
  const library = new AgentLibrary([join(base, "project"), join(base, "user")], []);
  return {
    library,
    writing: new AgentWriting(library, new Store({ tell: async () => {} })),
    at: (path: string) => join(base, path),
  };
}

test("spec 03 §11 agents, row 10: the project's profile goes before the user's, the others are served", async () => {
  const { library } = twoRoots({
    "user/captain.md": profile("User captain"),
    "user/scout.md": profile("Scout"),
    "project/captain.md": profile("Project captain"),
  });
  const names = [...(await library.view()).byId].map(([id, agent]) => `${id}: ${agent.profile.name}`);
  assert.equal(names, ["captain: Project captain", "scout: Scout"]);
  assert.is((await library.around("captain")).byId.get("captain")?.profile.name, "Project captain");
  assert.is((await library.around("scout")).byId.get("scout")?.profile.name, "Scout");
});

test("spec 03 §11 agents, row 11: a profile of the user is changed where it is", async () => {
  const { writing, at } = twoRoots({ "user/scout.md": profile("Scout") });
  await writing.update({ id: "scout", content: profile("New") });
  assert.is(readFileSync(at("user/scout.md"), "utf8"), profile("New"));
  await writing.editFunctions({ id: "scout", functions: ["a::b"] }, "add");
  assert.match(readFileSync(at("user/scout.md"), "utf8"), /functions:\n {2}- a::b\n/);
  const said = await writing.create({ id: "scout", content: profile("x") }).catch((error: DirectoryError) => error);
  assert.is((said as DirectoryError).code, "D414");
  assert.match((said as DirectoryError).message, /user-global/);
  await writing.delete("scout");
  assert.not(existsSync(at("user/scout.md")) || existsSync(at("project")));
  await writing.create({ id: "scout", content: profile("Mine") });
  assert.ok(existsSync(at("project/scout.md")));
});

test.run();
