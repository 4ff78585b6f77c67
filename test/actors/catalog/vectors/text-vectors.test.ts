import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { BackgroundBank } from "../../../../actors/catalog/vectors/background-bank.js";
import { type EmbeddedText, keyOf } from "../../../../actors/catalog/vectors/embedded-text.js";
import { TextVectors } from "../../../../actors/catalog/vectors/text-vectors.js";
import { createLogger } from "../../../../border/log.js";
import { ManualTimer } from "../../../harness/manual-timer.js";
import { temporaryFolder } from "../../../harness/temporary.js";
import { unitVector, WordModel, wordVector } from "../../../harness/vectors.js";

const BANK = new BackgroundBank(new Uint8Array(unitVector(1).buffer));

interface Made {
  readonly vectors: TextVectors;
  readonly model: WordModel;
  readonly timer: ManualTimer;
  readonly directory: string;
}

function make({ model = new WordModel(), directory = temporaryFolder(), bank = BANK } = {}): Made {
  const timer = new ManualTimer();
  const vectors = new TextVectors({
    embed: (texts) => model.embedDocuments({ texts }),
    bank,
    directory,
    timer: timer.set,
    random: () => 0.5,
    log: createLogger("catalog", "silent"),
  });
  return { vectors, model, timer, directory };
}

/** Files are read in between, so what follows takes more than some turns of the event loop. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 60));
}

async function embedded({ vectors }: Made, ...texts: string[]): Promise<EmbeddedText[]> {
  const found = texts.map((text) => new Promise<EmbeddedText>((resolve) => vectors.want(text, resolve)));
  return Promise.all(found);
}

test("texts are embedded in batches, each once, and what is known already is there at once", async () => {
  const made = make();
  made.vectors.switch(true);
  const texts = Array.from({ length: 70 }, (_, at) => `text ${at}`);
  const [first] = await embedded(made, ...texts, "text 0");
  assert.equal(first?.vector, wordVector("text 0"));
  assert.equal(
    made.model.requests.map(({ length }) => length),
    [0, 32, 32, 6],
  );
  let at = 0;
  made.vectors.want("text 3", () => at++);
  assert.is(at, 1);
  await made.vectors.close();
});

test("a warm restart embeds nothing; another model, another bank and a damaged file embed again", async () => {
  const first = make();
  first.vectors.switch(true);
  await embedded(first, "a", "b");
  await first.vectors.close();
  const { directory } = first;
  const [file] = readdirSync(directory).filter((name) => name.startsWith("vectors-"));
  const path = join(directory, file ?? "");

  const warm = make({ directory });
  warm.vectors.switch(true);
  const [a] = await embedded(warm, "a", "b");
  assert.equal(a?.vector, wordVector("a"));
  assert.equal(warm.model.texts, []);
  await warm.vectors.close();

  const otherModel = new WordModel();
  otherModel.model = "words@2";
  const otherBank = new BackgroundBank(new Uint8Array(unitVector(2).buffer));
  for (const cold of [
    make({ directory, model: otherModel }),
    make({ directory: temporaryFolder() }),
    make({ directory, bank: otherBank }),
  ]) {
    cold.vectors.switch(true);
    await embedded(cold, "a", "b");
    assert.equal(cold.model.texts, ["a", "b"]);
    // Not closed: that would write the file of the other bank.
    cold.vectors.switch(false);
  }

  const bytes = readFileSync(path);
  for (const damage of [bytes.subarray(0, bytes.length - 700), bytes.subarray(0, 100), Buffer.alloc(0), flipped(bytes)]) {
    writeFileSync(path, damage);
    const repaired = make({ directory });
    repaired.vectors.switch(true);
    await embedded(repaired, "a", "b");
    assert.equal(repaired.model.texts, ["a", "b"]);
    repaired.vectors.switch(false);
  }
});

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length - 5] = (copy.at(-5) ?? 0) ^ 0x40;
  return copy;
}

test("the file is written some seconds after the last text, whole or not at all, and no part is left", async () => {
  const made = make();
  made.vectors.switch(true);
  await embedded(made, "a");
  assert.equal(readdirSync(made.directory), []);
  await made.timer.advance(5_000);
  for (let turn = 0; turn < 50 && readdirSync(made.directory).length === 0; turn++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await made.vectors.close();
  assert.match(readdirSync(made.directory).join(), /^vectors-[A-Za-z0-9]+\.bin$/);
});

test("a folder that can't be written costs a warning, nothing else", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const made = make({ directory: join(file, "below") });
  made.vectors.switch(true);
  await embedded(made, "a");
  await made.vectors.close();
});

test("T9: a model that fails is asked again with growing pauses, and what was wanted comes then", async () => {
  const made = make();
  made.model.fault = new Error("no process");
  let delivered = 0;
  made.vectors.want("a", () => delivered++);
  made.vectors.switch(true);
  for (const pause of [250, 500, 1_000, 2_000]) {
    await settle();
    assert.equal(made.timer.waiting, [pause]);
    assert.not(made.vectors.isServing);
    await made.timer.advance(pause);
  }
  made.model.fault = undefined;
  await made.timer.advance(4_000);
  await settle();
  assert.is(delivered, 1);
  assert.ok(made.vectors.isServing);
  await made.vectors.close();
});

test("switched off, nothing is embedded; switched on again, the rest is", async () => {
  const made = make();
  let delivered = 0;
  made.vectors.want("a", () => delivered++);
  await settle();
  assert.equal(made.model.requests, []);
  made.vectors.switch(true);
  await settle();
  assert.is(delivered, 1);
  made.vectors.switch(false);
  made.vectors.want("b", () => delivered++);
  await settle();
  assert.is(delivered, 1);
  assert.is(made.vectors.model, undefined);
  made.vectors.switch(true);
  await settle();
  assert.is(delivered, 2);
  await made.vectors.close();
});

test("what somebody waits for goes ahead of what nobody waits for", async () => {
  const made = make();
  for (let at = 0; at < 100; at++) made.vectors.want(`text ${at}`, () => {});
  made.vectors.want("now", () => {}, { urgent: true });
  made.vectors.switch(true);
  await settle();
  assert.is(made.model.requests[1]?.[0], "now");
  await made.vectors.close();
});

test("another model behind our back: what is held is dropped and embedded again", async () => {
  const made = make();
  const held = new Map<string, EmbeddedText>();
  let restarts = 0;
  made.vectors.addHolder({
    size: 0,
    held: () => [],
    restart: () => {
      restarts++;
      held.clear();
      made.vectors.want("a", (vector) => held.set("a", vector));
    },
  });
  made.vectors.switch(true);
  await settle();
  assert.is(restarts, 1);
  assert.ok(held.has("a"));
  made.model.model = "words@2";
  made.vectors.noticeModel("words@2");
  await settle();
  assert.is(restarts, 2);
  assert.is(made.vectors.model, "words@2");
  assert.equal(made.model.texts, ["a", "a"]);
  await made.vectors.close();
});

test("nobody wants it any more: it isn't embedded", async () => {
  const made = make();
  made.vectors.want("a", () => {});
  made.vectors.want("b", () => {});
  made.vectors.forget(keyOf("a"));
  made.vectors.switch(true);
  await settle();
  assert.equal(made.model.texts, ["b"]);
  await made.vectors.close();
});

test.run();
