/** The console of the embedded engine in a real browser: search, settings, status, themes, accessibility. Issue 10, spec 07 §9.5–9.6, §10. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { AXE, ConsoleWorld, needsBrowser } from "../harness/browser.js";
import { eventually, Peer } from "../harness/peer.js";

const check = needsBrowser(test, "console");
const world = new ConsoleWorld();
let peer: Peer;

function write(path: string, text: string): void {
  const file = join(world.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

test.before(async () => {
  write("skills/parcels/how.md", "---\ntitle: Track a parcel\ndescription: How to track a parcel by its number\n---\n\nCall it.\n");
  await world.open();
  peer = await Peer.hello(world.url.replace(/^http/, "ws"), "parcels");
  const rows = [
    ["parcels::track", "Track a parcel by its number."],
    ["parcels::register", "Register a parcel <img src=x onerror=alert(1)> pay\u200Bload"],
  ];
  for (const [id, description] of rows)
    peer.send({ type: "registerfunction", id, description, request_format: { type: "object" } });
  peer.send({ type: "registertriggertype", id: "parcel-arrived", description: "Fires when a parcel arrives." });
  peer.send({
    type: "registertrigger",
    id: "t1",
    trigger_type: "parcel-arrived",
    function_id: "parcels::track",
    config: { depot: "north" },
  });
  await peer.call("directory::on-functions-change", {});
});
test.after(async () => {
  await peer?.close();
  await world.close();
});

async function search(page: Page, text: string): Promise<void> {
  await page.getByLabel("What is needed, one need a line").fill(text);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.locator(".search-card").waitFor();
}

/** What axe-core finds in the page as it is. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, "utf8"));
  const found = (await page.evaluate("axe.run().then(({ violations }) => violations)")) as {
    id: string;
    nodes: { html: string; failureSummary: string }[];
  }[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

check(
  "issue 10: the search card from a real answer: mode badge, counts, capabilities, candidates, skills, triggers, scores on demand",
  async () => {
    const page = await world.page("search");
    await search(page, "track a parcel by its number");
    const card = page.locator(".search-card");
    assert.is(await card.locator(".chip.accent").textContent(), "lexical");
    await card.getByRole("heading", { name: "parcels" }).waitFor();
    await card.locator("code", { hasText: "parcels::track" }).first().waitFor();
    assert.equal(await card.locator(".capabilities li").allTextContents(), ["track a parcel by its number"]);
    assert.is(await card.locator(".candidates details[open]").count(), 0, "nothing is expanded by itself");
    await card.getByText('directory::skills::get {"id":"parcels/how"}').waitFor();
    await card.getByText('engine::functions::info {"function_ids":["parcels::track"]}').waitFor();
    await card.getByText('{"depot":"north"}').waitFor();
    await page.getByRole("button", { name: "Show the scores" }).click();
    const score = await page.locator(".shell-scores li", { hasText: "parcels::track" }).locator("span").textContent();
    assert.ok(Number(score) > 0, `score ${score}`);
    await page.context().close();
  },
);

check("issue 10: a search that finds nothing shows its guidance; X1 and X4 hold in descriptions of functions", async () => {
  const page = await world.page("search");
  await search(page, "zzqqxx wwvvkk");
  await page.locator(".search-card .empty").waitFor();
  await search(page, "register a parcel");
  const card = page.locator(".search-card");
  await card.locator("summary", { hasText: "parcels::register" }).click();
  assert.is(await card.locator("img").count(), 0);
  assert.ok(
    (await card.locator(".mark").allTextContents()).includes("U+200B") || (await card.textContent())?.includes("<img src=x"),
  );
  await page.context().close();
});

check("issue 10, spec 07 §10 UI: settings: validation, inline fault, number commit, reset, save", async () => {
  const page = await world.page("settings");
  const timeout = page.getByLabel("Jev timeout (ms)", { exact: true });
  await timeout.fill("30001");
  await timeout.press("Enter");
  assert.is(await timeout.getAttribute("aria-invalid"), "true");
  const description = (await timeout.getAttribute("aria-describedby")) ?? "";
  assert.match(String(await page.locator(`[id="${description.split(" ").at(-1)}"]`).textContent()), /at most 30000/);
  const floor = page.getByLabel("Jev minimum relevance", { exact: true });
  const stored = await floor.inputValue();
  await floor.fill("0.1");
  await floor.pressSequentially("05");
  assert.is(await page.getByRole("button", { name: "Save" }).isDisabled(), true, "nothing is written while typing");
  await timeout.fill("4500");
  await timeout.press("Enter");
  await page.getByLabel("Jev API key", { exact: true }).fill("canary-key");
  assert.is(await page.getByLabel("Jev API key", { exact: true }).getAttribute("type"), "password");
  await page.getByRole("button", { name: "Reset" }).click();
  assert.is(await floor.inputValue(), stored);
  assert.is(await page.getByLabel("Jev API key", { exact: true }).inputValue(), "");
  await floor.fill("0.105");
  await floor.press("Enter");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const { value } = await peer.call<{ value: Record<string, unknown> }>("configuration::get", { id: "iii-directory" });
  assert.is(value["function_search_jev_min_relevance"], 0.105);
  assert.not("function_search_jev_timeout_ms" in value && value["function_search_jev_timeout_ms"] === 4500);
  await floor.fill("");
  await floor.blur();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const after = await peer.call<{ value: Record<string, unknown> }>("configuration::get", { id: "iii-directory", raw: true });
  assert.not("function_search_jev_min_relevance" in after.value, "clearing removes the key");
  await page.context().close();
});

check("spec 07 §10 UI: form for {}: mode, restart chips on topology fields only, no notice", async () => {
  const page = await world.page("settings");
  await page.getByLabel("Jev API key", { exact: true }).waitFor();
  const chips = await page
    .locator(".settings-row", { has: page.locator(".chip") })
    .locator("label")
    .allTextContents();
  assert.equal(chips, [
    "Skills folder",
    "Local skills folder",
    "Agents folder",
    "Shared skills folder",
    "Download skills automatically",
    "Model directory",
    "Download the model on first run",
  ]);
  assert.is(await page.locator(".settings .notice").count(), 0);
  assert.is(await page.getByRole("radio", { checked: true }).inputValue(), "lexical");
  await page.getByText("What the hint says").click();
  await page.locator(".settings pre").first().waitFor();
  await page.context().close();
});

check("issue 10: the status shows every actor and restarts one", async () => {
  const page = await world.page("status");
  const row = page.locator("tr", { has: page.getByRole("rowheader", { name: "jev", exact: true }) });
  await row.getByRole("button", { name: "Restart jev" }).click();
  await eventually("the restart", async () => Number(await row.locator("td").nth(1).textContent()) >= 1);
  for (const actor of ["catalog", "search", "fs", "watcher", "engine"]) {
    await page.getByRole("rowheader", { name: actor, exact: true }).waitFor();
  }
  await page.context().close();
});

for (const theme of ["light", "dark"] as const) {
  check(`issue 10: ${theme}: axe-core finds no violation in any page, in the list, in an open document, in a dialog`, async () => {
    const found: string[] = [];
    const visit = async (name: string, page: Page): Promise<void> => {
      assert.is(await page.evaluate("document.documentElement.dataset.theme"), theme);
      found.push(...(await violations(page)).map((line) => `${name} ${line}`));
    };
    const directory = await world.page("ext/directory", { colorScheme: theme });
    await directory.locator(".row").first().waitFor();
    await visit("list", directory);
    await directory.locator(".row").first().click();
    await directory.locator("section.preview").waitFor();
    await visit("skill", directory);
    await directory.getByRole("button", { name: "Delete", exact: true }).click();
    await visit("dialog", directory);
    await directory.keyboard.press("Escape");
    await directory.getByRole("button", { name: "Agent profiles" }).click();
    await directory.locator(".collection:not([hidden]) .row").first().click();
    await directory.locator(".agent-form").waitFor();
    for (const summary of ["Skills", "Functions"]) await directory.locator(".group > summary", { hasText: summary }).click();
    await directory.locator(".avatar > summary").click();
    await visit("agent", directory);
    await directory.context().close();
    const searched = await world.page("search", { colorScheme: theme });
    await search(searched, "track a parcel by its number");
    await searched.getByRole("button", { name: "Show the scores" }).click();
    await searched.locator(".shell-scores").waitFor();
    await visit("search", searched);
    await searched.keyboard.press("Control+k");
    await searched.keyboard.type("parcel");
    await searched.getByRole("option").first().waitFor();
    await visit("palette", searched);
    await searched.context().close();
    for (const route of ["settings", "status"]) {
      const page = await world.page(route, { colorScheme: theme });
      await page.locator(route === "settings" ? ".settings" : ".shell-table").waitFor();
      await visit(route, page);
      await page.context().close();
    }
    assert.equal(found, []);
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const { hostname, port } = new URL(world.url);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, headers, method }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    asked.on("error", reject);
    asked.end();
  });
}

check(
  "issue 10: loopback names and the own origin only; unknown paths and methods get no page; nothing from elsewhere",
  async () => {
    const { host } = new URL(world.url);
    const page = await ask("/");
    assert.is(page.status, 200);
    const policy = String(page.headers["content-security-policy"]);
    assert.match(policy, /default-src 'none'/);
    assert.not.match(policy.replace(/style-src [^;]*/, ""), /unsafe|https?:|\*/);
    assert.not.match(page.body, /https?:\/\//);
    const answers = await Promise.all([
      ask("/", { host: "evil.example" }),
      ask("/", { host, origin: "http://evil.example" }),
      ask("/", { host, origin: `http://${host}` }),
      ask("//"),
      ask("/../package.json"),
      ask("/%2e%2e/page.js"),
      ask("/", {}, "POST"),
      ask("/vendor/react.js?x=1"),
    ]);
    assert.equal(
      answers.map(({ status }) => status),
      [421, 403, 200, 426, 426, 426, 405, 200],
    );
  },
);

check("no page complained", async () => {
  assert.equal(world.complaints, []);
});

test.run();
