import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { buildEmbedding } from "../../../actors/embedding/build.js";
import { cosine, DIMENSIONS, isAbsent } from "../../../actors/embedding/model/pooling.js";
import type { EmbeddingActor } from "../../../protocol/actors/embedding.js";
import { newContext } from "../../harness/context.js";
import { settingFor } from "../../harness/setting.js";
import { needsShared, ROOT, sharedFile } from "../../harness/shared.js";

const LOADING_MS = 60_000;
const { setting, drain } = settingFor("embedding");
const actor: EmbeddingActor = await buildEmbedding(setting, { processes: 1 });

test.after(drain);

async function queries(...texts: string[]): Promise<Float32Array[]> {
  const { vectors } = await actor.embedQueries({ texts }, newContext(LOADING_MS));
  return texts.map((_, row) => vectors.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS));
}

async function documents(...texts: string[]): Promise<Float32Array[]> {
  const { vectors } = await actor.embedDocuments({ texts }, newContext(LOADING_MS));
  return texts.map((_, row) => vectors.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS));
}

test("the embedded model serves when no bundle is there, and says which it is", async () => {
  const { dimensions, model, vectors } = await actor.embedQueries({ texts: ["read a file"] }, newContext(LOADING_MS));
  assert.is(dimensions, DIMENSIONS);
  assert.match(model, /^all-MiniLM-L6-v2-w8@[0-9a-f]{16}$/);
  assert.instance(vectors.buffer, SharedArrayBuffer);
  const state = await actor.report({}, newContext());
  assert.is(state.state, "ready");
  assert.is(state.origin, "embedded");
});

test("E1, E2: a text alone and beside a long one has the same vector", async () => {
  const long = Array.from({ length: 400 }, (_, at) => `word${at}`).join(" ");
  const [alone] = await documents("send mail");
  const [beside] = await documents("send mail", long, "another one");
  const [asked] = await queries("send mail");
  assert.ok(cosine(alone ?? [], beside ?? []) >= 0.9999);
  assert.ok(cosine(alone ?? [], asked ?? []) >= 0.9999);
});

test("E3: texts are cut by tokens, Asian ones too", async () => {
  const cut = "部署服务".repeat(500);
  const [chinese, mixed] = await documents(cut, `deploy the service ${"to the cluster ".repeat(2_000)}`);
  assert.is(chinese?.length, DIMENSIONS);
  assert.not(isAbsent(mixed ?? new Float32Array()));
});

const ODD: readonly (readonly [what: string, text: string, hasVector: boolean])[] = [
  ["empty", "", false],
  ["only spaces", "   ", false],
  ["only emoji", "🚀🚀😀", false],
  ["only control characters", "\u0000\u0001\u0007", false],
  ["a lone surrogate", "\ud800", false],
  ["one word of 10,000 letters", "x".repeat(10_000), false],
  ["another script", "列出目录中的所有文件", false],
  ["French", "Envoyer un courriel à l'équipe", true],
  ["emoji around a word", "🚀 deploy 🚀", true],
  ["an id", "state::compare-and-set", true],
];
test("E4, S13: odd texts have a finite vector or none, and cost the others nothing", async () => {
  const vectors = await documents("send mail", ...ODD.map(([, text]) => text));
  const [reference] = await documents("send mail");
  assert.ok(cosine(vectors[0] ?? [], reference ?? []) >= 0.9999);
  for (const [at, [what, , hasVector]] of ODD.entries()) {
    const vector = vectors[at + 1] ?? new Float32Array();
    assert.ok(vector.every(Number.isFinite), what);
    assert.is(!isAbsent(vector), hasVector, what);
  }
});

test("no texts, no rows", async () => {
  assert.is((await actor.embedQueries({ texts: [] }, newContext())).vectors.length, 0);
});

test("equal texts of one call have equal rows, in their places", async () => {
  const [a, b, c] = await queries("close an issue", "send mail", "close an issue");
  assert.equal(a, c);
  assert.not.equal(a, b);
});

needsShared(test, "golden vectors of the shared folder")("E13: twenty golden texts, token counts and vectors", async () => {
  const { Tokens } = await import("../../../actors/embedding/model/tokens.js");
  const { Encoder } = await import("../../../actors/embedding/model/encoder.js");
  const folder = join(ROOT, "models", "all-MiniLM-L6-v2-w8");
  const { cases } = JSON.parse(readFileSync(sharedFile("models", "golden.json"), "utf8")) as {
    cases: { text: string; tokens: number; fp32: string; w8: string }[];
  };
  const tokens = new Tokens(folder);
  for (const { text, tokens: count } of cases) assert.is(tokens.encode(text).ids.length, count, text);
  const encoder = await Encoder.load(join(folder, "model.onnx"));
  const vectors = await encoder.embed(cases.map(({ text }) => text));
  for (const [row, { text, fp32, w8 }] of cases.entries()) {
    const vector = vectors.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
    assert.ok(cosine(vector, floats(fp32)) >= 0.998, text);
    assert.ok(cosine(vector, floats(w8)) >= 0.99999, text);
  }
  await encoder.release();
});

function floats(base64: string): Float32Array {
  const bytes = Buffer.from(base64, "base64");
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

test.run();
