/** The cross-encoder: right logits, in time or not at all, and nothing else depends on it. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildEmbedding } from "../../../actors/embedding/build.js";
import type { EmbeddingActor } from "../../../protocol/actors/embedding.js";
import type { Configuration } from "../../../protocol/configuration.js";
import { newContext } from "../../harness/context.js";
import { settingFor } from "../../harness/setting.js";
import { temporaryFolder } from "../../harness/temporary.js";
import { expectedLogit, writeTinyBundle } from "../../harness/tiny-cross-encoder.js";

const test = suite("reranker");
const LOADING_MS = 60_000;
const folder = temporaryFolder();
const bundle = writeTinyBundle(folder);

interface Rig {
  readonly actor: EmbeddingActor;
  readonly reload: (values: Partial<Configuration>) => void;
}

async function withActor(values: Partial<Configuration>, body: (rig: Rig) => Promise<void>): Promise<void> {
  const given = { function_search_model_path: folder, function_search_reranker: true, ...values };
  const { setting, configuration, drain } = settingFor("embedding", { function_search_model_download: false, ...given });
  const actor = await buildEmbedding(setting, { processes: 1, bundle });
  let generation = 1;
  const reload = (next: Partial<Configuration>): void =>
    configuration.add({ generation: ++generation, values: { ...configuration.current, ...next } });
  try {
    await body({ actor, reload });
  } finally {
    await drain();
  }
}

const DOCUMENTS = [
  "mail::send Send a message.",
  "web::fetch Fetch a page.",
  "docs::read",
  ...Array.from({ length: 9 }, (_, at) => `f::${at} ${"word ".repeat(at * 3)}`),
];

test("spec 05 §5.4.5: raw logits in the order of the documents, however they were batched", async () => {
  await withActor({}, async ({ actor }) => {
    const lanes = ["send a letter", "read"].map((query) => ({ query, documents: DOCUMENTS }));
    const { lanes: logits } = await actor.rerank({ lanes }, newContext(LOADING_MS));
    assert.is(logits.length, 2);
    for (const [lane, { query }] of lanes.entries()) {
      for (const [at, document] of DOCUMENTS.entries()) {
        const given = logits[lane]?.[at] ?? Number.NaN;
        assert.ok(Math.abs(given - expectedLogit(query, document)) < 1e-3, `${query} / ${document}: ${given}`);
      }
    }
    const again = await actor.rerank({ lanes: lanes.slice(1) }, newContext(LOADING_MS));
    assert.equal(again.lanes[0], logits[1]);
  });
});

test("field fault E11: 24 candidates of 2,000 Asian characters for each of 18 capabilities: cut, and in time or left out", async () => {
  await withActor({}, async ({ actor }) => {
    const documents = Array.from({ length: 24 }, (_, at) => `${at} ${"部署服务".repeat(500)}`);
    const lanes = Array.from({ length: 18 }, (_, at) => ({ query: `need ${at} ${"很长".repeat(400)}`, documents }));
    const { lanes: logits } = await actor.rerank({ lanes }, newContext(LOADING_MS));
    assert.is(logits.length, 18);
    for (const lane of logits) assert.ok(lane === null || (lane.length === 24 && lane.every(Number.isFinite)));
  });
});

test("field fault E12: what comes out is the logit itself, and may be of any size and sign", async () => {
  await withActor({}, async ({ actor }) => {
    const documents = Array.from({ length: 40 }, (_, at) => `word${at} `.repeat(60));
    const { lanes } = await actor.rerank({ lanes: [{ query: "a", documents }] }, newContext(LOADING_MS));
    const logits = lanes[0] ?? [];
    assert.ok(logits.some((logit) => logit < 0) && logits.some((logit) => Math.abs(logit) > 1));
  });
});

test("a deadline that has passed: every lane is left out, and the next call is served", async () => {
  await withActor({}, async ({ actor }) => {
    const lanes = [{ query: "send", documents: DOCUMENTS }];
    const late = await actor.rerank({ lanes }, { ...newContext(), deadline: Date.now() + 1 });
    assert.equal(late.lanes, [null]);
    const { lanes: logits } = await actor.rerank({ lanes }, newContext(LOADING_MS));
    assert.is(logits[0]?.length, DOCUMENTS.length);
  });
});

const REFUSED: readonly (readonly [what: string, values: Partial<Configuration>, line: RegExp])[] = [
  ["switched off", { function_search_reranker: false }, /switched off \(function_search_reranker\)/],
  ["no local models", { function_search_model_path: null }, /local models are off/],
  ["no files", { function_search_model_path: join(folder, "elsewhere") }, /cannot be read/],
];
for (const [what, values, line] of REFUSED) {
  test(`decision 19: ${what}: a readable refusal`, async () => {
    await withActor(values, async ({ actor }) => {
      const error = await actor.rerank({ lanes: [{ query: "a", documents: ["b", "c"] }] }, newContext()).then(
        () => undefined,
        (reason: Error) => reason,
      );
      assert.match(error?.message ?? "", line);
    });
  });
}

test("decision 19: a damaged reranker: embedding goes on, and a repaired one serves after it was switched off and on", async () => {
  const other = temporaryFolder();
  writeTinyBundle(other);
  const model = join(other, "reranker", "onnx", "model.onnx");
  writeFileSync(model, Buffer.alloc(100));
  await withActor({ function_search_model_path: other }, async ({ actor, reload }) => {
    const call = () => actor.rerank({ lanes: [{ query: "a", documents: ["b", "c"] }] }, newContext(LOADING_MS));
    await call().then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, "100 bytes"),
    );
    const { model: identity } = await actor.embedQueries({ texts: ["read a file"] }, newContext(LOADING_MS));
    assert.match(identity, /^all-MiniLM/);
    rmSync(other, { recursive: true });
    writeTinyBundle(other);
    reload({ function_search_reranker: false });
    reload({ function_search_reranker: true });
    assert.is((await call()).lanes[0]?.length, 2);
  });
});

test.run();
