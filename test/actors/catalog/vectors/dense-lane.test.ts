import { test } from "uvu";
import * as assert from "uvu/assert";
import type { RankReply } from "../../../../protocol/actors/catalog.js";
import { buildOver, catalogOf, FakeEngine, registered } from "../../../harness/catalogue.js";
import { newContext } from "../../../harness/context.js";
import { temporaryFolder } from "../../../harness/temporary.js";
import { WordModel } from "../../../harness/vectors.js";

const FUNCTIONS = [
  registered("notes::append", "Adds a paragraph to a note.", "note", "text"),
  registered("notes::read", "Reads one note.", "note"),
  registered("mail::send", "Delivers a message to a mailbox.", "to", "body"),
];

interface Live {
  readonly engine: FakeEngine;
  readonly model: WordModel;
  readonly rank: (capability: string) => Promise<RankReply>;
  readonly refresh: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

async function live(functions = FUNCTIONS, cacheDirectory = temporaryFolder()): Promise<Live> {
  const engine = new FakeEngine(functions);
  const model = new WordModel();
  const { catalog, stop } = await buildOver(engine, { embedding: model, cacheDirectory });
  const refresh = async (): Promise<void> => {
    await catalog.refresh({}, newContext());
  };
  await refresh();
  const rank = async (capability: string): Promise<RankReply> => {
    const { vectors, model: name } = model.embed([capability]);
    return catalog.rank({ lanes: [capability], vectors: { rows: vectors, model: name } }, newContext());
  };
  return { engine, model, rank, refresh, stop };
}

/** Until the model has been asked for so many texts, and a moment more. */
async function embedded({ model }: Live, texts: number): Promise<void> {
  for (let turn = 0; turn < 200 && model.texts.length < texts; turn++) await pause(5);
  await pause(5);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a changed description embeds one text, and the others go on serving", async () => {
  const made = await live();
  await embedded(made, 3);
  assert.equal(made.model.texts.length, 3);
  made.engine.functions = [...FUNCTIONS.slice(0, 2), registered("mail::send", "Posts a letter to a recipient.", "to", "body")];
  await made.refresh();
  await embedded(made, 4);
  assert.equal(made.model.texts.slice(3), ["mail send. Posts a letter to a recipient."]);
  assert.is((await made.rank("post a letter to somebody")).lanes[0]?.rankedBy, "hybrid");
  await made.stop();
});

test("a function that goes and comes back isn't embedded again", async () => {
  const made = await live();
  await embedded(made, 3);
  made.engine.functions = FUNCTIONS.slice(0, 2);
  await made.refresh();
  made.engine.functions = FUNCTIONS;
  await made.refresh();
  await pause(20);
  assert.is(made.model.texts.length, 3);
  assert.is((await made.rank("deliver a message to a mailbox")).lanes[0]?.rows[0]?.functionId, "mail::send");
  await made.stop();
});

test("a warm restart embeds nothing", async () => {
  const cache = temporaryFolder();
  const cold = await live(FUNCTIONS, cache);
  await embedded(cold, 3);
  await cold.stop();
  const warm = await live(FUNCTIONS, cache);
  await pause(50);
  assert.is((await warm.rank("deliver a message to a mailbox")).lanes[0]?.rankedBy, "hybrid");
  assert.equal(warm.model.texts, []);
  await warm.stop();
});

test("while new functions are embedded they rank by their terms, and those with vectors serve", async () => {
  const made = await live();
  await embedded(made, 3);
  let open = (): void => {};
  made.model.gate = new Promise((resolve) => {
    open = resolve;
  });
  made.engine.functions = [...FUNCTIONS, registered("calendar::book-room", "Books a meeting room.", "room")];
  await made.refresh();
  const during = await made.rank("book a meeting room");
  assert.is(during.lanes[0]?.rankedBy, "hybrid");
  assert.is(during.lanes[0]?.rows[0]?.functionId, "calendar::book-room");
  open();
  await embedded(made, 4);
  assert.is((await made.rank("book a meeting room")).lanes[0]?.rows[0]?.functionId, "calendar::book-room");
  await made.stop();
});

test("vectors of another model, of no text, or none at all: terms rank", async () => {
  const made = await live();
  await embedded(made, 3);
  const { catalog } = await catalogOf(FUNCTIONS);
  const { vectors } = made.model.embed(["read one note"]);
  const ask = async (rows: Float32Array, model: string) =>
    (await catalog.rank({ lanes: ["read one note"], vectors: { rows, model } }, newContext())).lanes[0];
  assert.is((await ask(vectors, "words@1"))?.rankedBy, "lexical");
  const silent = await made.rank("");
  assert.equal(silent.lanes[0]?.rows, []);
  assert.is(silent.lanes[0]?.rankedBy, "lexical");
  await made.stop();
});

test("an exact id needs no vector, and says whether there would have been some", async () => {
  const made = await live();
  await embedded(made, 3);
  const reply = await made.rank("mail::send");
  assert.is(reply.dense, true);
  assert.equal(
    reply.lanes.map(({ exact, rows }) => [exact, rows.map(({ functionId }) => functionId)]),
    [[true, ["mail::send"]]],
  );
  await made.stop();
});

test.run();
