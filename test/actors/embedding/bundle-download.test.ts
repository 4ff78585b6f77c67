/** Fetching the pinned bundle: whole or not at all, again only what is missing, and in the background. */
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildEmbedding } from "../../../actors/embedding/build.js";
import { BundleDownload } from "../../../actors/embedding/bundle-download.js";
import { partsOf } from "../../../actors/embedding/model/manifest.js";
import { isComplete, partFault, pathOf } from "../../../actors/embedding/model/verification.js";
import { mayDownload } from "../../../actors/embedding/model-choice.js";
import { DEFAULT_CONFIGURATION } from "../../../domain/configuration.js";
import type { EmbeddingActor } from "../../../protocol/actors/embedding.js";
import type { Configuration } from "../../../protocol/configuration.js";
import { newContext } from "../../harness/context.js";
import { ModelServer } from "../../harness/model-server.js";
import { settingFor } from "../../harness/setting.js";
import { temporaryFolder } from "../../harness/temporary.js";
import { writeTinyBundle } from "../../harness/tiny-cross-encoder.js";

const test = suite("bundle download");
const LOADING_MS = 60_000;
const origin = temporaryFolder();
const manifest = writeTinyBundle(origin);
const FILES = partsOf(manifest).flatMap(([, part]) => part.files.map((file) => ({ part, file })));
const MODEL = "onnx/model.onnx";

interface Rig {
  readonly server: ModelServer;
  readonly folder: string;
  readonly download: BundleDownload;
  readonly lines: { readonly level: string; readonly text: string }[];
}

async function withDownload(body: (rig: Rig) => Promise<void>): Promise<void> {
  const server = await ModelServer.start(origin, manifest);
  const folder = join(temporaryFolder(), "models", "bundle");
  const lines: Rig["lines"] = [];
  const line =
    (level: string) =>
    (...given: unknown[]): void =>
      void lines.push({ level, text: given.map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join(" ") });
  const log = { info: line("info"), warn: line("warn"), debug: line("debug") } as never;
  const download = new BundleDownload({ source: server.url, folder, manifest, userAgent: "test", log });
  try {
    await body({ server, folder, download, lines });
  } finally {
    await download.close();
    await server.close();
  }
}

function copyOf(folder: string, but: (path: string) => boolean = () => false): void {
  for (const { part, file } of FILES) {
    const target = pathOf(folder, part, file);
    if (but(join(part.folder, file.path))) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(pathOf(origin, part, file)));
  }
}

async function isRight(folder: string): Promise<boolean> {
  const faults = await Promise.all(partsOf(manifest).map(([, part]) => partFault(folder, part)));
  return faults.every((fault) => fault === undefined);
}

test("an empty folder: all files in order, verified, with a line a tenth of the large ones", async () => {
  await withDownload(async ({ server, folder, download, lines }) => {
    assert.ok(await download.run());
    assert.ok(await isRight(folder));
    assert.equal(
      server.asked.map(({ path }) => path),
      FILES.map(({ part, file }) => `/${part.repository}/resolve/${part.revision}/${file.path}`),
    );
    const { state, bytes, totalBytes } = download.progress;
    assert.equal([state, bytes], ["complete", totalBytes]);
    const tenths = lines.filter(({ text }) => text.includes("percent") && text.includes(MODEL));
    assert.ok(tenths.length >= 10, `${tenths.length} lines`);
  });
});

test("field fault E10: all files but one: only that is fetched", async () => {
  await withDownload(async ({ server, folder, download }) => {
    copyOf(folder, (path) => path === join("reranker", "tokenizer.json"));
    assert.ok(await download.run());
    assert.equal(
      server.asked.map(({ path }) => path),
      ["/tests/tiny-reranker/resolve/0123abc/tokenizer.json"],
    );
  });
});

test("field fault E9: the server closes early without an error: no part is left, nothing is complete, the next run fetches", async () => {
  await withDownload(async ({ server, folder, download, lines }) => {
    server.intercept = (path, response, bytes) => {
      if (!path.endsWith(MODEL)) return false;
      response.writeHead(200, { connection: "close" }).end(bytes.subarray(0, 1_000_000));
      return true;
    };
    assert.not(await download.run());
    assert.match(download.progress.reason ?? "", /only 1000000 of \d+ bytes came/);
    assert.is(lines.filter(({ level }) => level === "warn").length, 1);
    assert.not(existsSync(join(folder, `${MODEL}.part`)));
    assert.not(await isComplete(folder, manifest));
    server.intercept = () => false;
    const next = new BundleDownload({ source: server.url, folder, manifest, userAgent: "test", log: { info() {} } as never });
    assert.ok(await next.run());
    assert.ok(await isRight(folder));
  });
});

const FAILURES: readonly (readonly [what: string, answer: ModelServer["intercept"], reason: RegExp])[] = [
  ["another content", (_, response, bytes) => !!response.writeHead(200).end(Buffer.alloc(bytes.length)), /SHA-256/],
  ["more bytes", (_, response, bytes) => !!response.writeHead(200).end(Buffer.concat([bytes, bytes])), /more than the pinned/],
  ["status 500", (_, response) => !!response.writeHead(500).end("no"), /status 500/],
  ["a connection that breaks", (_, response) => !!response.destroy(), /model\.onnx|other side closed|fetch failed/],
];
for (const [what, intercept, reason] of FAILURES) {
  test(`spec 05 §5.1: ${what}: the first failure ends the run with one warning and leaves no part`, async () => {
    await withDownload(async ({ server, folder, download, lines }) => {
      server.intercept = intercept;
      assert.not(await download.run());
      assert.is(server.asked.length, 1);
      assert.match(download.progress.reason ?? "", reason);
      assert.is(lines.filter(({ level }) => level === "warn").length, 1);
      assert.not(existsSync(join(folder, `${MODEL}.part`)));
      assert.not(existsSync(join(folder, MODEL)));
    });
  });
}

for (const ranges of [true, false]) {
  test(`what a killed run left of a file: ${ranges ? "the rest is asked for" : "a server without ranges gives all of it"}`, async () => {
    await withDownload(async ({ server, folder, download }) => {
      mkdirSync(join(folder, "onnx"), { recursive: true });
      writeFileSync(join(folder, `${MODEL}.part`), readFileSync(join(origin, MODEL)).subarray(0, 5_000_000));
      server.ranges = ranges;
      assert.ok(await download.run());
      assert.is(server.asked[0]?.range, "bytes=5000000-");
      assert.ok(await isRight(folder));
    });
  });
}

test("what a killed run left is wrong: the run fails, and the next begins anew", async () => {
  await withDownload(async ({ server, folder, download }) => {
    mkdirSync(join(folder, "onnx"), { recursive: true });
    writeFileSync(join(folder, `${MODEL}.part`), Buffer.alloc(1_000));
    assert.not(await download.run());
    const next = new BundleDownload({ source: server.url, folder, manifest, userAgent: "test", log: { info() {} } as never });
    assert.ok(await next.run());
  });
});

test("spec 05 §5.1: a symbolic link in place of a file or of a part is replaced, and what it points to stays as it was", async () => {
  await withDownload(async ({ folder, download }) => {
    copyOf(folder);
    const outside = join(temporaryFolder(), "outside");
    renameSync(join(folder, MODEL), outside);
    symlinkSync(outside, join(folder, MODEL));
    const victim = join(temporaryFolder(), "victim");
    writeFileSync(victim, "mine");
    symlinkSync(victim, join(folder, `${MODEL}.part`));
    assert.not(await isComplete(folder, manifest));
    assert.ok(await download.run());
    assert.ok(lstatSync(join(folder, MODEL)).isFile());
    assert.is(readFileSync(victim, "utf8"), "mine");
    assert.ok(existsSync(outside));
  });
});

test("a folder in place of a file: a readable failure, and the folder keeps what is in it", async () => {
  await withDownload(async ({ folder, download }) => {
    mkdirSync(join(folder, MODEL), { recursive: true });
    writeFileSync(join(folder, MODEL, "notes.txt"), "mine");
    assert.not(await download.run());
    assert.is(readFileSync(join(folder, MODEL, "notes.txt"), "utf8"), "mine");
  });
});

test("ended in mid-file: what has arrived stays for the next run", async () => {
  await withDownload(async ({ server, folder, download, lines }) => {
    let begun: () => void = () => {};
    const halfway = new Promise<void>((resolve) => {
      begun = resolve;
    });
    server.intercept = (_, response, bytes) => {
      response.writeHead(200, { "content-length": bytes.length }).write(bytes.subarray(0, 2_000_000), () => begun());
      return true;
    };
    const run = download.run();
    await halfway;
    while (download.progress.bytes < 2_000_000) await new Promise((resolve) => setTimeout(resolve, 5));
    await download.close();
    assert.not(await run);
    assert.is(lstatSync(join(folder, `${MODEL}.part`)).size, 2_000_000);
    assert.is(lines.filter(({ level }) => level === "warn").length, 0);
  });
});

const DEFAULT = DEFAULT_CONFIGURATION;
const WANTED: readonly (readonly [what: string, values: Partial<Configuration>, platform: string, wanted: boolean])[] = [
  ["nothing set", {}, "linux-x64", false],
  ["a path", { function_search_model_path: "/models" }, "linux-x64", true],
  ["the reranker", { function_search_reranker: true }, "linux-x64", true],
  ["no path", { function_search_model_path: null, function_search_reranker: true }, "linux-x64", false],
  ["downloads off", { function_search_model_path: "/models", function_search_model_download: false }, "linux-x64", false],
  ["lexical", { function_search_mode: "lexical", function_search_reranker: true }, "linux-x64", false],
  ["jev", { function_search_mode: "jev", function_search_reranker: true }, "linux-x64", false],
  ["no runtime for the platform", { function_search_reranker: true }, "freebsd-x64", false],
];
for (const [what, values, platform, wanted] of WANTED) {
  test(`decision 30: ${what}: ${wanted ? "fetched" : "not fetched"}`, () => {
    assert.is(mayDownload({ ...DEFAULT, ...values }, platform), wanted);
  });
}

async function withActor(folder: string, body: (actor: EmbeddingActor, server: ModelServer) => Promise<void>): Promise<void> {
  const server = await ModelServer.start(origin, manifest);
  const values = { function_search_model_path: folder, function_search_reranker: true };
  const { setting, drain } = settingFor("embedding", values);
  const actor = await buildEmbedding(setting, { processes: 1, bundle: manifest, modelSource: server.url });
  try {
    await body(actor, server);
  } finally {
    await drain();
    await server.close();
  }
}

async function until(
  actor: EmbeddingActor,
  wanted: (report: Awaited<ReturnType<EmbeddingActor["report"]>>) => boolean,
): Promise<void> {
  while (!wanted(await actor.report({}, newContext()))) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("the actor: the packaged model serves while the bundle comes; then the bundle does, with its reranker", async () => {
  const folder = join(temporaryFolder(), "bundle");
  await withActor(folder, async (actor) => {
    const before = await actor.embedQueries({ texts: ["read a file"] }, newContext(LOADING_MS));
    assert.is(before.vectors.length, 384);
    await until(actor, ({ origin: from, download }) => download?.state === "complete" && from === "bundle");
    const after = await actor.embedQueries({ texts: ["read a file"] }, newContext(LOADING_MS));
    assert.match(after.model, /^tiny@/);
    const { lanes } = await actor.rerank({ lanes: [{ query: "a", documents: ["b", "c"] }] }, newContext(LOADING_MS));
    assert.is(lanes[0]?.length, 2);
  });
});

test("the actor: a damaged file of a complete bundle is passed over, fetched again, and then the bundle serves", async () => {
  const folder = join(temporaryFolder(), "bundle");
  copyOf(folder);
  const damaged = readFileSync(join(folder, MODEL));
  damaged[1_000] = (damaged[1_000] ?? 0) ^ 1;
  rmSync(join(folder, MODEL));
  writeFileSync(join(folder, MODEL), damaged);
  await withActor(folder, async (actor, server) => {
    const before = await actor.embedQueries({ texts: ["read a file"] }, newContext(LOADING_MS));
    assert.match(before.model, /^all-MiniLM/);
    await until(actor, ({ origin: from }) => from === "bundle");
    assert.is(server.asked.length, 1);
    assert.ok(await isRight(folder));
  });
});

test.run();
