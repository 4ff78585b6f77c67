/** Spec 03 §11 "Agent profile functions", "Scanning and parsing" and "Bundled", §5 to §8 and §12: agent profiles from the disk to the answer. */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { unknownFunctions } from "../../../actors/fs/unknown-functions.js";
import { readAgentProfile } from "../../../domain/agent-profile.js";
import type { EngineCall } from "../../../protocol/actors/services.js";
import type { CallContext } from "../../../protocol/call.js";
import { DirectoryError } from "../../../protocol/errors.js";
import { type Content, type ContentOptions, content, write } from "../../harness/content.js";
import { newContext } from "../../harness/context.js";
import { ROOT } from "../../harness/shared.js";

const BUNDLED = ["iii", "iii-minimal"];
const profile = (yaml: string, body = ""): string => `---\n${yaml}\n---\n${body}`;
const outcome = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof DirectoryError ? `${error.code} ${error.message}` : `foreign: ${String(error)}`),
  );
const starts = (text: string, beginning: string): void => assert.ok(text.startsWith(beginning), text);
const holds = (text: string, ...fragments: string[]): void => {
  for (const fragment of fragments) assert.ok(text.includes(fragment), `${fragment} is missing in: ${text}`);
};
const rows = async ({ fs }: Content) => (await fs.listAgents({}, newContext())).agents;
const row = async (given: Content, id: string) => {
  const found = (await rows(given)).find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no row ${id}`);
  return found;
};
const own = async (given: Content): Promise<string[]> => (await rows(given)).filter(({ builtin }) => !builtin).map(({ id }) => id);
const get = ({ fs }: Content, id: string, raw?: boolean) => fs.getAgent(raw === undefined ? { id } : { id, raw }, newContext());
const create = ({ fs }: Content, id: string, text: string) => fs.createAgent({ id, content: text }, newContext());
const update = ({ fs }: Content, id: string, text: string) => fs.updateAgent({ id, content: text }, newContext());
const remove = ({ fs }: Content, id: string) => fs.deleteAgent({ id }, newContext());
const add = ({ fs }: Content, id: string, ...functions: string[]) => fs.addAgentFunctions({ id, functions }, newContext());
const take = ({ fs }: Content, id: string, ...functions: string[]) => fs.removeAgentFunctions({ id, functions }, newContext());
const agents = (files: Readonly<Record<string, string | Buffer>>, options: ContentOptions = {}): Promise<Content> =>
  content(Object.fromEntries(Object.entries(files).map(([id, text]) => [`agents/${id}.md`, text])), options);
const read = (given: Content, id: string): string => readFileSync(given.at("agents", `${id}.md`), "utf8");

test("spec 03 §11 agents, row 1: every field in the list and in get; unknown skills", async () => {
  const text = profile(
    "name: Ship\ndescription: Sails.\nlogo: 🚢\nskills: [iii-sandbox, ghost/page]\nmodel: m1\nreasoning_effort: high\nicon: search\ncolor: purple",
    "You sail.\n",
  );
  const given = await agents({ ship: text });
  write(given.base, { "skills/iii-sandbox/index.md": "# Sandbox\n" });
  const { modified_at, ...listed } = await row(given, "ship");
  assert.ok(modified_at);
  const shared = {
    id: "ship",
    name: "Ship",
    description: "Sails.",
    logo: "🚢",
    model: "m1",
    reasoning_effort: "high",
    icon: "search",
    color: "purple",
    extends: null,
    builtin: false,
  };
  assert.equal(listed, { ...shared, skill_count: 2, function_count: 0 });
  assert.is((await own(given)).length, 1);
  const got = await get(given, "ship", true);
  assert.equal(got, {
    ...shared,
    system_prompt: "You sail.\n",
    skills: ["iii-sandbox", "ghost/page"],
    unknown_skills: ["ghost/page"],
    functions: [],
    unknown_functions: [],
    raw: text,
    modified_at,
  });
  assert.not.ok("raw" in (await get(given, "ship", false)));
});

test("spec 03 §11 agents, rows 2 to 4: bare profile, a miss, where profiles are looked for", async () => {
  const given = await agents({ real: profile("name: R\ndescription: d") });
  write(given.base, { "skills/ns/agents/other.md": profile("name: O"), "agents/nested/deep.md": profile("name: D") });
  const got = await get(given, "real");
  assert.equal([got.skills, got.unknown_skills, got.logo, got.model], [[], [], null, null]);
  assert.is((await row(given, "real")).skill_count, null);
  const said = await outcome(get(given, "reel"));
  starts(said, "D410 not_found: agent profile");
  holds(said, "real", "directory::agents::list");
  assert.equal(
    (await rows(given)).map(({ id }) => id),
    [...BUNDLED, "real"],
  );
});

test("spec 03 §11 agents, row 5: create, again, update, delete, update; one ring for each that changed something", async () => {
  const given = await agents({});
  const text = profile("name: One", "Prompt.\n");
  const written = await create(given, "new", text);
  assert.equal(
    { ...written, modified_at: "" },
    { id: "new", name: "One", description: "", logo: null, bytes: Buffer.byteLength(text), modified_at: "" },
  );
  assert.is(read(given, "new"), text);
  const again = await outcome(create(given, "new", "bad"));
  starts(again, "D414 invalid_input:");
  holds(again, "directory::agents::update");
  assert.is((await update(given, "new", profile("name: Two", "Other.\n"))).name, "Two");
  assert.is((await get(given, "new")).system_prompt, "Other.\n");
  assert.equal(await remove(given, "new"), { id: "new" });
  assert.not(existsSync(given.at("agents/new.md")));
  starts(await outcome(update(given, "new", text)), "D410 not_found: agent profile");
  assert.equal(
    given.rings,
    ["create", "update", "delete"].map((op) => ({ family: "agents", payload: { op, name: "new" } })),
  );
});

const REFUSED: readonly [what: string, text: string, fragment: string][] = [
  ["no frontmatter", "Text.\n", "missing YAML frontmatter"],
  ["an empty block", "---\n---\nText.\n", "missing YAML frontmatter"],
  ["a leading blank line", `\n${profile("name: a")}`, "missing YAML frontmatter"],
  ["a closer with a space", "---\nname: a\n--- \nText\n", "missing YAML frontmatter"],
  ["dots as closer", "---\nname: a\n...\nText\n", "missing YAML frontmatter"],
  ["no name", profile("description: d"), "non-empty `name`"],
  ["a blank name", profile("name: '  '"), "non-empty `name`"],
  ["a null name", profile("name: ~"), "non-empty `name`"],
  ["a path as logo", profile("name: a\nlogo: ./x.png"), "emoji only"],
  ["a logo with a space", profile("name: a\nlogo: a b"), "emoji only"],
  ["an empty quoted logo", profile('name: a\nlogo: ""'), "emoji only"],
  ["five ships", profile("name: a\nlogo: 🚢🚢🚢🚢🚢"), "emoji only"],
  ["letters as logo", profile("name: a\nlogo: ABC"), "emoji only"],
  ["a digit as logo", profile("name: a\nlogo: 1"), "emoji only"],
  ["a backslash", profile("name: a\nlogo: '\\'"), "emoji only"],
  ["17 bytes", profile("name: a\nlogo: 🚢🚢🚢⚡©"), "emoji only"],
  ["a family, 25 bytes", profile("name: a\nlogo: 👨‍👩‍👧‍👦"), "emoji only"],
  ["a no-break space", profile("name: a\nlogo: '🚢\u00a0🚢'"), "emoji only"],
  ["an unknown icon", profile("name: a\nicon: rocket"), "`icon` must be one of"],
  ["a capital icon", profile("name: a\nicon: Search"), "`icon` must be one of"],
  ["an unknown colour", profile("name: a\ncolor: ultraviolet"), "`color` must be one of"],
  ["a blank function", profile("name: a\nfunctions: ['']"), "non-empty"],
  ["a function with a space", profile("name: a\nfunctions: ['a b']"), "whitespace"],
  ["functions as one text", profile("name: a\nfunctions: a::b"), "`functions` must be a list"],
  ["functions as a map", profile("name: a\nfunctions: {a: b}"), "`functions` must be a list"],
  ["a nested list", profile("name: a\nskills: [[a]]"), "`skills` must be a list"],
  ["a map in a list", profile("name: a\nskills:\n  - a: b"), "`skills` must be a list"],
  ["a list as model", profile("name: a\nmodel: [m]"), "`model` must be one text"],
  ["a key twice", profile("name: a\nname: b"), "not valid YAML"],
  ["a list as root", profile("- name"), "not valid YAML"],
  ["two documents", "---\nname: a\n--- # more\nname: b\n---\n", "not valid YAML"],
  ["a plain scalar that begins with @", profile("name: @a"), "not valid YAML"],
];
for (const [what, text, fragment] of REFUSED) {
  test(`spec 03 §11 agents, row 6, §12.18 to 12.22: ${what} is refused when written and left out when found`, async () => {
    const given = await agents({ found: text, good: profile("name: g") });
    const said = await outcome(create(given, "new", text));
    starts(said, "invalid_request ");
    holds(said, fragment);
    starts(await outcome(update(given, "good", text)), "invalid_request ");
    assert.is(read(given, "good"), profile("name: g"));
    assert.equal(await own(given), ["good"]);
    const faults = (await given.fs.report({}, newContext())).faults.filter(({ path }) => path.endsWith("found.md"));
    holds(faults[0]?.reason ?? "", fragment);
    assert.equal(given.rings, []);
  });
}

const LOGOS = ["🚢", "⚡🔥", "❤️", "1️⃣", "🇨🇭", "👍🏽", "🏴‍☠️", "🚢🚢🚢🚢"];
for (const logo of LOGOS) {
  test(`spec 03 §11 scanning, row 12, decision 4: the logo ${logo} passes`, async () => {
    const given = await agents({});
    assert.is((await create(given, "a", profile(`name: a\nlogo: ' ${logo} '`))).logo, logo);
    assert.is((await row(given, "a")).logo, logo);
  });
}

test("spec 03 §11 agents, rows 7, 8: an empty body is a profile, and one that extends another has its text", async () => {
  const given = await agents({ base: profile("name: Base", "Base body.\n") });
  await create(given, "empty", profile("name: E"));
  const got = await get(given, "empty", true);
  assert.is(got.system_prompt, "");
  starts(got.raw ?? "", "---");
  assert.ok((await own(given)).includes("empty"));
  await update(given, "empty", profile("name: E\nextends: base"));
  assert.is((await get(given, "empty")).system_prompt, "Base body.\n");
});

test("spec 03 §11 agents, row 9: a file that is no profile is not written over", async () => {
  const given = await agents({ ghost: "mine\n" });
  const said = await outcome(create(given, "ghost", profile("name: g")));
  starts(said, "D414 invalid_input:");
  holds(said, "already exists at");
  assert.is(read(given, "ghost"), "mine\n");
});

test("spec 03 §11 agents, row 12, field faults U10, U13: what a child takes, and what it doesn't", async () => {
  const given = await agents({
    base: profile(
      "name: Base\ndescription: of base\nlogo: 🚢\nskills: [a, b]\nmodel: m1\nreasoning_effort: high\nicon: code\ncolor: blue",
      "Base body.\n\n",
    ),
    child: profile("name: Child\nextends: base", "Child body.\n"),
    narrow: profile("name: Narrow\nextends: child\nskills: [c]\nmodel: m2", "Narrow.\n"),
  });
  const child = await get(given, "child", true);
  assert.is(child.system_prompt, "Base body.\n\nChild body.\n");
  assert.equal(child.skills, ["a", "b"]);
  assert.equal([child.model, child.reasoning_effort], ["m1", "high"]);
  assert.equal([child.name, child.description, child.logo, child.icon, child.color], ["Child", "", null, null, null]);
  assert.is(child.raw, read(given, "child"));
  const narrow = await get(given, "narrow");
  assert.is(narrow.system_prompt, "Base body.\n\nChild body.\n\nNarrow.\n");
  assert.equal(narrow.skills, ["a", "b", "c"]);
  assert.equal([narrow.model, narrow.reasoning_effort], ["m2", "high"]);
  const listed = await row(given, "child");
  assert.equal([listed.model, listed.reasoning_effort, listed.skill_count, listed.extends], ["m1", "high", 2, "base"]);
});

test("spec 03 §11 agents, row 14: a child of a bundled profile", async () => {
  const given = await agents({ lead: profile("name: Lead\nextends: iii", "You lead.\n") });
  const { system_prompt, builtin, inheritance_error } = await get(given, "lead");
  starts(system_prompt, "You are an iii agent worker.");
  assert.ok(system_prompt.endsWith("\n\nYou lead.\n"));
  assert.is(builtin, false);
  assert.is(inheritance_error, undefined);
});

test("spec 03 §11 agents, row 15: an unknown parent", async () => {
  const text = profile("name: O\nextends: nope\nmodel: own\nskills: [s]\nfunctions: [f]", "Own.\n");
  const given = await agents({ orphan: text, kid: profile("name: K\nextends: orphan") });
  const got = await get(given, "orphan", true);
  starts(got.inheritance_error ?? "", 'D415 invalid_input: agent profile "orphan" extends unknown agent profile "nope".');
  holds(got.inheritance_error ?? "", "directory::agents::list");
  assert.equal([got.system_prompt, got.model, got.raw], ["Own.\n", "own", text]);
  const listed = await row(given, "orphan");
  assert.is(listed.inheritance_error, got.inheritance_error);
  assert.equal([listed.skill_count, listed.function_count], [1, 1], "§7.6: own entries only");
  await create(given, "orphan2", text);
  starts((await get(given, "orphan2")).inheritance_error ?? "", 'D415 invalid_input: agent profile "orphan2" ');
  const kid = (await get(given, "kid")).inheritance_error ?? "";
  starts(kid, 'D415 invalid_input: agent profile "kid" extends unknown agent profile "nope". It is named by "orphan".');
});

const chainOf = (length: number, last: string, body = true): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `p${index}`,
      profile(`name: P${index}${index === 0 ? last : `\nextends: p${index - 1}`}`, body ? `P${index}.\n` : ""),
    ]),
  );

test("spec 03 §11 agents, rows 16, 17, §12.13, field faults U9, U12: loops and depth", async () => {
  const given = await agents({
    a: profile("name: A\nextends: b", "A.\n"),
    b: profile("name: B\nextends: a"),
    c: profile("name: C\nextends: c"),
    iii: profile("name: I\nextends: iii", "Mine.\n"),
    x: profile("name: X\nextends: a"),
    ...chainOf(10, ""),
  });
  const error = async (id: string): Promise<string> => (await get(given, id)).inheritance_error ?? "";
  for (const [id, trail] of [
    ["a", "a → b → a."],
    ["b", "b → a → b."],
    ["c", "c → c."],
    ["iii", "iii → iii."],
    ["x", "x → a → b → a."],
  ] as const) {
    starts(await error(id), `D415 invalid_input: agent profile "${id}" has an extends loop: ${trail}`);
  }
  assert.is((await get(given, "a")).system_prompt, "A.\n");
  assert.is((await get(given, "iii")).system_prompt, "Mine.\n", "U9: by the contract a loop, the own prompt still served");
  const deep = await get(given, "p8");
  assert.is(deep.inheritance_error, undefined);
  assert.ok(deep.system_prompt.startsWith("P0.\n\nP1.\n") && deep.system_prompt.endsWith("P7.\n\nP8.\n"));
  holds(await error("p9"), "extends chain is deeper than 8 levels: p9 → p8");
  assert.is((await get(given, "p9")).system_prompt, "P9.\n");
});

for (const [length, fault] of [
  [9, "has an extends loop"],
  [10, "deeper than 8 levels"],
] as const) {
  test(`spec 03 §12.13: a cycle of ${length} profiles`, async () => {
    const given = await agents(chainOf(length, `\nextends: p${length - 1}`));
    for (const { id, inheritance_error } of await rows(given)) if (id.startsWith("p")) holds(inheritance_error ?? "", fault);
  });
}

test("spec 03 §12.13: eight levels that end in an unknown parent, and nine", async () => {
  const given = await agents(chainOf(9, "\nextends: nope"));
  holds((await get(given, "p7")).inheritance_error ?? "", 'unknown agent profile "nope"');
  holds((await get(given, "p8")).inheritance_error ?? "", "deeper than 8 levels");
});

test("field fault U12: in a diamond made of chains everything is there once, the parent's first", async () => {
  const given = await agents({
    a: profile("name: A\nfunctions: [f, g]\nskills: [s]", "A.\n"),
    b: profile("name: B\nextends: a\nfunctions: [g, f, h]\nskills: [s, t, t]", "B.\n"),
    d: profile("name: D\nextends: b\nfunctions: [h, f, i]\nskills: [t]", "D.\n"),
  });
  const got = await get(given, "d");
  assert.equal(
    [got.functions, got.skills],
    [
      ["f", "g", "h", "i"],
      ["s", "t"],
    ],
  );
  assert.is(got.system_prompt, "A.\n\nB.\n\nD.\n");
  const listed = await row(given, "d");
  assert.equal([listed.function_count, listed.skill_count], [4, 2]);
});

test("field fault U11: a model called inherit is passed on", async () => {
  const given = await agents({ a: profile("name: A\nmodel: m"), b: profile("name: B\nextends: a\nmodel: inherit") });
  assert.is((await get(given, "b")).model, "inherit");
});

test("spec 03 §11 agents, row 18, §5: life of a bundled profile", async () => {
  const given = await agents({});
  const before = await get(given, "iii", true);
  assert.is(before.raw, readFileSync(join(ROOT, "skills/agents/iii.md"), "utf8"));
  assert.equal([before.builtin, before.modified_at, before.extends], [true, "", null]);
  const listed = await row(given, "iii");
  assert.equal([listed.builtin, listed.skill_count, listed.function_count], [true, null, 0]);
  const said = await outcome(remove(given, "iii"));
  starts(said, "D414 invalid_input:");
  holds(said, "bundled");
  assert.is((await update(given, "iii", profile("name: Mine\ndescription: of mine"))).description, "of mine");
  assert.is((await get(given, "iii")).builtin, false);
  assert.is((await row(given, "iii")).builtin, false);
  await remove(given, "iii");
  assert.is((await get(given, "iii")).builtin, true);
  await create(given, "iii", profile("name: Again"));
  assert.is((await row(given, "iii")).builtin, false);
});

test("spec 03 §5: a bundled id with a skipped file in its place", async () => {
  const given = await agents({ iii: "broken\n" });
  assert.is((await get(given, "iii")).builtin, true);
  for (const call of [create(given, "iii", profile("name: a")), update(given, "iii", profile("name: a")), remove(given, "iii")]) {
    starts(await outcome(call), "D414 invalid_input:");
  }
  const edited = await take(given, "iii", "a::b");
  assert.equal([edited.unchanged, edited.modified_at, edited.bytes], [true, "", statSync(join(ROOT, "skills/agents/iii.md")).size]);
  starts(await outcome(add(given, "iii", "a::b")), "D414 invalid_input:");
  assert.is(read(given, "iii"), "broken\n", "§12.11");
});

test("spec 03 §11 agents, row 19: unknown skills of an ancestor", async () => {
  const given = await agents({
    base: profile("name: B\nskills: [known/index, ghost, KNOWN, ' known', known]"),
    kid: profile("name: K\nextends: base"),
  });
  write(given.base, { "skills/known/index.md": "# Known\n" });
  const kid = await get(given, "kid");
  assert.equal(kid.skills, ["known/index", "ghost", "KNOWN", " known", "known"], "§12.16: exactly as they are written");
  assert.equal(kid.unknown_skills, ["ghost", "KNOWN", " known"]);
});

test("spec 03 §12.35: while the daemon can't be asked no skill is called unknown for its worker", async () => {
  const given = await agents(
    { a: profile("name: A\nskills: [known/page, ghost/page]") },
    { configuration: { filter_unregistered: true, registry_cache_ttl_ms: 0 } },
  );
  write(given.base, { "skills/known/page.md": "# Page\n" });
  assert.equal((await get(given, "a")).unknown_skills, ["ghost/page"]);
  given.configuration.add({ generation: 2, values: given.configuration.current });
  given.installed = ["other"];
  assert.equal((await get(given, "a")).unknown_skills, ["known/page", "ghost/page"]);
});

test("spec 03 §11 agents, rows 20 to 23: add and remove", async () => {
  const original = profile("name: A # mine\nskills: [x, y]", "Body.\n");
  const given = await agents({ a: original });
  assert.is((await row(given, "a")).function_count, 0);
  const added = await add(given, "a", "coder::tree", " coder::search ", "coder::tree");
  const ids = ["coder::tree", "coder::search"];
  assert.equal([added.functions, added.added, added.removed, added.unchanged], [ids, ids, [], false]);
  assert.is(read(given, "a"), profile("name: A # mine\nskills: [x, y]\nfunctions:\n  - coder::tree\n  - coder::search", "Body.\n"));
  assert.is(added.bytes, statSync(given.at("agents/a.md")).size);
  const before = statSync(given.at("agents/a.md"), { bigint: true }).mtimeNs;
  const same = await add(given, "a", "coder::tree");
  assert.equal([same.unchanged, same.added, same.bytes, same.modified_at], [true, [], added.bytes, added.modified_at]);
  assert.is(statSync(given.at("agents/a.md"), { bigint: true }).mtimeNs, before);
  assert.equal((await add(given, "a", "x::y")).functions, [...ids, "x::y"]);
  const got = await get(given, "a");
  assert.equal([got.functions.length, got.unknown_functions], [3, []]);
  assert.is((await row(given, "a")).function_count, 3);
  assert.equal((await take(given, "a", "x::y", "absent")).removed, ["x::y"]);
  assert.is((await take(given, "a", "absent")).unchanged, true);
  await take(given, "a", ...ids);
  assert.is(read(given, "a"), original);
  assert.equal(
    given.rings,
    Array.from({ length: 4 }, () => ({ family: "agents", payload: { op: "update", name: "a" } })),
    "§12.36: unchanged calls ring nobody",
  );
});

test("spec 03 §11 agents, row 24, §12.9: refused requests leave the file alone", async () => {
  const given = await agents({ a: profile("name: A\nfunctions: [ok]") });
  starts(await outcome(add(given, "a")), "D416 invalid_input:");
  starts(await outcome(add(given, "a", "  ")), "D416 invalid_input:");
  holds(await outcome(add(given, "a", "good", "coder tree")), "D416 invalid_input:", "whitespace");
  starts(await outcome(take(given, "nope", "x")), "D410 not_found:");
  starts(await outcome(take(given, "nope")), "D416 ");
  starts(await outcome(add(given, "Bad", "x")), "invalid_request ");
  const cap = 262_144 - profile("name: A\nfunctions: [ok]").length - 20;
  await update(given, "a", profile("name: A\nfunctions: [ok]", "x".repeat(cap)));
  const before = read(given, "a");
  holds(await outcome(add(given, "a", "long::enough_to_be_too_much")), "too large");
  assert.is(read(given, "a"), before);
});

test("spec 03 §11 agents, row 25: inherited functions and edits of them", async () => {
  const given = await agents({
    base: profile("name: B\nfunctions: [fp::one, fp::two]"),
    kid: profile("name: K\nextends: base"),
    grandkid: profile("name: G\nextends: kid"),
  });
  assert.equal([(await get(given, "kid")).functions.length, (await row(given, "kid")).function_count], [2, 2]);
  assert.equal((await add(given, "kid", "fp::pipe")).functions, ["fp::pipe"]);
  assert.equal((await get(given, "kid")).functions, ["fp::one", "fp::two", "fp::pipe"]);
  assert.equal((await add(given, "kid", "fp::one")).added, ["fp::one"], "§8.6: written, though a parent has it");
  assert.equal((await get(given, "kid")).functions, ["fp::one", "fp::two", "fp::pipe"]);
  assert.is((await row(given, "kid")).function_count, 3);
  assert.is((await get(given, "grandkid")).functions.length, 3);
  const base = read(given, "base");
  assert.is((await take(given, "kid", "fp::two")).unchanged, true);
  await take(given, "kid", "fp::pipe", "fp::one");
  assert.is(read(given, "base"), base);
  assert.equal((await get(given, "kid")).functions, ["fp::one", "fp::two"]);
});

test("spec 03 §11 agents, row 26: a bundled profile gets a file only when something changes", async () => {
  const given = await agents({});
  assert.is((await take(given, "iii", "x::y")).unchanged, true);
  assert.not(existsSync(given.at("agents/iii.md")));
  assert.equal(given.rings, []);
  const edited = await add(given, "iii", "x::y");
  assert.equal(edited.functions, ["x::y"]);
  const got = await get(given, "iii", true);
  assert.is(got.builtin, false);
  starts(got.system_prompt, "You are an iii agent worker.");
  holds(got.raw ?? "", "functions:\n  - x::y\n---\n");
});

const info = (answer: (ids: readonly string[]) => unknown) => (call: EngineCall) =>
  call.functionId === "engine::functions::info" ? answer((call.payload as { function_ids: string[] }).function_ids) : undefined;

test("spec 03 §11 agents, row 27, §7.5: which functions the engine doesn't know", async () => {
  const engine = info(() => ({ functions: [{ function_id: "a::known" }, { function_id: "b::gone", error: "not_found" }] }));
  const given = await agents(
    { a: profile("name: A\nfunctions: [b::gone, a::known, c::silent]"), none: profile("name: N") },
    { engine },
  );
  assert.equal((await get(given, "a")).unknown_functions, ["b::gone", "c::silent"]);
  const [call] = given.calls.filter(({ functionId }) => functionId === "engine::functions::info");
  assert.equal([call?.timeoutMs, call?.payload], [5_000, { function_ids: ["b::gone", "a::known", "c::silent"] }]);
  given.calls.length = 0;
  await get(given, "none");
  assert.equal(given.calls, [], "§12.34: nobody is asked about nothing");
});

for (const [what, answer, unknown] of [
  ["an answer without a list", () => ({}), ["f::0"]],
  ["null", () => ({ functions: [null, 3, { function_id: 4 }] }), ["f::0"]],
  ["a failure", () => Promise.reject(new DirectoryError("deadline_exceeded", "late")), []],
] as const) {
  test(`spec 03 §12.34: the engine gives ${what}, and get answers`, async () => {
    const given = await agents({ a: profile("name: A\nfunctions: [f::0]") }, { engine: info(answer) });
    assert.equal((await get(given, "a")).unknown_functions, unknown);
  });
}

test("spec 03 §12.34: 33 ids are asked in two batches, and when the second fails nothing is called unknown", async () => {
  const ids = Array.from({ length: 33 }, (_, index) => `f::${index}`);
  let fails = true;
  const batches: number[] = [];
  const engine = info((asked) => {
    batches.push(asked.length);
    return asked.length === 1 && fails ? Promise.reject(new DirectoryError("engine_error", "gone")) : { functions: [] };
  });
  const given = await agents({ a: profile(`name: A\nfunctions: [${ids.join(", ")}]`) }, { engine });
  assert.equal((await get(given, "a")).unknown_functions, []);
  assert.equal(batches, [32, 1]);
  fails = false;
  assert.equal((await get(given, "a")).unknown_functions, ids);
});

test("spec 03 §12.34: the engine is given five seconds at most, and never the whole time of the caller", async () => {
  const deadlines: number[] = [];
  const bus = { call: async (_: EngineCall, { deadline }: CallContext) => void deadlines.push(deadline) };
  const begin = Date.now();
  await unknownFunctions(["a::b"], bus, { requestId: "r", deadline: begin + 60_000 });
  await unknownFunctions(["a::b"], bus, { requestId: "r", deadline: begin + 900 });
  assert.ok((deadlines[0] ?? 0) <= Date.now() + 5_000 && (deadlines[0] ?? 0) >= begin + 5_000);
  assert.is(deadlines[1], begin + 900);
  const asked: number[] = [];
  const given = await agents({ a: profile("name: A\nfunctions: [f]") }, { engine: (call) => void asked.push(call.timeoutMs ?? 0) });
  const context = newContext(1_000);
  assert.equal((await given.fs.getAgent({ id: "a" }, context)).unknown_functions, [], "a failing engine is no failing get");
  assert.equal(asked, [5_000]);
});

test("spec 03 §11 scanning, rows 2, 8 to 11: fields, skipped files, nested files", async () => {
  const given = await agents({
    plain: "Text.\n",
    nameless: profile("description: d"),
    logo: profile("name: L\nlogo: ./x.png"),
    "Bad-Stem": profile("name: B"),
    good: profile("name: ' Good '\nextends: ''\nfunctions: [' a ', b, a]\nmodel: ' '"),
  });
  write(given.base, { "agents/nested/ignored.md": profile("name: I") });
  assert.equal(await own(given), ["good"]);
  const got = await get(given, "good");
  assert.equal([got.name, got.description, got.extends, got.functions, got.model], ["Good", "", null, ["a", "b"], null]);
  const faults = (await given.fs.report({}, newContext())).faults.map(({ path, reason }) => `${path} ${reason}`);
  assert.is(faults.length, 4);
  for (const fragment of ["missing YAML frontmatter", "non-empty `name`", "emoji only", "invalid agent profile id"]) {
    assert.ok(
      faults.some((fault) => fault.includes(fragment)),
      faults.join("\n"),
    );
  }
});

test("spec 03 §11 bundled, rows 1, 2: what the worker brings is in order", () => {
  for (const id of BUNDLED) {
    const text = readFileSync(join(ROOT, "skills/agents", `${id}.md`), "utf8");
    const read = readAgentProfile(text);
    assert.ok(text.startsWith("---\n") && read.description.length > 0 && read.body.trim().length > 0);
    assert.is(read.extends, null);
    assert.match(read.body, /language of the\s+latest message/);
    starts(read.body, id === "iii" ? "You are an iii agent worker." : "You are an iii agent.");
  }
  const minimal = (folder: string): string => readFileSync(join(ROOT, "skills", folder, "iii-minimal.md"), "utf8");
  assert.is(minimal("agents"), minimal("system-prompts"), "§7.7: one text");
});

test("spec 03 §12.10: edits at once all count, and each rings once", async () => {
  const given = await agents({ a: profile("name: A") });
  const ids = Array.from({ length: 12 }, (_, index) => `f::${index}`);
  await Promise.all(ids.map((id) => add(given, "a", id)));
  assert.equal([...(await get(given, "a")).functions].sort(), [...ids].sort());
  assert.is(given.rings.length, 12);
  await Promise.all([
    add(given, "a", "late::one"),
    update(given, "a", profile("name: B\nfunctions: [mine]")),
    add(given, "a", "late::two"),
  ]);
  const got = await get(given, "a");
  assert.equal([got.name, got.functions], ["B", ["mine", "late::two"]], "in the order of the calls");
  assert.is(given.rings.length, 15);
});

test("spec 03 §12.12: blank bodies, CR LF, leading blank lines", async () => {
  const given = await agents({
    blank: profile("name: A", "\n  \n"),
    kid: profile("name: B\nextends: blank"),
    crlf: profile("name: C\nextends: blank", "\n\nText.\r\n"),
    last: profile("name: D\nextends: crlf", "Own.\n\n\n"),
    empty: profile("name: E\nextends: last", " \n"),
  });
  assert.is((await get(given, "blank")).system_prompt, "");
  assert.is((await get(given, "kid")).system_prompt, "");
  assert.is((await get(given, "crlf")).system_prompt, "\n\nText.\r\n");
  assert.is((await get(given, "last")).system_prompt, "\n\nText.\r\n\nOwn.\n\n\n".replace("\r\n\n", "\r\n\n"));
  assert.is((await get(given, "empty")).system_prompt, (await get(given, "last")).system_prompt);
});

test("spec 03 §12.14: a parent that is skipped, too large, or gone", async () => {
  const big = profile("name: Big", "x".repeat(262_144));
  const given = await agents({
    skipped: "no profile\n",
    one: profile("name: 1\nextends: skipped"),
    big,
    two: profile("name: 2\nextends: big"),
    parent: profile("name: P"),
    three: profile("name: 3\nextends: parent"),
  });
  holds((await get(given, "one")).inheritance_error ?? "", 'unknown agent profile "skipped"');
  assert.ok((await own(given)).includes("big"), "listed by its head");
  assert.is((await row(given, "two")).inheritance_error, undefined);
  holds(await outcome(get(given, "two")), "too large");
  holds(await outcome(get(given, "big")), "too large");
  holds(await outcome(add(given, "big", "a")), "too large");
  const reads = [...Array.from({ length: 20 }, () => rows(given)), remove(given, "parent")];
  await Promise.all(reads);
  holds((await row(given, "three")).inheritance_error ?? "", 'unknown agent profile "parent"');
});

test("issue 7: a parent that is edited while its child is read gives one of both states", async () => {
  const given = await agents({ parent: profile("name: P", "Old.\n"), kid: profile("name: K\nextends: parent", "Kid.\n") });
  const seen = new Set<string>();
  for (let round = 0; round < 30; round++) {
    const body = round % 2 === 0 ? "New.\n" : "Old.\n";
    const [got] = await Promise.all([get(given, "kid"), update(given, "parent", profile("name: P", body))]);
    seen.add(got.system_prompt);
  }
  for (const prompt of seen) assert.ok(["Old.\n\nKid.\n", "New.\n\nKid.\n"].includes(prompt), prompt);
});

test("spec 03 §12.15: shadows that extend bundled profiles, and their end", async () => {
  const given = await agents({
    iii: profile("name: I\nextends: iii-minimal", "Mine.\n"),
    kid: profile("name: K\nextends: iii", "Kid.\n"),
  });
  const kid = await get(given, "kid");
  starts(kid.system_prompt, "You are an iii agent. ");
  assert.ok(kid.system_prompt.endsWith("\n\nMine.\n\nKid.\n"));
  await create(given, "iii-minimal", profile("name: M\nextends: iii"));
  holds((await get(given, "kid")).inheritance_error ?? "", "kid → iii → iii-minimal → iii");
  await remove(given, "iii");
  const after = await get(given, "kid");
  assert.is(after.inheritance_error, undefined);
  starts(after.system_prompt, "You are an iii agent worker.");
});

test("spec 03 §12.17: effort of the root, model of the child", async () => {
  const given = await agents({
    root: profile("name: R\nreasoning_effort: low"),
    kid: profile("name: K\nextends: root\nmodel: m"),
  });
  const { model, reasoning_effort } = await get(given, "kid");
  assert.equal([model, reasoning_effort], ["m", "low"]);
});

test("spec 03 §12.18, field faults F3, F7: a byte order mark, CR LF and a rule in the body", async () => {
  const given = await agents({
    bom: `\uFEFF${profile("name: Bom", "B.\n")}`,
    crlf: "---\r\nname: C\r\n---\r\nText\n---\nmore\n",
    bare: "---\nname: E\n---",
  });
  assert.equal(await own(given), ["bare", "bom", "crlf"]);
  assert.is((await get(given, "bom", true)).raw, `\uFEFF${profile("name: Bom", "B.\n")}`);
  assert.is((await get(given, "crlf")).system_prompt, "Text\n---\nmore\n");
  assert.is((await get(given, "bare")).system_prompt, "");
});

const SCALARS: readonly [yaml: string, field: "name" | "description" | "model", value: string | null][] = [
  ["name: 123", "name", "123"],
  ["name: 1.10", "name", "1.10"],
  ["name: yes", "name", "yes"],
  ["name: 0x10", "name", "0x10"],
  ['name: "null"', "name", "null"],
  ["name: NULL", "name", "NULL"],
  ["name: a\nmodel: 5", "model", "5"],
  ["name: a\nmodel: ~", "model", null],
  ["name: a\nmodel: null", "model", null],
  ["name: a\nmodel: 'null'", "model", "null"],
  ["name: a\nmodel:", "model", null],
  ["name: a\ndescription: yes", "description", "yes"],
  ["name: a\ndescription: 2024-01-01", "description", "2024-01-01"],
  ["name: &n a\ndescription: *n", "description", "a"],
  ["name: !!int a\nunknown: {deep: [x]}", "name", "a"],
];
for (const [yaml, field, value] of SCALARS) {
  test(`spec 03 §12.19, §1.5: ${JSON.stringify(yaml)} gives ${field} ${JSON.stringify(value)}`, () => {
    assert.is(readAgentProfile(profile(yaml))[field], value);
  });
}

for (const [yaml, list] of [
  ["functions:", []],
  ["functions: ~", []],
  ["functions: [a, 1, true, null]", ["a", "1", "true", "null"]],
  ["functions: [a,\n  b,\nc\n]", ["a", "b", "c"]],
  ["functions:\n- a\n- b", ["a", "b"]],
  ["skills: &l [a]\nfunctions: *l", ["a"]],
] as const) {
  test(`spec 03 §12.20, §1.5: ${JSON.stringify(yaml)}`, () => {
    assert.equal(readAgentProfile(profile(`name: a\n${yaml}`)).functions, list);
  });
}

test("spec 03 §12.21, field fault F5: the last id of a CR LF file ends where it ends", () => {
  assert.equal(readAgentProfile("---\r\nname: a\r\nskills:\r\n  - x\r\n  - y\r\n---\r\n").skills, ["x", "y"]);
});

test("spec 03 §12.22: an icon is trimmed", () => assert.is(readAgentProfile(profile("name: a\nicon: ' search '")).icon, "search"));

test("spec 03 §12.23: unknown keys load and survive an edit", async () => {
  const text = profile("name: A\nhidden: true\ncomposer_placeholder: 'ask'", "B\n");
  const given = await agents({ a: text });
  await add(given, "a", "x");
  assert.is(read(given, "a"), text.replace("\n---\nB", "\nfunctions:\n  - x\n---\nB"));
});

test("field fault U7: in a flow list, with comments and CR LF, add and remove give the same bytes; an edit by hand in between counts", async () => {
  const text = "---\r\n# who\r\nname: 'A'\r\nfunctions: [a::b, 'c::d'] # flow\r\n---\r\nBody\r\n";
  const given = await agents({ a: text });
  await add(given, "a", "e::f");
  holds(read(given, "a"), "functions:\r\n  - a::b\r\n  - c::d\r\n  - e::f\r\n---\r\n");
  await take(given, "a", "e::f");
  assert.is(read(given, "a"), text);
  await add(given, "a", "e::f");
  writeFileSync(given.at("agents/a.md"), read(given, "a").replace("# who", "# by hand"));
  await take(given, "a", "e::f");
  holds(read(given, "a"), "# by hand", "functions:\r\n  - a::b\r\n  - c::d\r\n---\r\n");
});

test("spec 03 §8.7: a profile whose list can't be rewritten by itself is refused with D416, and stays", async () => {
  const text = "---\n{name: A, functions: [a]}\n---\nB\n";
  const given = await agents({ a: text });
  assert.equal((await get(given, "a")).functions, ["a"]);
  starts(await outcome(add(given, "a", "b")), "D416 invalid_input:");
  assert.is(read(given, "a"), text);
});

test("spec 03 §12.32, §12.33: the cap counts bytes, and what can't be read is left out", async () => {
  const given = await agents({ bad: Buffer.from([0x2d, 0xff]), good: profile("name: G") });
  mkdirSync(given.at("agents/folder.md"));
  symlinkSync(given.at("nowhere.md"), given.at("agents/dangling.md"));
  assert.equal(await own(given), ["good"]);
  const head = profile("name: A", "");
  const full = head + "é".repeat((262_144 - head.length) >> 1) + "x".repeat((262_144 - head.length) % 2);
  assert.is((await create(given, "full", full)).bytes, 262_144);
  holds(await outcome(create(given, "more", `${full}x`)), "too large");
  for (const id of ["", "x".repeat(65), "../up", "A"])
    starts(await outcome(get(given, id)), "invalid_request invalid agent profile id");
});

test("spec 03 §12.38: a missing folder is empty, and the first write makes it", async () => {
  const given = await content({}, { configuration: { agents_folder: "deep/agents" } });
  assert.equal(
    (await rows(given)).map(({ id }) => id),
    BUNDLED,
  );
  await create(given, "a", profile("name: A"));
  assert.ok(existsSync(given.at("deep/agents/a.md")));
});

for (const [what, configuration, folder] of [
  ["inside the skills folder", { agents_folder: "skills/profiles" }, "skills/profiles"],
  ["the skills folder itself", { agents_folder: "skills" }, "skills"],
  ["around the skills folder", { agents_folder: "." }, "."],
] as const) {
  test(`spec 03 §12.38: profiles ${what} are no skills, and skills stay skills`, async () => {
    const given = await content(
      {
        [`${folder}/lead.md`]: profile("name: Lead"),
        "skills/profiles/system-prompts/none.md": profile("description: d", "Text.\n"),
        "skills/ns/page.md": "# Page\n",
        "skills/system-prompts/own.md": profile("description: d", "Text.\n"),
      },
      { configuration },
    );
    assert.equal(await own(given), ["lead"]);
    const { skills } = await given.fs.listSkills({}, newContext());
    assert.equal(
      skills.map(({ id }) => id),
      ["ns/page"],
    );
    const { prompts } = await given.fs.listSystemPrompts({}, newContext());
    const served = prompts.filter(({ builtin }) => !builtin).map(({ name }) => name);
    assert.equal(served, folder === "skills/profiles" ? ["own"] : ["none", "own"]);
  });
}

test.run();
