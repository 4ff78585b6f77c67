/** Field faults of content that the tables of the specification don't have: F15, F24, C3, C6, C13, P3, W12, W14, 32 creates of one id. */
import { existsSync, readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DirectoryError } from "../../../protocol/errors.js";
import { type Content, content } from "../../harness/content.js";
import { newContext } from "../../harness/context.js";

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "answered",
    (error: unknown) => (error instanceof DirectoryError ? error.code : String(error)),
  );
}

const rows = async ({ fs }: Content) => (await fs.listSkills({}, newContext(60_000))).skills;

test("F15: a flag that is a text is no flag", async () => {
  const made = await content({
    "skills/a/x.md": '---\ndisable-model-invocation: "false"\n---\n# X\nx',
    "skills/a/y.md": "---\ndisable-model-invocation: 'true'\n---\n# Y\ny",
    "skills/a/z.md": "---\ndisable-model-invocation: true\n---\n# Z\nz",
  });
  assert.equal(
    (await rows(made)).map((row) => row.disable_model_invocation),
    [false, false, true],
  );
});

test("F24: a description of 5,000 characters is given back whole", async () => {
  const description = "word ".repeat(1_000).trim();
  const made = await content({ "skills/a/x.md": `---\ndescription: ${description}\n---\n# X\nx` });
  assert.is((await rows(made))[0]?.description, description);
});

test("C3: an id of other capitals is refused by its grammar, and the twin stays", async () => {
  const made = await content({ "skills/coast/x.md": "# X\nx" });
  assert.is(await refusal(made.fs.deleteSkill({ id: "Coast/x" }, newContext())), "D111");
  assert.ok(existsSync(made.at("skills/coast/x.md")));
});

for (const id of [
  "coast/../../other/SKILL",
  "/etc/hosts",
  "iii://coast/..%2f..%2fx",
  "..",
  "coast/./x",
  "coast//x",
  "coast\\..\\x",
]) {
  test(`C6: ${id} is no id, and nothing is read`, async () => {
    const made = await content({ "skills/coast/x.md": "# X\nx", "other/SKILL.md": "# O\no" });
    for (const work of [made.fs.getSkill({ id }, newContext()), made.fs.deleteSkill({ id }, newContext())]) {
      assert.match(await refusal(work), /^D11[012]$/);
    }
  });
}

test("32 creates of one id at once: one wins, 31 are told that it is taken", async () => {
  const made = await content();
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, at) => refusal(made.fs.createSkill({ id: "coast/x", content: `# X\n${at}` }, newContext()))),
  );
  assert.equal(
    [answers.filter((answer) => answer === "answered").length, answers.filter((answer) => answer === "D114").length],
    [1, 31],
  );
  assert.match(readFileSync(made.at("skills/coast/x.md"), "utf8"), /^# X\n\d+$/);
});

test("W14: who is told of a new skill finds it in the list already, and is told once", async () => {
  const made = await content();
  await made.fs.createSkill({ id: "coast/x", content: "# X\nx" }, newContext());
  assert.equal(
    made.rings.map(({ payload }) => payload),
    [{ op: "create", namespace: "coast", id: "coast/x" }],
  );
  assert.equal(
    (await rows(made)).map(({ id }) => id),
    ["coast/x"],
  );
});

test("P3: a first list of many skills leaves the event loop free", async () => {
  const page = `---\ndescription: A page.\n---\n# Page\n\n${"It says what there is to say. ".repeat(300)}`;
  const made = await content(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`skills/ns${at % 50}/p${at}.md`, page])));
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  assert.is((await rows(made)).length, 2_000);
  clearInterval(timer);
  assert.ok(turns >= 5, `${turns} turns of the event loop`);
});

test.run();
