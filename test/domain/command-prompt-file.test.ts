/** Spec 03 §6.3.5 and §11 "Bundled, errors, triggers, watch, download", row 13: command prompts that come as data. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { commandPromptFile } from "../../domain/command-prompt-file.js";
import { parseFrontmatter, splitFrontmatter } from "../../domain/frontmatter.js";
import { readPrompt } from "../../domain/prompt-text.js";
import { InvalidContent } from "../../domain/strict-fields.js";

const fieldsOf = (text: string): string[] => [...parseFrontmatter(splitFrontmatter(text).block).fields.keys()];

test("spec 03 §11 bundled, row 13: with and without args_schema", () => {
  const plain = commandPromptFile({ name: "send", description: " Sends: a 'mail' # now\n", content: "Write." });
  assert.equal(readPrompt(plain), { name: "send", description: "Sends: a 'mail' # now", body: "Write.\n" });
  assert.equal(fieldsOf(plain), ["name", "description"]);
  const typed = commandPromptFile({
    name: "send",
    description: "d",
    args_schema: { type: "object", x: ["\u0085"] },
    content: "W\n",
  });
  assert.equal(fieldsOf(typed), ["name", "description", "args_schema"]);
  assert.is(readPrompt(typed).body, "W\n");
  assert.equal(fieldsOf(commandPromptFile({ name: "send", description: "d", args_schema: null, content: "W" })).length, 2);
});

test("spec 03 §11 bundled, row 13: a bad name", () => {
  for (const name of ["Bad Name", "../x", "", "x".repeat(65)]) {
    assert.throws(
      () => commandPromptFile({ name, description: "d", content: "c" }),
      (error: unknown) => error instanceof InvalidContent && error.message.startsWith("invalid prompt name"),
    );
  }
});

test("spec 03 §6.3.5: a blank description gives a file that no scan serves", () => {
  for (const description of [undefined, null, " "] as const) {
    const given = description === undefined ? {} : { description };
    const text = commandPromptFile({ name: "send", ...given, content: "c" });
    assert.throws(
      () => readPrompt(text),
      (error: unknown) => error instanceof InvalidContent && /non-empty `description`/.test(error.message),
    );
  }
});

test.run();
