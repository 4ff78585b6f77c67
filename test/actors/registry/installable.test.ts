import { test } from "uvu";
import * as assert from "uvu/assert";
import { chooseWorkers, variantsOf } from "../../../actors/registry/installable.js";
import type { RegistryWorker } from "../../../protocol/functions/registry.js";
import { newContext } from "../../harness/context.js";
import { downloading } from "../../harness/downloading.js";
import { RegistryServer } from "../../harness/registry-server.js";

const VARIANTS: readonly (readonly [queries: readonly string[], variants: readonly string[]])[] = [
  [["send an email message"], ["send an email message", "send", "email", "message"]],
  [["to the of and"], ["to the of and"]],
  [["alpha beta gamma delta epsilon"], ["alpha beta gamma delta epsilon", "alpha", "beta", "gamma", "delta", "epsilon"]],
  [
    ["local csv files", "detect and render tables"],
    ["local csv files", "detect and render tables", "local", "detect", "csv", "render"],
  ],
  [
    ["one a1", "two a2", "three a3", "four a4", "five a5", "six a6"],
    ["one a1", "two a2", "three a3", "four a4", "five a5", "six a6"],
  ],
];
for (const [queries, variants] of VARIANTS) {
  test(`spec 05 §14 small catalog row 22: the registry is asked for ${JSON.stringify(queries)}`, () => {
    assert.equal(variantsOf(queries), variants);
  });
}

const worker = (name: string, verified = true): RegistryWorker => ({ name, author: { name: "x", verified } });

test("spec 05 §14 small catalog row 23: a worker of each page in turn, at most six, whoever the author is", () => {
  const pages = ["a", "b", "c", "d", "e", "f"].map((name) => [worker(name, name !== "c"), worker(`${name}2`)]);
  const names = chooseWorkers(pages, new Set()).map(({ name }) => name);
  assert.equal(names, ["a", "b", "c", "d", "e", "f"]);
  assert.equal(
    chooseWorkers(
      [
        [worker("a"), worker("b")],
        [worker("a"), worker("c")],
      ],
      new Set(["b"]),
    ).map(({ name }) => name),
    ["a", "c"],
  );
});

test("R5: two rows of one worker: the first counts", () => {
  const rows = [
    { ...worker("coast"), version: "2.0.0" },
    { ...worker("coast"), version: "1.0.0" },
  ];
  assert.equal(
    chooseWorkers([rows], new Set()).map(({ version }) => version),
    ["2.0.0"],
  );
});

const server = await RegistryServer.start();
test.after(() => server.close());
test.before.each(() => {
  server.workers.clear();
  server.intercept = () => false;
  server.asked.length = 0;
  server.workers.set("tides", {
    name: "tides",
    description: "Reads tide tables.",
    version: "1.2.0",
    functions: [
      { name: "tides::read", description: "Reads a tide table.", request_schema: { properties: { year: {}, harbour: {} } } },
      { name: "tides::inner", description: "x", metadata: { internal: true } },
    ],
    skills: [],
  });
});

const REQUEST = { batches: [["read tide tables"]], installedNamespaces: ["mail"] };

test("spec 05 §8: candidates come with the functions that a search may show", async () => {
  const made = await downloading(server.url);
  assert.equal(await made.registry.installable(REQUEST, newContext(1_500)), {
    batches: [
      [
        {
          name: "tides",
          version: "1.2.0",
          description: "Reads tide tables.",
          functions: [{ functionId: "tides::read", description: "Reads a tide table.", parameterNames: ["harbour", "year"] }],
        },
      ],
    ],
  });
  await made.stop();
});

test("R10: the registry's own order stands, downloads don't change it", async () => {
  server.intercept = (url, _, response) => {
    if (url.pathname !== "/w") return false;
    const workers = [
      { name: "tides", total_downloads: 12 },
      { name: "mega-kit", total_downloads: 900_000 },
    ];
    response.end(JSON.stringify({ workers }));
    return true;
  };
  server.workers.set("mega-kit", { name: "mega-kit", functions: [{ name: "mega::do", description: "Does it all." }] });
  const made = await downloading(server.url);
  const { batches } = await made.registry.installable(REQUEST, newContext(1_500));
  assert.equal(
    batches[0]?.map(({ name }) => name),
    ["tides", "mega-kit"],
  );
  await made.stop();
});

test("R8, decision 12: a registry that never answers costs the caller its deadline at most, and what was known is used", async () => {
  const made = await downloading(server.url, { configuration: { registry_cache_ttl_ms: 0 } });
  const first = await made.registry.installable(REQUEST, newContext(1_500));
  server.intercept = () => true;
  const begin = Date.now();
  const second = await made.registry.installable(REQUEST, newContext(700));
  assert.ok(Date.now() - begin < 5_000);
  assert.equal(second, first);
  const nothing = await made.registry.installable({ ...REQUEST, batches: [["weld a plate"]] }, newContext(300));
  assert.equal(nothing, { batches: [[]] });
  await made.stop();
});

for (const [what, status] of [
  ["broken", 500],
  ["over its limit", 429],
] as const) {
  test(`spec 05 §11.1: a registry that is ${what} is an empty section, never an error`, async () => {
    server.intercept = (_, __, response) => {
      response.writeHead(status).end();
      return true;
    };
    const made = await downloading(server.url);
    assert.equal(await made.registry.installable(REQUEST, newContext(1_500)), { batches: [[]] });
    await made.stop();
  });
}

test("one candidate whose card can't be had doesn't cost the others theirs", async () => {
  server.workers.set("tables", {
    name: "tables",
    description: "Tables of tides.",
    functions: [{ name: "tables::list", description: "Lists." }],
  });
  server.intercept = (url, _, response) => {
    if (url.pathname !== "/w/tides") return false;
    response.writeHead(500).end();
    return true;
  };
  const made = await downloading(server.url);
  const { batches } = await made.registry.installable(REQUEST, newContext(1_500));
  assert.equal(
    batches[0]?.map(({ name }) => name),
    ["tables"],
  );
  await made.stop();
});

test.run();
