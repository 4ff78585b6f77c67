/** What calls of the directory look like in a transcript, and what a console's palette finds: spec 07 §9.4, §9.6–9.9, §10 UI, §11 rows 54 and 55. */
import { Ajv } from "ajv";
import { createElement } from "react";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Bus } from "../../console/host.js";
import { FUNCTIONS } from "../../protocol/functions/index.js";
import { htmlOf, htmlOfCall, pageScript, SILENT_BUS, tagsOf, wordsOf } from "../harness/page-script.js";

const registered = await pageScript();
const AT = "2026-01-02T03:04:05Z";
const SEARCH = "directory::search_functions";

interface Example {
  readonly id: string;
  readonly input: object;
  readonly output: object;
  readonly says: readonly string[];
}

const WRITTEN_SKILL = { id: "pay/refund", title: "Refunds", type: "how-to", bytes: 2_048, modified_at: AT };
const WRITTEN_AGENT = { id: "clerk", name: "The clerk", logo: "🧾", description: "d", bytes: 10, modified_at: AT };
const AGENT_FUNCTIONS = {
  id: "clerk",
  bytes: 10,
  modified_at: AT,
  functions: ["pay::refund"],
  added: ["pay::refund"],
  removed: [],
};
const DOWNLOADED = {
  namespace: "pay",
  source: { kind: "registry", worker: "pay", version: "1.2.0" },
  skills_written: ["pay/refund"],
  system_prompts_written: ["calm"],
  agents_written: ["clerk"],
};
const NOTHING_DOWNLOADED = { ...DOWNLOADED, skills_written: [], system_prompts_written: [], agents_written: [] };
const WORKER = {
  name: "pay",
  description: "Payments",
  type: "binary",
  version: "1.2.0",
  total_downloads: 7,
  author: { verified: true },
};

const EXAMPLES: readonly Example[] = [
  {
    id: "directory::skills::list",
    input: { search: "refund", prefix: "pay", type: "how-to" },
    output: {
      skills: [{ ...WRITTEN_SKILL, description: "How to refund", disable_model_invocation: false, function_id: "pay::refund" }],
    },
    says: [
      "1 skills",
      "search: refund",
      "prefix: pay",
      "type: how-to",
      "Refunds",
      "pay/refund",
      "How to refund",
      "pay::refund",
      "2.0 KiB",
    ],
  },
  {
    id: "directory::skills::get",
    input: { id: "pay/refund" },
    output: {
      ...WRITTEN_SKILL,
      body: "# Refunds\n\nGive it back.",
      path: "/x",
      disable_model_invocation: false,
      function_id: "pay::refund",
    },
    says: ["read", "Refunds", "pay/refund", "how-to", "pay::refund", "Give it back."],
  },
  {
    id: "directory::skills::index",
    input: {},
    output: { body: "# pay\n\nAll of it.", workers_count: 3 },
    says: ["index", "3 workers", "All of it."],
  },
  {
    id: "directory::skills::create",
    input: { id: "pay/refund", content: "c" },
    output: WRITTEN_SKILL,
    says: ["created", "Refunds", "pay/refund", "2.0 KiB"],
  },
  {
    id: "directory::skills::update",
    input: { id: "pay/refund", content: "c" },
    output: WRITTEN_SKILL,
    says: ["updated", "Refunds", "pay/refund"],
  },
  {
    id: "directory::skills::download",
    input: { worker: "pay" },
    output: DOWNLOADED,
    says: [
      "downloaded",
      "pay",
      "registry pay 1.2.0",
      "Skills 1",
      "pay/refund",
      "System prompts 1",
      "calm",
      "Agent profiles 1",
      "clerk",
    ],
  },
  {
    id: "directory::skills::download_from_registry",
    input: { worker: "pay" },
    output: NOTHING_DOWNLOADED,
    says: ["Nothing was written."],
  },
  {
    id: "directory::skills::download_from_repo",
    input: { repo: "https://example.invalid/r", skill: "refund" },
    output: { ...DOWNLOADED, source: { kind: "repo", repo: "https://example.invalid/r" } },
    says: ["repo https://example.invalid/r", "pay/refund"],
  },
  {
    id: "directory::system-prompts::list",
    input: {},
    output: { prompts: [{ name: "calm", description: "Calm words", builtin: true, modified_at: AT }] },
    says: ["1 system prompts", "calm", "Calm words", "built-in"],
  },
  {
    id: "directory::system-prompts::get",
    input: { name: "calm" },
    output: { name: "calm", description: "Calm words", body: "Be calm.", builtin: true, modified_at: AT },
    says: ["read", "calm", "built-in", "Be calm."],
  },
  {
    id: "directory::system-prompts::create",
    input: { name: "calm", content: "c" },
    output: { name: "calm", description: "d", bytes: 9, modified_at: AT },
    says: ["created", "calm", "9 B"],
  },
  {
    id: "directory::system-prompts::update",
    input: { name: "calm", content: "c" },
    output: { name: "calmer", description: "d", bytes: 9, modified_at: AT },
    says: ["updated", "calmer", "was calm"],
  },
  {
    id: "directory::agents::list",
    input: {},
    output: {
      agents: [
        {
          id: "clerk",
          name: "The clerk",
          logo: "🧾",
          description: "Books",
          builtin: true,
          model: "m-1",
          skill_count: 2,
          function_count: 3,
          modified_at: AT,
        },
      ],
    },
    says: ["1 agent profiles", "🧾 The clerk", "m-1", "2 skills", "3 functions", "built-in", "Books"],
  },
  {
    id: "directory::agents::get",
    input: { id: "clerk" },
    output: {
      id: "clerk",
      name: "The clerk",
      logo: "🧾",
      description: "Books",
      builtin: false,
      model: "m-1",
      skills: ["pay/refund", "pay/gone"],
      functions: ["pay::refund", "pay::gone"],
      unknown_skills: ["pay/gone"],
      unknown_functions: ["pay::gone"],
      system_prompt: "You keep books.",
      modified_at: AT,
    },
    says: [
      "🧾 The clerk",
      "clerk",
      "m-1",
      "2 skills",
      "2 functions",
      "Unknown skills 1",
      "pay/gone",
      "Unknown functions 1",
      "pay::gone",
      "You keep books.",
    ],
  },
  {
    id: "directory::agents::create",
    input: { id: "clerk", content: "c" },
    output: WRITTEN_AGENT,
    says: ["created", "🧾 The clerk", "clerk"],
  },
  {
    id: "directory::agents::update",
    input: { id: "clerk", content: "c" },
    output: WRITTEN_AGENT,
    says: ["updated", "🧾 The clerk", "clerk"],
  },
  {
    id: "directory::agents::functions::add",
    input: { id: "clerk", functions: ["pay::refund"] },
    output: { ...AGENT_FUNCTIONS, unchanged: false },
    says: ["added", "clerk", "Added 1", "Now 1", "pay::refund"],
  },
  {
    id: "directory::agents::functions::remove",
    input: { id: "clerk", functions: ["x::y"] },
    output: { ...AGENT_FUNCTIONS, added: [], unchanged: true },
    says: ["unchanged", "clerk", "Now 1"],
  },
  {
    id: "directory::registry::workers::list",
    input: { search: "money" },
    output: { workers: [WORKER], pagination: { has_more: false } },
    says: ["1 registry workers", "search: money", "pay", "1.2.0", "binary", "7 downloads", "verified", "Payments"],
  },
  {
    id: "directory::registry::workers::info",
    input: { name: "pay", readme: true },
    output: {
      worker: WORKER,
      api_reference: { functions: [{ name: "pay::refund" }], triggers: [{ name: "pay::refunded" }] },
      skills_tree: { skills: [{ path: "pay/refund.md" }] },
      readme: "# Pay\n\nIt pays.",
    },
    says: [
      "pay",
      "1.2.0",
      "binary",
      "7 downloads",
      "verified",
      "Payments",
      "Functions 1",
      "pay::refund",
      "Triggers 1",
      "pay::refunded",
      "Skills 1",
      "pay/refund.md",
      "It pays.",
    ],
  },
];

const ajv = new Ajv({ strict: false, validateFormats: false });
const WRAPPED: readonly (readonly [string, (output: object) => unknown])[] = [
  ["as it is", (output) => output],
  ["in the harness's envelope", (output) => ({ content: [{ type: "text", text: "…" }], details: output })],
  ["as text", (output) => JSON.stringify(output)],
];

for (const { id, input, output, says } of EXAMPLES) {
  test(`spec 07 §9.7: ${id} shows what it answered`, () => {
    const response = FUNCTIONS.find((each) => each.id === id)?.response;
    assert.ok(ajv.validate(JSON.parse(JSON.stringify(response)), output), `the example is no answer: ${ajv.errorsText()}`);
    for (const [how, wrap] of WRAPPED) {
      const words = wordsOf(htmlOfCall(registered, { functionId: id, input: wrap(input), output: wrap(output) }) ?? "");
      assert.equal(
        says.filter((part) => !words.includes(part)),
        [],
        `${how}: ${words}`,
      );
    }
  });

  test(`spec 07 §9.7: ${id} falls through while approval is pending, when it failed, and for another shape`, () => {
    const refused = [
      { status: "pending_approval", output },
      { isError: true, output },
      { error: { code: "D110", message: "no" }, output },
      { output: { code: "D110", message: "no such entry" } },
      { output: "D110: no such entry" },
      { output: null },
      { output: [] },
      {},
    ];
    for (const message of refused)
      assert.is(htmlOfCall(registered, { functionId: id, input, ...message }), null, JSON.stringify(message));
  });

  test(`spec 07 §9.7: ${id} has a view while it runs`, () => {
    const words = wordsOf(htmlOfCall(registered, { functionId: id, input, status: "running" }, "running") ?? "");
    assert.match(words, /running…/);
    for (const value of Object.values(input))
      if (typeof value === "string" && value !== "c" && value !== "refund")
        assert.ok(words.includes(value) || id.endsWith("functions::remove"), words);
  });
}

test("spec 07 §9.7: exact ids only; deletions have no view; the label dims its prefix", () => {
  for (const id of [
    "directory::skills::delete",
    "directory::system-prompts::delete",
    "directory::agents::delete",
    "skills::list",
    "directory::skills::lists",
    "toString",
  ]) {
    assert.is(
      registered.renderers.some((renderer) => renderer.isMatch(id)),
      false,
      id,
    );
  }
  const renderer = registered.renderers.find(({ id }) => id === "iii-directory/page.js#directory");
  assert.ok(renderer?.FunctionIdLabel);
  const html = htmlOf(createElement(renderer.FunctionIdLabel, { functionId: "directory::skills::get" }));
  assert.match(html, /<span class="dim">directory::<\/span>skills::get/);
});

test("spec 07 §9.7: a list of thousands shows its first rows and says how many more there are", () => {
  const skills = Array.from({ length: 5_000 }, (_, index) => ({ ...WRITTEN_SKILL, id: `a/${index}`, description: "" }));
  const html = htmlOfCall(registered, { functionId: "directory::skills::list", input: {}, output: { skills } }) ?? "";
  assert.match(wordsOf(html), /5000 skills .*and 4950 more/);
  assert.is(html.split("<li>").length, 51);
});

const ANSWER = {
  guidance: "Read the contract first.",
  latency_ms: 12.6,
  search_mode: "hybrid",
  workers: [],
  installable: [],
  skills: [],
  triggers: [],
};
const candidate = (id: string, description = "Does it.") => ({ function_id: id, description });
const shownSearch = (answer: object, input: unknown = { capabilities: ["give money back"] }): string =>
  htmlOfCall(registered, { functionId: SEARCH, input, output: { ...ANSWER, ...answer } }) ?? "";

test("spec 07 §10 UI search renderer: shows the capabilities, not a legacy query; nothing is expanded by itself", () => {
  const html = shownSearch(
    { workers: [{ namespace: "pay", functions: [candidate("pay::refund")] }] },
    { capabilities: ["give money back"], query: "old words" },
  );
  assert.match(wordsOf(html), /hybrid 1 worker 1 function .*13 ms give money back .*pay::refund/);
  assert.not.match(html, /old words/);
  assert.not.match(html, /<details[^>]* open/);
});

test("spec 07 §9.6: all four lists empty: an empty state with the guidance; each section has its call to copy", () => {
  assert.match(wordsOf(shownSearch({})), /Nothing fits\. Read the contract first\./);
  const words = wordsOf(
    shownSearch({
      installable: [{ name: "pay", version: "1.0.0", description: "Payments", functions: [candidate("pay::refund")] }],
      skills: [{ id: "pay/refund", title: "Refunds", description: "How" }],
      triggers: [{ id: "t", trigger_type: "cron", function_id: "pay::tick", worker_name: "pay", config: { every: 5 } }],
    }),
  );
  for (const part of [
    "1 installable",
    "1 skill",
    "1 trigger",
    "1.0.0",
    "not installed",
    'compose::add {"worker":"pay"}',
    'directory::skills::get {"id":"pay/refund"}',
    "cron → pay::tick · pay",
    '{"every":5}',
    'engine::functions::info {"function_ids":["pay::tick"]}',
  ]) {
    assert.ok(words.includes(part), `${part} in ${words}`);
  }
});

test("spec 07 §11 row 54: markup in ids and descriptions is text, and ids with quotes are escaped in the calls to copy", () => {
  const name = `a"<img src=x onerror=alert(1)>\\`;
  const html = shownSearch({
    workers: [{ namespace: name, functions: [candidate(name, "<script>alert(1)</script>")] }],
    installable: [{ name, version: "<b>", description: "<i>", functions: [] }],
    skills: [{ id: name, title: "<b>t</b>", description: "[x](javascript:alert(1))" }],
    triggers: [{ id: "t", trigger_type: name, function_id: name, worker_name: name, config: { [name]: name } }],
  });
  assert.not.match(tagsOf(html).join(""), /<(?:img|script|i|a)[\s>]|\s(?:href|src|on\w+)=/);
  for (const call of [
    `compose::add ${JSON.stringify({ worker: name })}`,
    `directory::skills::get ${JSON.stringify({ id: name })}`,
    `engine::functions::info ${JSON.stringify({ function_ids: [name] })}`,
  ]) {
    assert.ok(wordsOf(html).includes(call), call);
  }
});

test("X1, spec 07 §11 row 54: markup in a skill, a profile or a README of a transcript is text", () => {
  const evil =
    "<img src=x onerror=alert(1)>\n\n[click](javascript:alert(1))\n\n![i](https://example.invalid/i.png)\n\n<script>alert(1)</script>";
  for (const { id, input, output } of EXAMPLES) {
    const poisoned = JSON.parse(JSON.stringify(output), (_, value: unknown) =>
      typeof value === "string" && value !== AT ? evil : value,
    ) as object;
    const html = htmlOfCall(registered, { functionId: id, input, output: poisoned }) ?? "";
    const tags = tagsOf(html).join("");
    assert.not.match(tags, /<(?:img|script|iframe|a)[\s>]/, id);
    assert.not.match(tags, /\s(?:href|src|on\w+)=/, id);
  }
});

test("X4: hidden characters in a transcript are visible marks", () => {
  for (const { id, input, output } of EXAMPLES) {
    const hidden = JSON.parse(JSON.stringify(output), (_, value: unknown) =>
      typeof value === "string" && value !== AT ? `${value}\u200B\u202E` : value,
    ) as object;
    const html = htmlOfCall(registered, { functionId: id, input, output: hidden }) ?? "";
    assert.not.match(html.replaceAll(/\s(?:aria-label|title)="[^"]*"/g, ""), /[\u200B\u202E]/, id);
    assert.match(html, /U\+200B/, id);
  }
});

test("spec 07 §11 row 55: an unknown mode, missing sections, lists of thousands and an answer as text", () => {
  assert.match(wordsOf(shownSearch({ search_mode: "quantum" })), /^quantum /);
  assert.match(
    wordsOf(shownSearch({ search_mode: undefined, installable: undefined, skills: null, triggers: undefined })),
    /^search 0 workers/,
  );
  const many = Array.from({ length: 5_000 }, (_, index) => index);
  const html = shownSearch({
    workers: [
      { namespace: "pay", functions: many.map((index) => candidate(`pay::f${index}`)) },
      ...many.map((index) => ({ namespace: `n${index}`, functions: [] })),
    ],
    installable: many.map((index) => ({ name: `w${index}`, version: "1", description: "", functions: [] })),
    skills: many.map((index) => ({ id: `s/${index}`, title: "", description: "" })),
    triggers: many.map((index) => ({ id: `t${index}`, trigger_type: "cron", function_id: "a::b", config: null })),
  });
  assert.match(wordsOf(html), /5001 workers 5000 functions 5000 installable 5000 skills 5000 triggers/);
  assert.ok(html.length < 200_000, `${html.length} characters`);
  assert.is(wordsOf(html).match(/and 49\d\d more/g)?.length, 5);
  const text = htmlOfCall(registered, { functionId: SEARCH, output: JSON.stringify(JSON.stringify(ANSWER)) });
  assert.match(wordsOf(text ?? ""), /Nothing fits/);
});

test("spec 07 §9.8: the transcript renderer of the directory shows nothing, whatever the annotation", () => {
  assert.equal(
    registered.transcript.map(({ id }) => id),
    ["directory"],
  );
  for (const annotation of [{ version: 1, summary: "directory · hint injected", data: {} }, { version: 2 }, null, undefined, "x"]) {
    assert.is(registered.transcript[0]?.render(annotation), null);
  }
});

test("spec 07 §9.9: the chip is called default until it knows better, and reads nothing into what it can't read", () => {
  assert.equal(
    registered.chips.map(({ id }) => id),
    ["system-prompt"],
  );
  const html = htmlOf(registered.chips[0]?.render({ sessionId: "s" }));
  assert.match(html, /aria-label="System prompt: default"/);
});

const ROWS = Array.from({ length: 40 }, (_, index) => ({
  id: `pay/${index}`,
  name: `Pay ${index}`,
  title: `Pay ${index}`,
  description: "Money",
}));

/** A bus that answers lists, and counts the calls. */
function listing(answers: Readonly<Record<string, unknown>>): Bus & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    ...SILENT_BUS,
    calls,
    trigger: async <Reply>(id: string) => {
      calls.push(id);
      const answer = answers[id];
      if (answer === undefined) throw new Error(`no ${id}`);
      return (typeof answer === "function" ? await (answer as () => Promise<unknown>)() : answer) as Reply;
    },
  };
}

test("spec 07 §10 UI palette: finds in title, key and description of every collection, 30 rows at most; a row opens its entry", async () => {
  const bus = listing({
    "directory::skills::list": { skills: ROWS },
    "directory::system-prompts::list": { prompts: [{ name: "calm", description: "MONEY words" }] },
    "directory::agents::list": { agents: [{ id: "clerk", name: "The clerk", description: "" }] },
  });
  const { palette, opened } = await pageScript(bus);
  const [source] = palette;
  assert.equal([source?.id, source?.kind, source?.minCharacters], ["directory-entries", "item", 2]);
  const { signal } = new AbortController();
  const search = async (query: string) => (await source?.search(query, signal)) ?? [];
  assert.is((await search("money")).length, 30);
  assert.equal(
    (await search("CLERK")).map(({ title }) => title),
    ["The clerk"],
  );
  assert.equal(
    (await search("calm")).map(({ id }) => id),
    ["system-prompts:calm"],
  );
  (await search("pay/39"))[0]?.run();
  assert.equal(opened, [{ pageId: "directory", context: { collection: "skills", key: "pay/39" } }]);
  bus.calls.length = 0;
  assert.equal(await search(" x "), []);
  assert.equal(bus.calls, []);
});

test("spec 07 §9.4: the palette obeys the abort signal, before it asks and after; a list that fails leaves the others", async () => {
  const held: (() => void)[] = [];
  const bus = listing({
    "directory::skills::list": () => new Promise((resolve) => held.push(() => resolve({ skills: ROWS }))),
    "directory::agents::list": { agents: [] },
  });
  const { palette } = await pageScript(bus);
  const late = new AbortController();
  const answer = palette[0]?.search("money", late.signal);
  late.abort();
  for (const release of held) release();
  assert.equal(await answer, []);
  bus.calls.length = 0;
  assert.equal(await palette[0]?.search("money", late.signal), []);
  assert.equal(bus.calls, []);
  held.length = 0;
  const found = palette[0]?.search("money", new AbortController().signal);
  for (const release of held) release();
  assert.is((await found)?.length, 30);
});

test("spec 07 §9.4: the palette does not ask the harness for its default prompt: a console waits for it at every letter", async () => {
  const bus = listing({ "directory::skills::list": { skills: ROWS } });
  const { palette } = await pageScript(bus);
  await palette[0]?.search("money", new AbortController().signal);
  assert.equal(
    bus.calls.filter((id) => !id.startsWith("directory::")),
    [],
  );
});

test.run();
