/** Field fault F20: skills, prompts and profiles read a block with one parser; what is strict is only what a fault leads to. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readAgentProfile } from "../../domain/agent-profile.js";
import { readFrontmatter } from "../../domain/frontmatter.js";
import { readPrompt } from "../../domain/prompt-text.js";
import { skillFields } from "../../domain/skill-text.js";
import { InvalidContent } from "../../domain/strict-fields.js";

const file = (yaml: string, lineBreak = "\n"): string => `---\n${yaml}\n---\nBody.\n`.replaceAll("\n", lineBreak);
const asSkill = (text: string) => {
  const frontmatter = readFrontmatter(text);
  return skillFields(frontmatter, frontmatter.body, "");
};

const READ: readonly [fault: string, text: string, name: string, description: string][] = [
  ["F3", `\uFEFF${file("name: reef\ndescription: d")}`, "reef", "d"],
  ["F5", file("name: tide\ndescription: d", "\r\n"), "tide", "d"],
  ["F7", `${file("name: a\ndescription: d")}---\nmore\n---\n`, "a", "d"],
  ["F8", "---\nname: a\ndescription: d\n---\n----\n--- \n---\n", "a", "d"],
  ["F13", file("name: 12306\ndescription: 1.0"), "12306", "1.0"],
  ["F14", file("name: yes\ndescription: on"), "yes", "on"],
  ["F16", file("name: a # not the name\ndescription: d # nor this"), "a", "d"],
  ["F17", file("name: a\ndescription: >-\n  Folded\n  text.\n\n  Second."), "a", "Folded text.\nSecond."],
  ["F18", file("name: a\ndescription: |\n  Say \"hello\" and 'bye'."), "a", "Say \"hello\" and 'bye'."],
  ["F23", file(`z: ${"w".repeat(3_000)}\nname: a\ndescription: d`), "a", "d"],
];
for (const [fault, text, name, description] of READ) {
  test(`field faults ${fault}, F20: a skill, a prompt and a profile say the same`, () => {
    const [prompt, profile, skill] = [readPrompt(text), readAgentProfile(text), asSkill(text)];
    assert.equal([prompt.name, profile.name, skill.title], [name, name, name]);
    assert.equal([prompt.description, profile.description, skill.description], [description, description, description]);
    assert.equal([prompt.body, profile.body], [readFrontmatter(text).body, readFrontmatter(text).body]);
  });
}

for (const [fault, text, reason] of [
  ["F1", file("name: a\ndescription: Use when: planning"), /not valid YAML: line 3/],
  ["F6", "---\nname: a\ndescription: d\n# Heading\n", /missing YAML frontmatter/],
  ["F9", `\n${file("name: a\ndescription: d")}`, /missing YAML frontmatter/],
  ["F11", file("name: a\ndescription: one\ndescription: two"), /"description" stands there twice/],
  ["F12", file("name: a\ndescription: d\nmeta:\n\tkind: a"), /not valid YAML/],
] as const) {
  test(`field fault ${fault}: a prompt and a profile name what is wrong`, () => {
    for (const read of [readPrompt, readAgentProfile]) {
      assert.throws(
        () => read(text),
        (error: unknown) => error instanceof InvalidContent && reason.test(error.message) && !error.message.includes("\n"),
      );
    }
  });
}

test.run();
