/** Spec 06 §6: the block splitter, as properties of any evaluation. */
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BLOCK_LIMITS, type Corpus, planBlocks, sheetOf, writeBody } from "../../../actors/jev/blocks.js";
import { SentDocuments } from "../../../actors/jev/documents.js";
import { JevFailure } from "../../../actors/jev/failure.js";
import { QuestionSheets } from "../../../actors/jev/questions.js";
import type { JudgedCorpus } from "../../../protocol/actors/jev.js";
import { checkRequest, type JevBody } from "../../harness/jev-request.js";

const test = suite("blocks");
const PATIENT = { check: () => {} };
const sheets = new QuestionSheets();

function corpusOf(
  corpus: JudgedCorpus,
  capabilities: readonly string[],
  documents: readonly { text: string; names: readonly string[] }[],
): Corpus {
  const named = documents.map(({ text, names }, at) => ({ id: `w::f${at}`, description: text, parameterNames: names }));
  return {
    corpus,
    model: "jev-1.13.0",
    capabilities: capabilities.map((text) => {
      const json = JSON.stringify(text);
      return { json, bytes: Buffer.byteLength(json) };
    }),
    documents: new SentDocuments().of(corpus, named),
  };
}

const anyText = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.integer({ min: 0, max: maxLength }).map((length) => 'é"\\ x'.repeat(length / 5)),
    fc.integer({ min: 0, max: maxLength }).map((length) => "x".repeat(length)),
  );

const anyCorpus = fc
  .record({
    corpus: fc.constantFrom<JudgedCorpus>("functions", "skills", "triggers"),
    capabilities: fc.array(anyText(2_000), { maxLength: 19 }),
    documents: fc.array(fc.record({ text: anyText(400), names: fc.array(anyText(1_500), { maxLength: 3 }) }), { maxLength: 40 }),
  })
  .map(({ corpus, capabilities, documents }) => corpusOf(corpus, capabilities, documents));

test("every pair exactly once, no block over its limits, or nothing at all", () => {
  let split = 0;
  fc.assert(
    fc.property(anyCorpus, (corpus) => {
      let blocks: ReturnType<typeof planBlocks>;
      try {
        blocks = planBlocks(corpus, sheets, PATIENT);
      } catch (error) {
        return error instanceof JevFailure && error.kind === "payload_too_large" && hasImpossiblePair(corpus);
      }
      const seen = new Set<string>();
      for (const block of blocks) {
        const raw = writeBody(block, corpus, sheets).toString();
        assert.is(checkRequest(raw), undefined);
        assert.equal(Object.keys((JSON.parse(raw) as JevBody).questions), sheetOf(block, corpus, sheets).ids);
        for (let c = block.capabilities.begin; c < block.capabilities.end; c++) {
          for (let f = block.documents.begin; f < block.documents.end; f++) {
            assert.not.ok(seen.has(`${c} ${f}`), "no pair twice");
            seen.add(`${c} ${f}`);
          }
        }
      }
      const [n, m] = [corpus.capabilities.length, corpus.documents.length];
      if (blocks.length > Math.ceil(n / 6) * Math.ceil(m / 16)) split++;
      return seen.size === n * m;
    }),
    { numRuns: 300 },
  );
  assert.ok(split > 0, "some blocks had to be split");
});

/** Computed from the whole request of the pair, not from the planner's sums. */
function hasImpossiblePair(corpus: Corpus): boolean {
  return corpus.capabilities.some((capability) =>
    corpus.documents.some((document) => {
      const pair = { ...corpus, capabilities: [capability], documents: [document] };
      const alone = { begin: 0, end: 1 };
      return checkRequest(writeBody({ capabilities: alone, documents: alone }, pair, sheets).toString()) !== undefined;
    }),
  );
}

/** The largest argument name, by bytes, with which a single pair still fits. */
test("a pair on the limit is sent, one byte more is refused", () => {
  const withName = (length: number): Corpus => corpusOf("functions", ["need"], [{ text: "Does.", names: ["p".repeat(length)] }]);
  const alone = { begin: 0, end: 1 };
  const sizeOf = (corpus: Corpus): number => {
    const body = JSON.parse(writeBody({ capabilities: alone, documents: alone }, corpus, sheets).toString()) as JevBody;
    const [question] = Object.values(body.questions);
    return Buffer.byteLength(JSON.stringify(body.state)) + Buffer.byteLength(JSON.stringify(question));
  };
  const length = BLOCK_LIMITS.stateAndQuestion - sizeOf(withName(0));
  assert.is(sizeOf(withName(length)), BLOCK_LIMITS.stateAndQuestion);
  assert.is(planBlocks(withName(length), sheets, PATIENT).length, 1);
  assert.throws(() => planBlocks(withName(length + 1), sheets, PATIENT));
});

const UNSPLIT: readonly [documents: number, capabilities: number, blocks: number][] = [
  [512, 1, 32],
  [512, 6, 32],
  [512, 18, 96],
  [10_000, 18, 1_875],
  [0, 6, 0],
  [6, 0, 0],
];
for (const [documents, capabilities, blocks] of UNSPLIT) {
  test(`${documents} functions × ${capabilities} capabilities are ${blocks} requests`, () => {
    const needs = Array.from({ length: capabilities }, (_, at) => `need ${at}`);
    const corpus = corpusOf(
      "functions",
      needs,
      Array.from({ length: documents }, () => ({ text: "Does a thing.", names: ["key", "value"] })),
    );
    assert.is(planBlocks(corpus, sheets, PATIENT).length, blocks);
  });
}

/** Room that the questions leave in a full block of each corpus. */
const ROOM: readonly [JudgedCorpus, number, number][] = [
  ["functions", 414, 8_523],
  ["skills", 392, 10_635],
  ["triggers", 421, 7_851],
];
for (const [corpus, largest, room] of ROOM) {
  test(`spec 06 §5: questions about ${corpus} leave ${room} bytes for the state`, () => {
    const sheet = sheets.of(corpus, 6, 16);
    assert.is(sheet.ids.length, 96);
    assert.is(sheet.largest, largest);
    assert.is(BLOCK_LIMITS.body - sheet.json.length - '{"model":"jev-1.13.0","state":,"questions":}'.length, room);
  });
}

test("documents that are kept: one that has changed is written anew", () => {
  const documents = new SentDocuments();
  const of = (description: string, ...parameterNames: string[]): string | undefined =>
    documents.of("functions", [{ id: "w::f", description, parameterNames }])[0]?.json;
  const first = of("Does.", "a", "b");
  assert.is(of("Does.", "a", "b"), first);
  assert.is(of("Does more.", "a", "b"), '{"function_id":"w::f","description":"Does more.","parameter_names":["a","b"]}');
  assert.is(of("Does.", "a", "c"), '{"function_id":"w::f","description":"Does.","parameter_names":["a","c"]}');
  assert.is(of("Does.", "a"), '{"function_id":"w::f","description":"Does.","parameter_names":["a"]}');
  assert.is(documents.of("skills", [{ id: "w::f", description: "Does." }])[0]?.json, '{"skill_id":"w::f","description":"Does."}');
});

test("a deadline that has passed stops the planning before the next pair of runs", () => {
  let checks = 0;
  const corpus = corpusOf(
    "functions",
    ["need"],
    Array.from({ length: 160 }, () => ({ text: "Does.", names: [] })),
  );
  const check = (): void => {
    if (++checks > 3) throw new JevFailure("deadline");
  };
  assert.throws(
    () => planBlocks(corpus, sheets, { check }),
    (error: unknown) => error instanceof JevFailure && error.kind === "deadline",
  );
  assert.is(checks, 4);
});

test.run();
