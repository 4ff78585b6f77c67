import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DirectoryError } from "../../../protocol/errors.js";
import { newContext } from "../../harness/context.js";
import { type Downloading, downloading } from "../../harness/downloading.js";
import { RegistryServer } from "../../harness/registry-server.js";

const server = await RegistryServer.start();
test.after(() => server.close());
test.before.each(() => {
  server.workers.clear();
  for (const name of ["iii", "coder", "shell"]) publish(name, "first");
  server.asked.length = 0;
});

function publish(name: string, content: string): void {
  server.workers.set(name, { name, version: "2.0.0", skills: [{ path: "skills/SKILL.md", content }] });
}

const added = (made: Downloading, worker?: string) =>
  made.registry.workerAdded(worker === undefined ? {} : { worker }, newContext(60_000));
const read = (made: Downloading, name: string): string => readFileSync(join(made.skills, name, "SKILL.md"), "utf8");
const marker = (made: Downloading, name: string): string => join(made.skills, name, ".iii-skill-complete");

for (const worker of [undefined, "", "unknown", "../../etc", "INVALID", "a/b"]) {
  test(`spec 04 §7.1: the event ${JSON.stringify({ worker })} is answered with ok and writes nothing`, async () => {
    const made = await downloading(server.url);
    assert.equal(await added(made, worker), { ok: true });
    assert.not(existsSync(marker(made, worker ?? "x")));
    if (worker !== "unknown") assert.equal(server.asked, []);
    await made.stop();
  });
}

test("spec 04 §7.1, §7.3: an added worker's skills are there, with a marker and a doorbell", async () => {
  const made = await downloading(server.url);
  await added(made, "coder");
  assert.is(read(made, "coder"), "first");
  assert.equal(server.asked, ["/w/coder/skills?version=latest"]);
  const { worker, source, tag_or_version, schema } = JSON.parse(readFileSync(marker(made, "coder"), "utf8")) as Record<
    string,
    unknown
  >;
  assert.equal([worker, source, tag_or_version, schema], ["coder", "registry", "latest", 1]);
  assert.equal(made.rung, [{ family: "skills", payload: { op: "download", namespace: "coder", source: "registry" } }]);
  publish("coder", "second");
  await added(made, "coder");
  assert.is(read(made, "coder"), "second");
  await made.stop();
});

test("spec 04 §7.3: a storm of events for one worker is one download", async () => {
  const made = await downloading(server.url);
  await Promise.all(Array.from({ length: 30 }, () => added(made, "coder")));
  assert.is(server.asked.length, 1);
  await made.stop();
});

test("U1, U3, decision 40: what was edited here stays, what was only old is renewed", async () => {
  server.workers.set("coder", {
    name: "coder",
    skills: [
      { path: "SKILL.md", content: "v1" },
      { path: "more.md", content: "v1" },
    ],
  });
  const made = await downloading(server.url);
  await added(made, "coder");
  writeFileSync(join(made.skills, "coder", "SKILL.md"), "edited");
  server.workers.set("coder", {
    name: "coder",
    skills: [
      { path: "SKILL.md", content: "v2" },
      { path: "more.md", content: "v2" },
    ],
  });
  await added(made, "coder");
  assert.is(read(made, "coder"), "edited");
  assert.is(readFileSync(join(made.skills, "coder", "more.md"), "utf8"), "v2");
  await made.stop();
});

test("U2: a file that is gone upstream stays, like everything that the user has put there", async () => {
  server.workers.set("coder", {
    name: "coder",
    skills: [
      { path: "a.md", content: "a" },
      { path: "b.md", content: "b" },
    ],
  });
  const made = await downloading(server.url);
  await added(made, "coder");
  writeFileSync(join(made.skills, "coder", "own.md"), "mine");
  server.workers.set("coder", { name: "coder", skills: [{ path: "a.md", content: "a2" }] });
  await added(made, "coder");
  for (const name of ["a.md", "b.md", "own.md"]) assert.ok(existsSync(join(made.skills, "coder", name)), name);
  await made.stop();
});

test("decision 9: what was pinned, or taken from git, is not touched", async () => {
  const made = await downloading(server.url);
  await made.registry.download({ worker: "coder", version: "2.0.0" }, newContext(60_000));
  publish("coder", "newer");
  server.asked.length = 0;
  await added(made, "coder");
  assert.equal([read(made, "coder"), server.asked], ["first", []]);
  mkdirSync(join(made.skills, "shell"));
  writeFileSync(marker(made, "shell"), JSON.stringify({ schema: 1, source: "repo" }));
  await added(made, "shell");
  assert.equal(server.asked, []);
  await made.stop();
});

/** The pass after the start waits two seconds; then it is polled for. */
async function reconciled(made: Downloading, name: string): Promise<void> {
  for (let turn = 0; turn < 200 && !existsSync(marker(made, name)); turn++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(existsSync(marker(made, name)), `${name} was fetched`);
}

test("spec 04 §7.5: after the start the engine's skills and those of the installed workers are fetched, one after another", async () => {
  const containers = ["iii", "coder", "shell", "unknown", "Bad Name", 5].map((container) => ({ container }));
  const made = await downloading(server.url, { reconcile: true, engine: () => ({ containers }) });
  mkdirSync(join(made.local, "shell"));
  await reconciled(made, "coder");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(server.asked, [
    "/w/iii/skills?version=latest",
    "/w/coder/skills?version=latest",
    "/w/unknown/skills?version=latest",
  ]);
  assert.equal(
    made.calls.filter(({ functionId }) => functionId === "compose::status").map(({ payload }) => payload),
    [{}],
  );
  await made.stop();
});

test("spec 04 §7.5: what has a marker is left as it is; without compose the older list is asked", async () => {
  const before = await downloading(server.url);
  await added(before, "coder");
  await before.stop();
  publish("coder", "newer");
  server.asked.length = 0;
  const made = await downloading(server.url, {
    reconcile: true,
    folders: before,
    engine: ({ functionId }) => {
      if (functionId === "compose::status") throw new DirectoryError("engine_error", "no", { code: "function_not_found" });
      return { workers: [{ name: "coder" }, { name: "shell" }] };
    },
  });
  await reconciled(made, "shell");
  assert.is(read(made, "coder"), "first");
  assert.not(server.asked.some((path) => path.includes("coder")));
  await made.stop();
});

test("spec 04 §11: ended while it waits, nothing is asked any more", async () => {
  const made = await downloading(server.url, { reconcile: true });
  await made.stop();
  await new Promise((resolve) => setTimeout(resolve, 2_200));
  assert.equal(server.asked, []);
});

test.run();
