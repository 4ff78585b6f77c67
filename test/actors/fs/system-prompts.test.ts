/** Spec 03 §11 "System prompt functions" and "Scanning and parsing", §12.24 to 12.33, §5: system prompts from the disk to the answer. */
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readPrompt } from "../../../domain/prompt-text.js";
import { DirectoryError } from "../../../protocol/errors.js";
import { type Content, content, write } from "../../harness/content.js";
import { newContext } from "../../harness/context.js";
import { ROOT } from "../../harness/shared.js";

const BUNDLED = ["iii-minimal", "iii-runtime"];
const prompt = (description: string, body = "Body.\n", name?: string): string =>
  `---\n${name === undefined ? "" : `name: ${name}\n`}description: ${description}\n---\n${body}`;

const outcome = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof DirectoryError ? `${error.code} ${error.message}` : `foreign: ${String(error)}`),
  );
const rows = async ({ fs }: Content) => (await fs.listSystemPrompts({}, newContext())).prompts;
const names = async (given: Content): Promise<string[]> => (await rows(given)).map(({ name }) => name);
const own = async (given: Content): Promise<string[]> =>
  (await rows(given)).filter(({ builtin }) => !builtin).map(({ name }) => name);
const get = ({ fs }: Content, name: string, raw?: boolean) =>
  fs.getSystemPrompt(raw === undefined ? { name } : { name, raw }, newContext());
const create = ({ fs }: Content, name: string, text: string) => fs.createSystemPrompt({ name, content: text }, newContext());
const update = ({ fs }: Content, name: string, text: string) => fs.updateSystemPrompt({ name, content: text }, newContext());
const remove = ({ fs }: Content, name: string) => fs.deleteSystemPrompt({ name }, newContext());
const starts = (text: string, beginning: string): void => assert.ok(text.startsWith(beginning), text);

const NAMES: readonly [name: string, fragment: string | undefined][] = [
  ["send-email", undefined],
  ["triage_ticket", undefined],
  ["a", undefined],
  ["v2", undefined],
  ["x".repeat(64), undefined],
  ["", "non-empty"],
  ["Bad", "lowercase"],
  ["a b", "lowercase"],
  ["a/b", "lowercase"],
  ["a::b", "lowercase"],
  ["../x", "lowercase"],
  ["é", "lowercase"],
  ["x".repeat(65), "too long: 65 bytes, where 64"],
  ["é".repeat(40), "too long: 80"],
];
for (const [name, fragment] of NAMES) {
  test(`spec 03 §11 system prompts, row 1, §12.32: the name ${JSON.stringify(name.slice(0, 16))} is ${fragment ?? "taken"}`, async () => {
    const given = await content();
    for (const call of [get(given, name), update(given, name, prompt("d")), remove(given, name)]) {
      const said = await outcome(call);
      if (fragment === undefined) starts(said, "D210 not_found: system prompt");
      else assert.ok(said.startsWith("invalid_request ") && said.includes(fragment), said);
    }
    const made = await outcome(create(given, name, prompt("d")));
    assert.is(fragment === undefined, made === "done", made);
  });
}

test("spec 03 §11 system prompts, row 2, decision 2: bundled ones until a file shadows them", async () => {
  const given = await content();
  assert.equal(await names(given), BUNDLED);
  for (const name of BUNDLED) {
    const embedded = readFileSync(join(ROOT, "skills", "system-prompts", `${name}.md`), "utf8");
    const got = await get(given, name, true);
    assert.is(got.builtin, true);
    assert.is(got.modified_at, "");
    assert.is(got.raw, embedded);
    assert.ok(got.raw?.startsWith("---\n"));
    assert.not.ok("raw" in (await get(given, name)));
  }
  assert.ok((await get(given, "iii-minimal")).body.startsWith("You are an iii agent."));
  write(given.base, { "skills/ns/system-prompts/iii-minimal.md": prompt("mine", "File.\n") });
  const shadow = await get(given, "iii-minimal", true);
  assert.is(shadow.builtin, false);
  assert.is(shadow.body, "File.\n");
  assert.is((await rows(given)).find(({ name }) => name === "iii-minimal")?.builtin, false);
  assert.not(existsSync(given.at("skills/system-prompts")), "nothing is ever seeded");
});

test("spec 03 §11 bundled, row 1: every bundled prompt parses and has what it needs", () => {
  for (const name of BUNDLED) {
    const text = readFileSync(join(ROOT, "skills", "system-prompts", `${name}.md`), "utf8");
    const read = readPrompt(text);
    assert.is(read.name, name);
    assert.ok(read.description.length > 0 && read.body.trim().length > 0);
    assert.match(read.body, /language of the latest message/);
  }
});

test("spec 03 §11 system prompts, rows 3 to 5: body as it is, a miss names the nearest, families are two spaces", async () => {
  const given = await content({
    "skills/system-prompts/real.md": prompt("d", "\nText.  \n\n"),
    "skills/ns/prompts/real.md": prompt("command", "Command.\n"),
  });
  assert.is((await get(given, "real")).body, "\nText.  \n\n");
  assert.is((await given.fs.getPrompt({ name: "real" }, newContext())).body, "Command.\n");
  const said = await outcome(get(given, "reel"));
  starts(said, 'D210 not_found: system prompt "reel" does not exist. Did you mean: real');
  assert.ok(said.includes("directory::system-prompts::list") && said.includes("iii-"), said);
});

test("spec 03 §11 system prompts, rows 6 to 8: update in place, rename, refusals", async () => {
  const given = await content({ "skills/system-prompts/real.md": prompt("one") });
  const path = given.at("skills/system-prompts/real.md");
  const text = prompt("two", "New.\n", "real-v2");
  const written = await update(given, "real", text);
  assert.is(written.name, "real-v2");
  assert.is(written.description, "two");
  assert.is(written.bytes, Buffer.byteLength(text));
  assert.match(written.modified_at, /^\d{4}-.*\+00:00$/);
  assert.is(readFileSync(path, "utf8"), text);
  assert.equal(given.rings, [{ family: "system-prompts", payload: { op: "update", name: "real-v2" } }]);
  for (const bad of ["No block.\n", "---\nname: real-v2\n---\nBody.\n", prompt("d", "B\n", "Bad Name")]) {
    starts(await outcome(update(given, "real-v2", bad)), "D213 invalid_input:");
  }
  assert.is(readFileSync(path, "utf8"), text);
  const said = await outcome(update(given, "rael-v2", text));
  starts(said, "D210 not_found:");
  assert.ok(said.includes("real-v2"), said);
  assert.is(given.rings.length, 1, "what fails rings nobody");
});

test("spec 03 §11 system prompts, row 9: update of a bundled one makes the file, the next one rewrites it", async () => {
  const given = await content();
  for (const text of [prompt("one", "1\n", "iii-runtime"), prompt("two", "2\n")]) {
    assert.is((await update(given, "iii-runtime", text)).name, "iii-runtime");
    assert.is(readFileSync(given.at("skills/system-prompts/iii-runtime.md"), "utf8"), text);
  }
  assert.is((await get(given, "iii-runtime")).builtin, false);
  starts(await outcome(update(given, "iii-minimal", prompt("d", "b\n", "other"))), "D213 invalid_input:");
});

test("spec 03 §11 system prompts, rows 10 to 15: create", async () => {
  const given = await content({
    "skills/ns/system-prompts/taken.md": prompt("d"),
    "skills/system-prompts/skipped.md": "no block\n",
  });
  const text = prompt("A pirate.", "Arr.\n", "pirate");
  const written = await create(given, "pirate", text);
  const { modified_at, ...rest } = written;
  assert.equal(rest, { name: "pirate", description: "A pirate.", bytes: Buffer.byteLength(text) });
  assert.is(readFileSync(given.at("skills/system-prompts/pirate.md"), "utf8"), text);
  assert.ok((await own(given)).includes("pirate"));
  assert.is((await rows(given)).find(({ name }) => name === "pirate")?.modified_at, modified_at);
  assert.equal(given.rings, [{ family: "system-prompts", payload: { op: "create", name: "pirate" } }]);
  assert.is(given.writes.length, 1);

  starts(await outcome(create(given, "taken", "")), "D214 invalid_input:");
  assert.not(existsSync(given.at("skills/system-prompts/taken.md")));
  const skipped = await outcome(create(given, "skipped", prompt("d")));
  starts(skipped, "D214 invalid_input:");
  assert.ok(skipped.includes("missing YAML frontmatter"), skipped);
  assert.is(readFileSync(given.at("skills/system-prompts/skipped.md"), "utf8"), "no block\n");
  for (const bad of ["Text\n", "---\nname: new\n---\nText\n", prompt("d", "b\n", "other")]) {
    starts(await outcome(create(given, "new", bad)), "D213 invalid_input:");
  }
  starts(await outcome(create(given, "new", "---\nname: x\n---\n \n")), "D113 invalid_input:");
  starts(await outcome(create(given, "Bad Name", text)), "invalid_request ");
  assert.not(existsSync(given.at("skills/system-prompts/new.md")));
  const again = await outcome(create(given, "pirate", text));
  starts(again, "D214 invalid_input:");
  assert.ok(again.includes("system prompt") && again.includes("directory::system-prompts::update"), again);
});

test("spec 03 §11 system prompts, rows 16, 17: its own family, delete of a renamed one", async () => {
  const given = await content({
    "skills/system-prompts/stem.md": prompt("d", "b\n", "other"),
    "skills/prompts/other.md": prompt("command"),
  });
  assert.is((await update(given, "other", prompt("new", "b\n", "other"))).description, "new");
  assert.equal(await remove(given, "other"), { name: "other" });
  assert.not(existsSync(given.at("skills/system-prompts/stem.md")));
  assert.ok(existsSync(given.at("skills/prompts/other.md")));
  assert.ok(existsSync(given.at("skills/system-prompts")), "§4.5: the emptied folder stays");
  starts(await outcome(remove(given, "other")), "D210 not_found: system prompt");
});

test("spec 03 §11 scanning, rows 5 to 7: what is served and what is skipped, and why", async () => {
  const given = await content({
    "skills/ns-a/system-prompts/one.md": prompt("first", "b\n", "same"),
    "skills/ns-b/system-prompts/two.md": prompt("second", "b\n", "same"),
    "skills/system-prompts/stem.md": prompt("d"),
    "skills/system-prompts/none.md": "Text.\n",
    "skills/system-prompts/bare.md": "---\nname: bare\n---\nText.\n",
    "skills/system-prompts/odd.md": prompt("d", "b\n", "Has Spaces"),
    "skills/ns/prompts/cmd.md": prompt("command"),
    "skills/ns/prompts/stem.md": prompt("command"),
    "skills/ns/system-prompts/sys.md": prompt("system"),
    "skills/ns/system-prompts/deep/er/x.md": prompt("deep"),
    "skills/promptsx/system-promptsx/a.md": prompt("skill"),
  });
  assert.equal(await own(given), ["same", "stem", "sys", "x"]);
  assert.is((await get(given, "same")).description, "first");
  assert.equal(
    (await given.fs.listPrompts({}, newContext())).prompts.map(({ name }) => name),
    ["cmd", "stem"],
  );
  const faults = (await given.fs.report({}, newContext())).faults.map(
    ({ path, reason }) => `${path.slice(given.base.length)} ${reason}`,
  );
  for (const [path, fragment] of [
    ["none.md", "missing YAML frontmatter"],
    ["bare.md", "description"],
    ["odd.md", "invalid prompt name"],
    ["two.md", "duplicate name"],
  ] as const) {
    assert.ok(
      faults.some((fault) => fault.includes(path) && fault.includes(fragment)),
      `${path}: ${faults.join("\n")}`,
    );
  }
  assert.equal(
    (await given.fs.listSkills({}, newContext())).skills.map(({ id }) => id),
    ["promptsx/system-promptsx/a"],
  );
});

test("spec 03 §11 scanning, row 13: a local system-prompts folder hides the global one", async () => {
  const given = await content({
    "skills/system-prompts/a.md": prompt("d"),
    "local/system-prompts/b.md": prompt("d"),
  });
  assert.equal(await own(given), ["b"]);
  const said = await outcome(create(given, "c", prompt("d")));
  starts(said, "D214 invalid_input:");
  assert.ok(said.includes(given.at("local/system-prompts")), said);
  starts(await outcome(update(given, "iii-minimal", prompt("d"))), "D214 invalid_input:");
  assert.not(existsSync(given.at("skills/system-prompts/c.md")));
  await remove(given, "b");
  assert.not(existsSync(given.at("local/system-prompts")), "§12.28: emptied, so it hides nothing any more");
  assert.ok(existsSync(given.at("local")));
  assert.equal(await own(given), ["a"]);
});

test("spec 03 §12.24: roots that lie inside each other show a file once", async () => {
  const given = await content(
    { "skills/iii/system-prompts/mine.md": prompt("local"), "skills/system-prompts/hidden.md": prompt("global") },
    { configuration: { local_skills_folder: "skills/iii" } },
  );
  assert.equal(await own(given), ["mine"]);
  starts(await outcome(create(given, "hidden", prompt("d"))), "D214 invalid_input:");
  starts(await outcome(create(given, "new", prompt("d"))), "D214 invalid_input:");
  await remove(given, "mine");
  assert.equal(await own(given), ["hidden"]);
  await create(given, "new", prompt("d"));
  assert.equal(await own(given), ["hidden", "new"]);
});

test("spec 03 §4.6: one folder as both roots hides nothing from itself", async () => {
  const given = await content({ "skills/system-prompts/a.md": prompt("d") }, { configuration: { local_skills_folder: "skills" } });
  await create(given, "b", prompt("d"));
  assert.equal(await own(given), ["a", "b"]);
});

test("spec 03 §12.25: a name in both roots is one row, and deleting the local one shows the other", async () => {
  const given = await content({
    "local/mine/system-prompts/same.md": prompt("local"),
    "skills/other/system-prompts/same.md": prompt("global"),
  });
  assert.equal(
    (await rows(given)).filter(({ name }) => name === "same").map(({ description }) => description),
    ["local"],
  );
  await remove(given, "same");
  assert.is((await get(given, "same")).description, "global");
});

test("spec 03 §12.26, §4.4: renames", async () => {
  const given = await content({
    "skills/system-prompts/open-pr.md": prompt("d"),
    "skills/system-prompts/taken.md": prompt("d"),
    "skills/system-prompts/Bad Stem.md": prompt("d", "b\n", "good"),
  });
  starts(await outcome(update(given, "open-pr", prompt("d", "b\n", "taken"))), "D214 invalid_input:");
  starts(await outcome(update(given, "good", prompt("d"))), "D213 invalid_input: invalid prompt name");
  assert.is((await update(given, "open-pr", prompt("d", "b\n", "open-pr-v2"))).name, "open-pr-v2");
  starts(await outcome(get(given, "open-pr")), "D210 ");
  const old = await outcome(create(given, "open-pr", prompt("d")));
  starts(old, "D214 ");
  assert.ok(old.includes('serves the system prompt "open-pr-v2"'), old);
  assert.is((await update(given, "open-pr-v2", prompt("d"))).name, "open-pr", "without a name the stem counts again");
  assert.is((await update(given, "open-pr", prompt("d", "b\n", "iii-minimal"))).name, "iii-minimal");
  assert.is((await get(given, "iii-minimal")).builtin, false);
  await remove(given, "iii-minimal");
  assert.not(existsSync(given.at("skills/system-prompts/open-pr.md")));
  assert.is((await get(given, "iii-minimal")).builtin, true);
});

for (const [what, body, served] of [
  ["nothing", "", false],
  ["line feeds", "\n\n", false],
  ["spaces", "  ", true],
  ["CR LF", "\r\n", true],
] as const) {
  test(`spec 03 §12.27: a body of ${what} is listed, and read ${served ? "as it is" : "never"}`, async () => {
    const given = await content({ "skills/system-prompts/a.md": prompt("d", body) });
    assert.equal(await own(given), ["a"]);
    if (served) assert.is((await get(given, "a")).body, body);
    else assert.match(await outcome(get(given, "a")), /empty body/);
    starts(await outcome(update(given, "a", prompt("d", body))), "D113 ");
  });
}

test("spec 03 §12.29: hidden folders, links, loops, a folder named x.md, capitals", async () => {
  const given = await content({
    "skills/.git/system-prompts/hidden.md": prompt("d"),
    "elsewhere/linked.md": prompt("d"),
    "skills/system-prompts/x.md/": "",
    "skills/system-prompts/UP.MD": prompt("d"),
  });
  symlinkSync(given.at("elsewhere"), given.at("skills/system-prompts/link"));
  symlinkSync(given.at("skills"), given.at("skills/system-prompts/loop"));
  assert.equal(await own(given), ["hidden", "linked"]);
});

test("spec 03 §12.30: a linked file stays a link, what it leads to is rewritten", async () => {
  const given = await content({ "elsewhere/real.md": prompt("one"), "skills/system-prompts/": "" });
  symlinkSync(given.at("elsewhere/real.md"), given.at("skills/system-prompts/a.md"));
  await update(given, "a", prompt("two"));
  assert.ok(lstatSync(given.at("skills/system-prompts/a.md")).isSymbolicLink());
  assert.is(readFileSync(given.at("elsewhere/real.md"), "utf8"), prompt("two"));
});

test("spec 03 §12.31: a shadow in another namespace is the file that update edits", async () => {
  const given = await content({ "skills/ns/system-prompts/iii-minimal.md": prompt("one") });
  await update(given, "iii-minimal", prompt("two"));
  assert.is(readFileSync(given.at("skills/ns/system-prompts/iii-minimal.md"), "utf8"), prompt("two"));
  assert.not(existsSync(given.at("skills/system-prompts")));
});

test("spec 03 §5: a bundled name with a skipped file in its place", async () => {
  const given = await content({ "skills/system-prompts/iii-minimal.md": "broken\n" });
  assert.is((await get(given, "iii-minimal")).builtin, true);
  starts(await outcome(create(given, "iii-minimal", prompt("d"))), "D214 ");
  starts(await outcome(update(given, "iii-minimal", prompt("d"))), "D214 ");
  const said = await outcome(remove(given, "iii-minimal"));
  starts(said, "D210 not_found:");
  assert.ok(said.includes("bundled"), said);
  assert.is(readFileSync(given.at("skills/system-prompts/iii-minimal.md"), "utf8"), "broken\n");
});

test("spec 03 §5: a bundled name without a file can be created, and deleting the shadow brings the bundled one back", async () => {
  const given = await content();
  await create(given, "iii-runtime", prompt("mine"));
  assert.is((await get(given, "iii-runtime")).builtin, false);
  await remove(given, "iii-runtime");
  assert.is((await get(given, "iii-runtime")).builtin, true);
});

test("spec 03 §12.32: exactly the cap is written, one more is not", async () => {
  const given = await content();
  const head = prompt("d", "");
  const full = `${head}${"é".repeat((262_144 - head.length) >> 1)}${(262_144 - head.length) % 2 === 1 ? "x" : ""}`;
  assert.is((await create(given, "full", full)).bytes, 262_144);
  starts(await outcome(create(given, "more", `${full}x`)), "D113 invalid_input: the content is too large");
  writeFileSync(given.at("skills/system-prompts/full.md"), `${full}x`);
  assert.equal(await own(given), ["full"], "listed by its head");
  assert.match(await outcome(get(given, "full")), /too large/);
});

test("spec 03 §12.33: a file that is not UTF-8 is left out, the others are served", async () => {
  const given = await content({
    "skills/system-prompts/bad.md": Buffer.from([...Buffer.from("---\ndescription: "), 0xff, 0xfe, ...Buffer.from("\n---\nx\n")]),
    "skills/system-prompts/good.md": prompt("d"),
    "skills/prompts/bad.md": Buffer.from([0xc3, 0x28]),
  });
  assert.equal(await own(given), ["good"]);
  assert.equal((await given.fs.listPrompts({}, newContext())).prompts, []);
});

test("spec 03 §1.6, §12.10: creates of one name at once make one file, of many names all of them", async () => {
  const given = await content();
  const said = await Promise.all(["1", "2", "3"].map((text) => outcome(create(given, "same", prompt(text)))));
  assert.equal(said.filter((one) => one === "done").length, 1);
  assert.equal(said.filter((one) => one.startsWith("D214 ")).length, 2);
  await Promise.all(["a", "b", "c", "d"].map((name) => create(given, name, prompt("d"))));
  assert.equal(await own(given), ["a", "b", "c", "d", "same"]);
  assert.is(given.rings.length, 5);
});

test("spec 03 §1.6: nothing is kept between two reads", async () => {
  const given = await content({ "skills/system-prompts/a.md": prompt("one") });
  assert.is((await get(given, "a")).description, "one");
  write(given.base, { "skills/system-prompts/a.md": prompt("other") });
  assert.is((await get(given, "a")).description, "other");
  rmSync(given.at("skills/system-prompts/a.md"));
  mkdirSync(given.at("skills/system-prompts/a.md"));
  starts(await outcome(get(given, "a")), "D210 ");
});

test("spec 03 §11 legacy feature file, §12.40: command prompts", async () => {
  const given = await content({
    "skills/mail/prompts/send-email.md": prompt("Sends.", "Write it.\n"),
    "skills/mail/prompts/plain.md": "No block.\n",
    "skills/system-prompts/prompts/both.md": prompt("system"),
    "skills/mail/system-prompts/send-email.md": prompt("system"),
  });
  const { prompts } = await given.fs.listPrompts({}, newContext());
  assert.equal(
    prompts.map(({ name, description }) => ({ name, description })),
    [{ name: "send-email", description: "Sends." }],
  );
  assert.ok(prompts[0]?.modified_at);
  const { modified_at, ...rest } = await given.fs.getPrompt({ name: "send-email" }, newContext());
  assert.equal(rest, { name: "send-email", description: "Sends.", body: "Write it.\n" });
  assert.ok(modified_at);
  const miss = await outcome(given.fs.getPrompt({ name: "nope" }, newContext()));
  starts(miss, 'D210 not_found: prompt "nope"');
  for (const fragment of ["not found", "directory::prompts::list", "send-email"]) assert.ok(miss.includes(fragment), miss);
  assert.not(miss.includes("system-prompts"), "§1.3: a pointer stays in its family");
  assert.match(await outcome(given.fs.getPrompt({ name: "" }, newContext())), /^invalid_request .*non-empty/);
  assert.match(await outcome(given.fs.getPrompt({ name: "Bad/Name" }, newContext())), /^invalid_request .*lowercase/);
  assert.ok((await own(given)).includes("both"));
});

test("spec 03 §12.40: whether downloads write command prompts has no say in what is read", async () => {
  for (const download_command_prompts of [true, false]) {
    const given = await content({ "skills/ns/prompts/a.md": prompt("d") }, { configuration: { download_command_prompts } });
    const { prompts } = await given.fs.listPrompts({}, newContext());
    assert.equal(
      prompts.map(({ name }) => name),
      ["a"],
    );
  }
});

test("field fault P1: reads at the same moment share a scan, and one that comes later sees what was written before it", async () => {
  const given = await content(
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`skills/system-prompts/p${at}.md`, prompt("d")])),
  );
  const many = Promise.all(Array.from({ length: 200 }, () => own(given)));
  write(given.base, { "skills/system-prompts/late.md": prompt("d") });
  assert.ok((await own(given)).includes("late"));
  for (const seen of await many) assert.ok(seen.length >= 50);
});

test.run();
