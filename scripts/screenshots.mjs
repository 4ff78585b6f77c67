/**
 * `npm run screenshots`: takes the pictures of docs/images from the running product: `start` with its example workers and a few skills,
 * looked at with chromium.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { ROOT } from "./freshness.mjs";

const IMAGES = join(ROOT, "docs", "images");
const EXECUTABLE = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

const SKILLS = {
  "keyvalue/index": [
    "Key-value store",
    "Keep a value under a key and read it back later.",
    "## When\n\nState that outlives a call: counters, cursors, the last answer.\n\n## How\n\n1. `keyvalue::put` with a **scope** and a key\n2. `keyvalue::get` reads it back\n3. `keyvalue::compare-and-swap` when two writers may meet\n\n> A value is any JSON.\n\n| call | changes |\n|---|---|\n| `keyvalue::put` | yes |\n| `keyvalue::get` | no |",
  ],
  "keyvalue/counters": [
    "Count things safely",
    "Counters that several writers share, without losing an increment.",
    "Use `keyvalue::increment`.",
  ],
  "notes/index": ["Notes", "Write down what should be found again, and search it.", "Write with `notes::write`."],
  "notes/daily": ["A daily summary", "Collect the notes of a day into one.", "List, then write."],
  "schedule/index": ["Schedule calls", "Run a function later, once or again and again.", "Use `schedule::once`."],
};

const AGENT = `---
name: Release captain
description: Prepares releases and watches them land
logo: 🚢
color: blue
extends: iii
skills:
  - notes/daily
  - schedule
functions:
  - notes::write
  - schedule::once
---

You prepare releases. Write down every decision as a note before you act.
`;

const base = mkdtempSync(join(tmpdir(), "iii-directory-"));
const write = (path, text) => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
};
for (const [id, [title, description, body]] of Object.entries(SKILLS)) {
  write(`skills/${id}.md`, `---\ntitle: ${title}\ndescription: ${description}\n---\n\n# ${title}\n\n${body}\n`);
}
write("agents/release-captain.md", AGENT);
mkdirSync(IMAGES, { recursive: true });

const env = { ...process.env, III_COMPOSE_DIR: base, III_URL: undefined, LOG_LEVEL: "error" };
const product = spawn(process.execPath, [join(ROOT, "dist", "cli", "main.js"), "start", "--port", "0"], {
  env,
  stdio: ["ignore", "pipe", "inherit"],
});
let said = "";
product.stdout.on("data", (chunk) => {
  said += chunk;
});
while (!/example workers serve/.test(said)) await once(product.stdout, "data");
const [, url] = /Console: (\S+)/.exec(said);
const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
try {
  await shoot("search", "search", "light", async (page) => {
    await page
      .getByLabel("What is needed, one need a line")
      .fill("store a value under a key and read it back\nrun something tomorrow at nine");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.locator(".search-card").waitFor();
  });
  await shoot("directory", "ext/directory", "light", async (page) => {
    await page.locator(".row", { hasText: "Key-value store" }).click();
    await page.locator("section.preview h3").first().waitFor();
  });
  await shoot("agent", "ext/directory", "dark", async (page) => {
    await page.getByRole("button", { name: "Agent profiles" }).click();
    await page.locator(".row", { hasText: "Release captain" }).click();
    await page.locator(".agent-form").waitFor();
    await page.locator(".group > summary", { hasText: "Skills" }).click();
  });
  await shoot("settings", "settings", "light", async (page) => {
    await page.getByText("Function search", { exact: true }).scrollIntoViewIfNeeded();
    await page.locator('[data-field="function_search_jev_api_key"]').scrollIntoViewIfNeeded();
  });
  await shoot("status", "status", "dark", async (page) => {
    await page.locator(".shell-table").waitFor();
  });
} finally {
  await browser.close();
  product.kill("SIGTERM");
  await once(product, "exit");
  rmSync(base, { recursive: true, force: true });
}

async function shoot(name, route, colorScheme, prepare) {
  const context = await browser.newContext({ viewport: { width: 1_200, height: 760 }, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`${url}#/${route}`);
  await page.locator('a[href="#/ext/directory"]').waitFor();
  await prepare(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  await context.close();
}
