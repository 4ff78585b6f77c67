import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { BM25, type ImpactModel } from "../../../actors/catalog/index/impact-model.js";
import { InvertedIndex } from "../../../actors/catalog/index/inverted-index.js";
import { Retrieval } from "../../../actors/catalog/index/retrieval.js";
import { LANE_LIMIT, LexicalLane } from "../../../actors/catalog/lexical/lexical-lane.js";
import { prune } from "../../../actors/catalog/lexical/pruning.js";
import { queryTerms, tokenize } from "../../../domain/tokenizer.js";

const RUNS = 300;

/** Few words, so that documents share terms; ids that collide, so that adding replaces. */
const word = fc.constantFrom("tide", "moon", "reef", "harbourMaster", "queries", "the", "x1", "buoy", "Kelp", "s3Bucket");
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
const id = fc.tuple(word, fc.integer({ min: 0, max: 9 })).map(([name, number]) => `${name}::n${number}`);
const document = fc.record({ id, text });
const change = fc.oneof({ weight: 3, arbitrary: document }, { weight: 1, arbitrary: id });

interface Scored {
  readonly id: string;
  readonly score: number;
  readonly matched: number;
}

/** The formula of spec 05 §4.7, word for word, over every document. */
function naive(documents: ReadonlyMap<string, string>, query: string): Scored[] {
  const K1 = 1.2;
  const B = 0.75;
  const terms = [...documents].map(([name, body]) => ({ name, terms: [...tokenize(name), ...tokenize(name), ...tokenize(body)] }));
  const average = terms.reduce((sum, { terms: all }) => sum + all.length, 0) / terms.length;
  const rows = terms.map(({ name, terms: all }) => {
    let score = 0;
    let matched = 0;
    for (const term of queryTerms(query)) {
      const holding = terms.filter((other) => other.terms.includes(term)).length;
      const frequency = all.filter((other) => other === term).length;
      if (frequency === 0) continue;
      const idf = Math.log((terms.length - holding + 0.5) / (holding + 0.5) + 1);
      score += (idf * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * all.length) / average));
      matched++;
    }
    return { id: name, score, matched };
  });
  return rows
    .filter(({ matched }) => matched >= 2)
    .sort((left, right) => (Math.abs(left.score - right.score) > 1e-9 ? right.score - left.score : left.id < right.id ? -1 : 1));
}

function same(left: number, right: number): boolean {
  return Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(right));
}

test("the lane equals BM25 computed over every document, pruned", () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 40 }), text, (documents, query) => {
      fc.pre(queryTerms(query).length !== 1);
      const lane = new LexicalLane();
      for (const each of documents) lane.add(each.id, each.text);
      const expected = prune(naive(new Map(documents.map((each) => [each.id, each.text])), query));
      const actual = lane.rank(query);
      const bounds = expected.length > 0 ? [expected[0]?.score as number, expected.at(-1)?.score as number] : [];
      assert.is(actual.length, Math.min(expected.length, LANE_LIMIT), JSON.stringify({ actual, expected, bounds }));
      for (const [at, row] of actual.entries()) {
        const other = expected.find((candidate) => candidate.id === row.id);
        assert.ok(other !== undefined && same(row.score, other.score) && row.matched === other.matched);
        assert.ok(same(row.score, expected[at]?.score as number), "in the same order");
      }
    }),
    { numRuns: RUNS },
  );
});

test("after any changes the lane equals, to the last bit, one built from what is left", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), fc.array(text, { minLength: 1, maxLength: 4 }), (changes, queries) => {
      const lane = new LexicalLane();
      const left = new Map<string, string>();
      for (const each of changes) {
        if (typeof each === "string") {
          lane.remove(each);
          left.delete(each);
        } else {
          lane.add(each.id, each.text);
          left.set(each.id, each.text);
        }
        // Asking in between fills the caches that a change must empty.
        lane.rank(queries[0] as string);
      }
      const fresh = new LexicalLane();
      for (const [name, body] of [...left].reverse()) fresh.add(name, body);
      assert.is(lane.size, left.size);
      for (const query of queries) {
        assert.equal(lane.rank(query), fresh.rank(query));
        assert.equal(sorted(lane.scores(query)), sorted(fresh.scores(query)));
      }
    }),
    { numRuns: RUNS },
  );
});

function sorted(rows: readonly Scored[]): Scored[] {
  return [...rows].sort((left, right) => (left.id < right.id ? -1 : 1));
}

const TWO_FIELDS: ImpactModel = {
  fields: 2,
  saturation([name = 0, body = 0], [nameLength = 0, bodyLength = 0], [nameAverage = 0, bodyAverage = 0]) {
    const weight =
      (3 * name) / (0.5 + (0.5 * nameLength) / (nameAverage || 1)) + body / (0.5 + (0.5 * bodyLength) / (bodyAverage || 1));
    return weight / (1.2 + weight);
  },
};

test("pruning by bounds loses nothing: a cut gives the rows above it, with the scores of no cut", () => {
  const cuts = fc.constantFrom(0.2, 0.5, 0.8, 1);
  fc.assert(
    fc.property(
      fc.array(document, { maxLength: 60 }),
      text,
      cuts,
      fc.integer({ min: 1, max: 3 }),
      (documents, query, cut, minimumMatch) => {
        const index = new InvertedIndex(TWO_FIELDS);
        for (const each of documents) index.add(each.id, [tokenize(each.id), tokenize(each.text)]);
        const retrieval = new Retrieval(index);
        const all = rowsOf(index, retrieval, query, 0, minimumMatch);
        const best = Math.max(0, ...all.map(({ score }) => score));
        const expected = all.filter(({ score }) => score >= cut * best);
        assert.equal(sorted(rowsOf(index, retrieval, query, cut, minimumMatch)), sorted(expected));
      },
    ),
    { numRuns: RUNS },
  );
});

function rowsOf(index: InvertedIndex, retrieval: Retrieval, query: string, cut: number, minimumMatch: number): Scored[] {
  const { count, documents, scores, matched } = retrieval.retrieve(queryTerms(query), { cut, minimumMatch });
  return Array.from(documents.subarray(0, count), (at) => ({
    id: index.id(at),
    score: scores[at] as number,
    matched: matched[at] as number,
  }));
}

test("what is taken out leaves nothing behind", () => {
  const index = new InvertedIndex(BM25);
  const names = Array.from({ length: 500 }, (_, at) => `n${at}`);
  for (const [at, name] of names.entries())
    index.add(name, [["all", name, `shared${at % 7}`, ...Array<string>(at % 5).fill("often")]]);
  for (const name of names) assert.ok(index.remove(name));
  assert.equal([index.size, index.vocabulary], [0, 0]);
  assert.not(index.remove("n1"));
  for (const name of names) index.add(name, [["all"]]);
  assert.is(index.capacity, 500, "places are used again");
});

test("a lane is cut at its limit, and the rows kept are the best", () => {
  const lane = new LexicalLane();
  for (let at = 0; at < 400; at++)
    lane.add(`tide::n${String(at).padStart(3, "0")}`, `tide::n chart the tide ${"calm ".repeat(at % 3)}`);
  const rows = lane.rank("chart the tide");
  assert.is(rows.length, LANE_LIMIT);
  const expected = Array.from({ length: 400 }, (_, at) => at).filter((at) => at % 3 === 0);
  assert.equal(
    rows.map((row) => row.id),
    expected.slice(0, LANE_LIMIT).map((at) => `tide::n${String(at).padStart(3, "0")}`),
  );
});

test.run();
