import { test } from "uvu";
import * as assert from "uvu/assert";
import { AnswerCache } from "../../../actors/registry/answer-cache.js";
import { paginationOf, recordOf, workerOf, workersOf } from "../../../actors/registry/worker-rows.js";
import type { WorkerInfoRequest } from "../../../protocol/functions/registry.js";
import { newContext } from "../../harness/context.js";
import { downloading } from "../../harness/downloading.js";
import { RegistryServer, send } from "../../harness/registry-server.js";

const TIDES = {
  name: "tides",
  description: "Knows when the water is high.",
  version: "1.2.0",
  readme: "# Tides",
  functions: [
    {
      name: "tides::next",
      description: "Returns the next tide.",
      request_schema: { properties: { harbour: {} } },
      metadata: { internal: false },
    },
    { name: "tides::hidden", description: "x", metadata: { internal: true } },
    { name: "tides::on-config-change", description: "x" },
    { name: "engine::x", description: "x" },
    { name: "directory::search_functions", description: "x" },
    { name: "state::claim-namespace", description: "x" },
    { description: "no name" },
  ],
  triggers: [{ name: "tides::turned", description: "The tide has turned.", invocation_schema: {} }],
  skills: [
    { path: "skills/SKILL.md", content: "a" },
    { path: "skills/more.md", content: "b" },
  ],
};
const server = await RegistryServer.start();
const made = await downloading(server.url, { configuration: { registry_cache_ttl_ms: 60_000, download_timeout_ms: 2_000 } });
test.after(async () => {
  await made.stop();
  await server.close();
});
test.before.each(() => {
  server.workers.clear();
  server.workers.set("tides", TIDES);
  server.asked.length = 0;
  server.intercept = () => false;
  made.reconfigure({});
});

const info = (request: WorkerInfoRequest) => made.registry.workerInfo(request, newContext());
const list = (request: { search?: string; cursor?: string } = {}) => made.registry.listWorkers(request, newContext());

async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  }
  throw new Error("it succeeded");
}

test("spec 04 §5.4: the card has names and descriptions, and nothing that a search wouldn't show", async () => {
  const { worker, api_reference, skills_tree, readme } = await info({ name: "tides" });
  assert.equal([worker.name, worker.version, worker.author?.verified], ["tides", "1.2.0", true]);
  assert.equal(api_reference, {
    functions: [{ name: "tides::next", description: "Returns the next tide." }],
    triggers: [{ name: "tides::turned", description: "The tide has turned." }],
  });
  assert.equal(skills_tree, { skills: [{ path: "skills/SKILL.md" }, { path: "skills/more.md" }] });
  assert.is(readme, undefined);
  assert.is((await info({ name: "tides", readme: true })).readme, "# Tides");
  assert.equal(
    server.asked.sort(),
    ["/w/tides/skills?version=latest", "/w/tides?version=latest"],
    "the second card came from memory",
  );
});

const NAMES: readonly (readonly [request: WorkerInfoRequest, said: RegExp])[] = [
  [{ name: "  " }, /name must be non-empty/],
  ...[
    "../../admin",
    "shell/../../etc",
    "x?admin=1",
    "x#frag",
    "a/b",
    "Shell",
    "shell name",
    "sh`ell",
    "caf\u00e9",
    "x".repeat(65),
  ].map((name) => [{ name }, /^D311 invalid_input: .*directory::registry::workers::list/] as const),
  [{ name: "tides", version: "1", tag: "latest" }, /either version OR tag/],
];
for (const [request, said] of NAMES) {
  test(`spec 04 §10.5: a card of ${JSON.stringify(request).slice(0, 60)} is refused before anything is asked`, async () => {
    assert.match(await failure(info(request)), said);
    assert.equal(server.asked, []);
  });
}

test("spec 04 §5.4: no such worker, no such version; a worker without a bundle has a card", async () => {
  for (const request of [{ name: "nothing" }, { name: "tides", version: "99.99.99" }]) {
    const said = await failure(info(request));
    assert.match(said, /^D310 not_found: .*404.*directory::registry::workers::list/);
    assert.not(/HTTP 404/.test(said) || said.includes(server.url));
  }
  server.workers.set("bare", { name: "bare" });
  assert.equal((await info({ name: "bare" })).skills_tree, { skills: [] });
});

test("spec 04 §5.4: what fails on either leg is a registry error; a detail that is missing goes first", async () => {
  server.intercept = (url, _, response) => {
    if (url.pathname.endsWith("/skills")) send(response, 500, "");
    else send(response, 404, "");
    return true;
  };
  assert.match(await failure(info({ name: "tides" })), /^D310/);
  server.intercept = (url, _, response) => {
    if (!url.pathname.endsWith("/skills")) return false;
    send(response, 503, "");
    return true;
  };
  assert.match(await failure(info({ name: "tides" })), /^D320 registry_error: .*503/);
});

test("spec 04 §5.3: pages, words, cursors; R2: a cursor is passed on once", async () => {
  for (let at = 0; at < 45; at++) server.workers.set(`kit-${at}`, { name: `kit-${at}`, description: "A kit." });
  const first = await list({ search: "  kit " });
  assert.equal([first.workers.length, first.pagination], [20, { next_cursor: "20", has_more: true, page_size: 20 }]);
  const last = await list({ search: "kit", cursor: "40" });
  assert.equal([last.workers.length, last.pagination.has_more, last.pagination.next_cursor], [5, false, null]);
  await list({ search: " ", cursor: "\n" });
  assert.equal(server.asked, ["/w?search=kit", "/w?search=kit&cursor=40", "/w"]);
});

for (const value of ["a&b=c", "a#b", "a+b c", "d\u00e9j\u00e0"]) {
  test(`spec 04 §11: ${JSON.stringify(value)} stays one value in the address`, async () => {
    await list({ search: value });
    assert.is(new URL(server.asked[0] ?? "", server.url).searchParams.get("search"), value);
  });
}

test("R1, R12: an empty page is an answer; a failure isn't, and doesn't replace a good one", async () => {
  server.workers.clear();
  assert.equal((await list()).workers, []);
  server.workers.set("tides", TIDES);
  made.reconfigure({});
  assert.is((await list()).workers.length, 1);
  server.intercept = (_, __, response) => {
    send(response, 503, "");
    return true;
  };
  assert.is((await list()).workers.length, 1, "within its time");
  made.reconfigure({ registry_cache_ttl_ms: 0 });
  assert.match(await failure(list()), /^D320 .*503/);
  made.reconfigure({ registry_cache_ttl_ms: 60_000 });
});

test("R6: a cursor that the registry refuses is an error, not the first page", async () => {
  server.intercept = (_, __, response) => {
    send(response, 400, { error: "bad cursor" });
    return true;
  };
  assert.match(await failure(list({ cursor: "zzz" })), /^D320 registry_error: .*400/);
});

test("R3: a login page with status 200 is undecodable, and no word of it is in the message", async () => {
  server.intercept = (_, __, response) => {
    send(response, 200, "<!doctype html><title>Sign in to Example</title>");
    return true;
  };
  const said = await failure(list());
  assert.match(said, /^D320 registry_error: .*decoded/);
  assert.not.match(said, /Sign in/);
});

test("R4, spec 04 §5.3: rows without a name are dropped, null stands for a missing value, unknown keys go", () => {
  const rows = [
    { worker: { name: "coast" } },
    {},
    { name: "a", extra: 1, supported_targets: null, total_downloads: null, author: { verified: null } },
    5,
  ];
  const workers = workersOf({ workers: rows });
  assert.equal(workers, [
    {
      name: "a",
      description: null,
      type: null,
      version: null,
      repo: null,
      config: {},
      supported_targets: [],
      total_downloads: 0,
      dependencies: [],
      author: { name: null, pfp: null, verified: false },
    },
  ]);
  for (const bad of [
    { name: "a", dependencies: [{ name: "x" }] },
    { name: "a", total_downloads: -1 },
    { name: "a", description: 5 },
  ]) {
    assert.is(workerOf(bad), undefined, JSON.stringify(bad));
  }
  assert.is(workerOf({ name: "a", image: "x:1" })?.image, "x:1");
});

test("spec 04 §10.5: pagination that is missing or malformed", () => {
  const none = { next_cursor: null, has_more: false, page_size: 0 };
  for (const body of [{}, { pagination: 5 }, { pagination: { next_cursor: 5 } }, null, []]) assert.equal(paginationOf(body), none);
});

test("spec 04 §10.5: a record from a flat payload, from none, and with entries that make no sense", () => {
  assert.is(recordOf("a", { name: "flat", functions: [{ name: "f" }] }, {}).functions.length, 1);
  assert.equal(recordOf("a", {}, { skills: [{ path: "x" }, {}, { path: 5 }] }).skillPaths, ["x"]);
  assert.is(recordOf("a", {}, {}).worker.name, "a");
  assert.is(
    recordOf("a", { worker: { name: "a", functions: [{ name: 5 }, { name: "ok" }], triggers: null } }, {}).functions.length,
    1,
  );
});

test("R7: versions are passed on as they are, in whatever order", async () => {
  server.workers.set("rc", { name: "rc", version: "1.10.0-rc.10" });
  assert.is((await info({ name: "rc" })).worker.version, "1.10.0-rc.10");
  assert.is((await info({ name: "rc", version: "1.10.0-rc.10" })).worker.version, "1.10.0-rc.10");
});

test("spec 04 §5.5: same key shares a request, age counts at the look, a clear outlives what was asked before it", async () => {
  let now = 0;
  const cache = new AnswerCache(() => now);
  let asked = 0;
  const ask = async (): Promise<number> => ++asked;
  assert.equal(await Promise.all([cache.get(["a"], 100, ask), cache.get(["a"], 100, ask)]), [1, 1]);
  now = 99;
  assert.is(await cache.get(["a"], 100, ask), 1);
  assert.is(await cache.get(["a"], 0, ask), 2, "lowered while it was kept");
  now = 300;
  assert.is(await cache.get(["a"], 100, ask), 3);
  let answer = (_: string): void => {};
  const slow = cache.get(["slow"], 100, () => new Promise<string>((resolve) => (answer = resolve)));
  cache.clear();
  answer("of the old registry");
  assert.is(await slow, "of the old registry");
  assert.is(cache.peek(["slow"]), undefined);
  await cache.get(["a:b", "c"], 100, async () => "one");
  assert.is(await cache.get(["a", "b:c"], 100, async () => "two"), "two");
  assert.match(await failure(cache.get(["bad"], 100, async () => Promise.reject(new Error("no")))), /no/);
  assert.is(await cache.get(["bad"], 100, async () => "good"), "good");
});

test("K2: another registry is asked at once, whatever was kept of the first", async () => {
  const other = await RegistryServer.start([{ name: "reefs" }]);
  await list();
  made.reconfigure({ registry_url: other.url });
  assert.equal(
    (await list()).workers.map(({ name }) => name),
    ["reefs"],
  );
  made.reconfigure({ registry_url: server.url });
  await other.close();
});

test("K5: with a time of 0 nothing is kept", async () => {
  made.reconfigure({ registry_cache_ttl_ms: 0 });
  await list();
  await list();
  assert.is(server.asked.length, 2);
  made.reconfigure({ registry_cache_ttl_ms: 60_000 });
});

test("K7: download_timeout_ms is the limit of a request, and there is no shorter one behind it", async () => {
  server.intercept = (_, __, response) => {
    setTimeout(() => send(response, 200, { workers: [] }), 700);
    return true;
  };
  made.reconfigure({ download_timeout_ms: 200 });
  assert.match(await failure(list({ search: "a" })), /^D320/);
  made.reconfigure({ download_timeout_ms: 20_000 });
  assert.equal((await list({ search: "b" })).workers, []);
  made.reconfigure({ download_timeout_ms: 2_000 });
});

test("spec 04 §8: the contract of one function of the engine, in one shape", async () => {
  const answers: Record<string, unknown> = {
    "tides::next": {
      worker_name: "tides",
      description: "Next.",
      request_format: null,
      request_schema: { type: "object" },
      registered_triggers: [{ id: "t", trigger_type: "cron" }, { id: 5 }],
    },
    "tides::batch": { functions: [{ function_id: "tides::batch", response_format: { type: "string" } }] },
    bare: { metadata: { a: 1 } },
  };
  const engine = await downloading(server.url, {
    engine: ({ payload }) => answers[(payload as { function_id: string }).function_id] ?? { functions: [] },
  });
  const ask = (function_id: string) => engine.registry.functionInfo({ function_id }, newContext());
  assert.equal(await ask("  tides::next\n"), {
    function_id: "tides::next",
    worker_name: "tides",
    description: "Next.",
    request_schema: { type: "object" },
    response_schema: null,
    metadata: null,
    registered_triggers: [{ id: "t", trigger_type: "cron", config: {} }],
  });
  assert.equal(
    [(await ask("tides::batch")).response_schema, (await ask("tides::batch")).worker_name],
    [{ type: "string" }, "tides"],
  );
  assert.equal([(await ask("bare")).worker_name, (await ask("bare")).metadata], [null, { a: 1 }]);
  assert.match(await failure(ask(" ")), /function_id must be non-empty/);
  assert.match(await failure(ask("tides::gone")), /tides::gone/);
  await engine.stop();
});

test.run();
