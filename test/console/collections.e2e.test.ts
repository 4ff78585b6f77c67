/** The directory page in a real browser: issue 10, spec 07 §9.1–9.3 and the rows of §10 and §11 that are about it. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ConsoleWorld, needsBrowser } from "../harness/browser.js";
import { eventually } from "../harness/peer.js";

const check = needsBrowser(test, "directory page");
const world = new ConsoleWorld();
const SKILLS = join(world.folder, "skills");

function write(path: string, text: string): string {
  const file = join(world.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const skill = (title: string, body = "Text."): string =>
  `---\ntitle: ${title}\ndescription: About ${title}\n---\n\n# ${title}\n\n${body}\n`;

test.before(async () => {
  write("skills/alpha/one.md", skill("Alpha one"));
  write("skills/alpha/two.md", skill("Alpha two"));
  write("skills/beta/three.md", skill("Beta three", "A line.\n\n<img src=x onerror=alert(1)>"));
  await world.open();
});
test.after(() => world.close());

async function directory(collection = "Skills", options = {}): Promise<Page> {
  const page = await world.page("ext/directory", options);
  await page.getByRole("group", { name: "Collection" }).getByRole("button", { name: collection }).click();
  return page;
}

const rowOf = (page: Page, name: string | RegExp) => page.locator(".collection:not([hidden]) button.row").filter({ hasText: name });
const open = (page: Page) => page.locator(".collection:not([hidden])");
const button = (page: Page, name: string) => open(page).getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => open(page).getByLabel(name, { exact: true });
const editor = (page: Page) => open(page).locator("textarea.editor");

async function confirmed(page: Page, action: string): Promise<void> {
  await page.locator("dialog[open]").getByRole("button", { name: action, exact: true }).click();
}

check("issue 10: skill created, edited, saved, given another title, deleted", async () => {
  const page = await directory();
  await button(page, "New skill").click();
  await field(page, "Id").fill("gamma/four");
  await field(page, "Title").fill("Gamma: four");
  await field(page, "Description").fill("Fourth");
  await button(page, "Create").click();
  const file = join(SKILLS, "gamma", "four.md");
  await eventually("the file", () => existsSync(file));
  await rowOf(page, "Gamma: four").waitFor();
  await editor(page).fill("# Gamma\n\nEdited text.");
  await page.keyboard.press("Control+S");
  await eventually("the edit", () => readFileSync(file, "utf8").includes("Edited text."));
  await open(page).locator(".status-bar", { hasText: "saved" }).waitFor();
  await field(page, "Title").fill("Gamma renamed");
  await button(page, "Save").click();
  await rowOf(page, "Gamma renamed").waitFor();
  assert.match(readFileSync(file, "utf8"), /^---\ntitle: Gamma renamed\ndescription: Fourth\n---\n/);
  await button(page, "Delete").click();
  await confirmed(page, "Delete");
  await eventually("the file to go", () => !existsSync(file));
  await rowOf(page, "Gamma renamed").waitFor({ state: "detached" });
  await page.context().close();
});

check("issue 10: system prompt created, saved, renamed by its name, deleted; a description is demanded", async () => {
  const page = await directory("System prompts");
  await button(page, "New system prompt").click();
  await field(page, "Name").fill("calm");
  await editor(page).fill("Be calm.");
  await button(page, "Create").click();
  await open(page).getByText("A system prompt needs a description.").waitFor();
  await field(page, "Description").fill("Calm");
  await button(page, "Create").click();
  await rowOf(page, "calm").waitFor();
  await field(page, "Name").fill("calmer");
  await button(page, "Save").click();
  await rowOf(page, "calmer").waitFor();
  await open(page).getByRole("heading", { name: "calmer" }).waitFor();
  await field(page, "Description").fill("Calmer still");
  await button(page, "Save").click();
  await rowOf(page, "Calmer still").waitFor();
  await button(page, "Delete").click();
  await confirmed(page, "Delete");
  await rowOf(page, "calmer").waitFor({ state: "detached" });
  await page.context().close();
});

check("issue 10: agent profile created with an id from its name, edited, saved, renamed for display, deleted", async () => {
  const page = await directory("Agent profiles");
  await button(page, "New agent profile").click();
  await button(page, "Create").isDisabled();
  await field(page, "Name").fill("Déjà Vu");
  await field(page, "Description").fill("Remembers");
  await field(page, "System prompt").fill("You remember.");
  await open(page).locator("summary", { hasText: "Skills" }).click();
  await button(page, "Add alpha/one").click();
  await button(page, "Create").click();
  const file = join(world.folder, "agents", "deja-vu.md");
  await eventually("the profile", () => existsSync(file));
  assert.match(readFileSync(file, "utf8"), /skills:\n {2}- alpha\/one\n/);
  assert.match(readFileSync(file, "utf8"), /You remember\.$/);
  await field(page, "Name").fill("Seen before");
  await open(page).locator("summary[aria-label=Avatar]").click();
  await button(page, "purple").click();
  await button(page, "Save").click();
  await rowOf(page, "Seen before").waitFor();
  assert.match(readFileSync(file, "utf8"), /color: purple/);
  await button(page, "Delete profile").click();
  await confirmed(page, "Delete");
  await eventually("the profile to go", () => !existsSync(file));
  await page.context().close();
});

check("spec 07 §10 UI: a built-in agent is editable with a note about the local override, and can't be deleted", async () => {
  const page = await directory("Agent profiles");
  await rowOf(page, "iii-minimal").first().click();
  await open(page).getByText("Saving writes a local file that stands in front of it.").waitFor();
  assert.is(
    await open(page)
      .getByRole("button", { name: /^Delete/ })
      .count(),
    0,
  );
  await field(page, "Description").fill("My own");
  await button(page, "Save").click();
  const file = join(world.folder, "agents", "iii-minimal.md");
  await eventually("the override", () => existsSync(file));
  rmSync(file);
  await page.context().close();
});

check("issue 10: external edit while clean is taken over silently; a file that goes closes", async () => {
  const file = write("skills/delta/clean.md", skill("Delta"));
  const page = await directory();
  await rowOf(page, "Delta").click();
  await editor(page).waitFor();
  writeFileSync(file, skill("Delta", "From outside."));
  await eventually("the new text", async () => (await editor(page).inputValue()).includes("From outside."));
  assert.is(await open(page).locator(".notice.warn").count(), 0);
  rmSync(file);
  await open(page).locator(".nothing-open").waitFor();
  await page.context().close();
});

check("issue 10: external edit while dirty: a banner, the draft stays until the user discards it", async () => {
  const file = write("skills/delta/dirty.md", skill("Dirty"));
  const page = await directory();
  await rowOf(page, "Dirty").click();
  await editor(page).fill("# Mine");
  writeFileSync(file, skill("Dirty", "Theirs."));
  await open(page).getByText("changed outside this page").waitFor();
  assert.match(await editor(page).inputValue(), /# Mine/);
  await button(page, "Reload and discard mine").click();
  await confirmed(page, "Discard");
  await eventually("their text", async () => (await editor(page).inputValue()).includes("Theirs."));
  await editor(page).fill("# Mine again");
  rmSync(file);
  await open(page).getByText("removed outside this page").waitFor();
  await button(page, "Keep as a new entry").click();
  await button(page, "Create").click();
  await eventually("the file again", () => existsSync(file) && readFileSync(file, "utf8").includes("# Mine again"));
  await page.context().close();
});

check("issue 10: drafts survive a reload and switching collections; a confirmed discard clears the storage at once", async () => {
  const page = await directory();
  await rowOf(page, "Alpha two").click();
  await editor(page).fill("# Unsaved words");
  await page.getByRole("button", { name: "Agent profiles" }).click();
  await page.getByRole("button", { name: /^Skills/ }).click();
  assert.match(await editor(page).inputValue(), /Unsaved words/);
  await page.reload();
  await eventually("the draft", async () => (await editor(page).inputValue()).includes("Unsaved words"));
  await open(page).locator(".status-bar", { hasText: "unsaved" }).waitFor();
  await rowOf(page, "Alpha one").click();
  await confirmed(page, "Cancel");
  assert.match(await editor(page).inputValue(), /Unsaved words/);
  await rowOf(page, "Alpha one").click();
  await confirmed(page, "Discard");
  await open(page).locator(".breadcrumb", { hasText: "alpha/one" }).waitFor();
  assert.is(await page.evaluate("localStorage.getItem('iii-directory-ui:page:skills:draft')"), null);
  assert.not.match(readFileSync(join(SKILLS, "alpha", "two.md"), "utf8"), /Unsaved/);
  await page.context().close();
});

check("spec 07 §11 row 56: the draft of a new entry survives a reload", async () => {
  const page = await directory();
  await button(page, "New skill").click();
  await field(page, "Id").fill("kept/entry");
  await editor(page).fill("Words of a new one");
  await page.reload();
  await eventually("the draft", async () => (await editor(page).inputValue()).includes("Words of a new one"));
  assert.is(await field(page, "Id").inputValue(), "kept/entry");
  await button(page, "Discard").click();
  await confirmed(page, "Discard");
  await open(page).locator(".nothing-open").waitFor();
  await page.context().close();
});

check("issue 10: filter and shortcuts; the arrow keys walk the list; the palette opens an entry", async () => {
  const page = await directory();
  await rowOf(page, "Alpha one").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("BETA");
  await open(page)
    .locator(".count", { hasText: /^1 of \d+$/ })
    .waitFor();
  await page.keyboard.press("Escape");
  await open(page).locator(".count", { hasText: /^\d+$/ }).waitFor();
  await rowOf(page, "Alpha one").focus();
  await page.keyboard.press("ArrowDown");
  assert.match(String(await page.evaluate("document.activeElement.textContent")), /Alpha two/);
  await page.keyboard.press("n");
  await open(page).locator(".breadcrumb", { hasText: "New skill" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("beta three");
  await page.getByRole("option", { name: /Beta three/ }).waitFor();
  await page.keyboard.press("Enter");
  await open(page).locator(".breadcrumb", { hasText: "beta/three" }).waitFor();
  await page.context().close();
});

check("X1: markup, titles and addresses of a skill are text: no element, no request, no dialog", async () => {
  const body =
    "<img src=x onerror=alert(1)>\n\n[click](javascript:alert(1))\n\n![i](https://example.invalid/i.png)\n\n<script>alert(1)</script>";
  write("skills/evil/x.md", `---\ntitle: "<b>x</b>"\ndescription: "<i>d</i>"\n---\n\n${body}\n`);
  const page = await directory();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("dialog", (dialog) => {
    requests.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await rowOf(page, "<b>x</b>").click();
  const preview = open(page).locator(".preview");
  await preview.getByText("<img src=x onerror=alert(1)>").waitFor();
  await preview.getByText("[click](javascript:alert(1))").waitFor();
  assert.is(await preview.locator("img, script, a, b, i, iframe").count(), 0);
  assert.is(await open(page).locator(".row b, .row i").count(), 0);
  assert.equal(requests, []);
  await page.context().close();
});

check("X4: zero-width, bidirectional and tag characters are visible marks in the list, the text and the palette", async () => {
  write("skills/evil/hidden.md", `---\ntitle: "pay\u200Bload"\ndescription: "a\u202Eb\u{E0041}c"\n---\n\nwo\u200Brd \u{E0042}\n`);
  const page = await directory();
  const row = rowOf(page, "evil/hidden");
  await row.waitFor();
  assert.equal(await row.locator(".mark").allTextContents(), ["U+200B", "U+202E", "U+E0041"]);
  await row.click();
  await open(page).locator(".preview .mark").first().waitFor();
  assert.equal(await open(page).locator(".preview .mark").allTextContents(), ["U+200B", "U+E0042"]);
  await page.context().close();
});

check("issue 10, spec 07 §10 UI: below 850 px one of list and document; creating shows only the document; no split", async () => {
  const page = await directory("Skills", { viewport: { width: 640, height: 800 } });
  await rowOf(page, "Alpha one").click();
  await editor(page).waitFor();
  assert.not(await open(page).locator(".sidebar").isVisible());
  assert.not(await open(page).locator(".segment.split").isVisible());
  await open(page).getByRole("button", { name: "Back to the skills" }).click();
  await open(page).locator(".sidebar").waitFor();
  await button(page, "New skill").click();
  assert.not(await open(page).locator(".sidebar").isVisible());
  await field(page, "Id").waitFor();
  await page.context().close();
});

check("spec 07 §9.1: the divider moves by keyboard within a quarter and three quarters, and stays after a reload", async () => {
  const page = await directory();
  await rowOf(page, "Alpha one").click();
  const divider = open(page).getByRole("separator");
  await divider.focus();
  for (let press = 0; press < 7; press += 1) await page.keyboard.press("ArrowRight");
  assert.is(await divider.getAttribute("aria-valuenow"), "75");
  await page.reload();
  await rowOf(page, "Alpha one").click();
  assert.is(await divider.getAttribute("aria-valuenow"), "75");
  await divider.focus();
  await page.keyboard.press("Enter");
  assert.is(await divider.getAttribute("aria-valuenow"), "50");
  await page.context().close();
});

check(
  "spec 07 §11 row 57: a save changes no byte that was not edited: CRLF, duplicated keys, --- in the body, no last newline",
  async () => {
    const text = "---\r\ntitle: CRLF\r\n# a comment\r\ntype:   how-to\r\n---\r\n\r\nOne\r\n\r\n---\r\n\r\nlast";
    const file = write("skills/bytes/crlf.md", text);
    const page = await directory();
    await rowOf(page, "CRLF").click();
    await field(page, "Description").fill("Added");
    await button(page, "Save").click();
    await eventually("the save", () => readFileSync(file, "utf8").includes("Added"));
    assert.is(readFileSync(file, "utf8"), text.replace("type:   how-to\r\n", "type:   how-to\r\ndescription: Added\r\n"));
    await page.context().close();
  },
);

check("no page complained", async () => {
  assert.equal(world.complaints, []);
});

test.run();
