import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Field } from "../../../actors/catalog/index/impact-model.js";
import { InvertedIndex } from "../../../actors/catalog/index/inverted-index.js";
import { Retrieval } from "../../../actors/catalog/index/retrieval.js";
import { analyse, queryTerms } from "../../../actors/catalog/lexical/analysis.js";
import { FIELDS, type FieldTerms, termsOfDocument } from "../../../actors/catalog/lexical/fields.js";
import { CUTS, LANE_LIMIT, LexicalLane, type LexicalRow } from "../../../actors/catalog/lexical/lexical-lane.js";

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

function termsOf({ id: name, text: body }: { readonly id: string; readonly text: string }): FieldTerms {
  return termsOfDocument(name, body, true);
}

/** BM25F word for word, over every document. */
function naive(documents: ReadonlyMap<string, FieldTerms>, query: string): Scored[] {
  const K1 = 1.2;
  const all = [...documents].map(([name, fields]) => ({ name, fields }));
  const idfOf = (term: string): number => {
    const holding = all.filter(({ fields }) => fields.some((field) => field.includes(term))).length;
    return Math.log((all.length - holding + 0.5) / (holding + 0.5) + 1);
  };
  const highest = queryTerms(query).reduce((sum, term) => sum + idfOf(term), 0) * (K1 + 1);
  const rows = all.map(({ name, fields }) => {
    let score = 0;
    let matched = 0;
    for (const term of queryTerms(query)) {
      let occurrences = 0;
      for (const [at, { weight, typicalLength, mostOccurrences = 99 }] of FIELDS.entries()) {
        const field = fields[at] ?? [];
        const frequency = Math.min(mostOccurrences, field.filter((other) => other === term).length);
        occurrences += (weight * frequency) / (0.5 + (0.5 * field.length) / typicalLength);
      }
      if (occurrences === 0) continue;
      score += (idfOf(term) * occurrences * (K1 + 1)) / (occurrences + K1);
      matched++;
    }
    return { id: name, score: score / highest, matched };
  });
  return rows
    .filter(({ matched }) => matched >= 2)
    .sort((left, right) => (same(left.score, right.score) ? (left.id < right.id ? -1 : 1) : right.score - left.score));
}

function same(left: number, right: number): boolean {
  return Math.abs(left - right) <= 1e-6 * Math.max(1, Math.abs(right));
}

test("the lane equals BM25F computed over every document, pruned", () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 40 }), text, (documents, query) => {
      fc.pre(queryTerms(query).length !== 1);
      const lane = new LexicalLane();
      for (const each of documents) lane.add(each.id, termsOf(each));
      const all = naive(new Map(documents.map((each) => [each.id, termsOf(each)])), query);
      const actual = lane.rank(query);
      const best = all[0]?.score ?? 0;
      assert.ok(actual.length >= Math.min(LANE_LIMIT, all.filter(({ score }) => score > CUTS.foreign * best * (1 + 1e-6)).length));
      for (const [at, row] of actual.entries()) {
        const other = all.find((candidate) => candidate.id === row.id);
        assert.ok(other !== undefined && same(row.score, other.score));
        assert.ok(at === 0 || row.score <= (actual[at - 1]?.score ?? 0), "in order");
        assert.ok(row.score >= CUTS.own * best * (1 - 1e-6) && row.score <= 1);
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
          lane.add(each.id, termsOf(each));
          left.set(each.id, each.text);
        }
        // Asking in between fills the caches that a change must empty.
        lane.rank(queries[0] as string);
      }
      const fresh = new LexicalLane();
      for (const [name, body] of [...left].reverse()) fresh.add(name, termsOf({ id: name, text: body }));
      assert.is(lane.size, left.size);
      for (const query of queries) {
        assert.equal(lane.rank(query), fresh.rank(query));
        assert.equal(lane.scores(query, 10), fresh.scores(query, 10));
        const others = lane.has("tide::n1") ? ["tide::n1"] : [];
        assert.equal([...lane.weigh(query, 10, others)].sort(), [...fresh.weigh(query, 10, others)].sort());
      }
    }),
    { numRuns: RUNS },
  );
});

function sorted<Row extends LexicalRow>(rows: readonly Row[]): Row[] {
  return [...rows].sort((left, right) => (left.id < right.id ? -1 : 1));
}

const TWO_FIELDS: readonly Field[] = [
  { weight: 3, typicalLength: 2 },
  { weight: 1, typicalLength: 6 },
];

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
        for (const each of documents) index.add(each.id, [analyse(each.id), analyse(each.text)]);
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
  const index = new InvertedIndex(FIELDS);
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
    lane.add(`tide::n${String(at).padStart(3, "0")}`, [["tide"], analyse(`chart the tide ${"calm ".repeat(at % 3)}`)]);
  const rows = lane.rank("chart the tide");
  assert.is(rows.length, LANE_LIMIT);
  const expected = Array.from({ length: 400 }, (_, at) => at).filter((at) => at % 3 === 0);
  assert.equal(
    rows.map((row) => row.id),
    expected.slice(0, LANE_LIMIT).map((at) => `tide::n${String(at).padStart(3, "0")}`),
  );
});

test.run();
