/** What a cross-encoder may do to a ranking, and what happens when it does something else. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { rerank } from "../../../actors/search/reranking.js";
import type { LaneHead } from "../../../protocol/actors/catalog.js";
import type { EmbeddingActor, RerankRequest } from "../../../protocol/actors/embedding.js";
import { DirectoryError } from "../../../protocol/errors.js";
import { registered } from "../../harness/catalogue.js";
import { hybridProduct } from "../../harness/hybrid.js";
import { idsOf } from "../../harness/searching.js";

const test = suite("reranking");
const product = await hybridProduct();
test.after(product.close);

function headOf(ids: readonly string[], anchor?: string): LaneHead {
  const rows = ids.map((id, at) => ({ functionId: id, namespace: id, description: "", score: 1 - at / 100, text: id }));
  return { rows, ...(anchor === undefined ? {} : { anchor }) };
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `f::${String(at).padStart(2, "0")}`);

test("spec 05 §14 small catalog row 17: scores 0 to 23, ascending: 13 survive; the best retrieved of them, then the favourite", () => {
  const rows = rerank(headOf(numbered(24)), [...Array(24).keys()]);
  assert.is(rows.length, 13);
  assert.equal(
    rows.slice(0, 2).map(({ functionId }) => functionId),
    ["f::11", "f::23"],
  );
});

test("spec 05 §5.5: reciprocal rank fusion of the survivors, and no text in what is shown", () => {
  const ids = ["docs::read", "web::fetch", "mail::send", "calendar::list"];
  const rows = rerank(headOf(ids), [3, 2, 1, 4]);
  assert.equal(
    rows.map(({ functionId, score }) => [functionId, score.toFixed(8)]),
    [
      ["docs::read", "0.03252247"],
      ["calendar::list", "0.03201844"],
      ["web::fetch", "0.03200205"],
      ["mail::send", "0.03149802"],
    ],
  );
  assert.not("text" in (rows[0] ?? {}));
});

test("spec 05 §15 row 9: what holds every term of the need never falls below the second place, nor out of the list", () => {
  for (const logits of [
    [-30, 1, 2, 3, 4],
    [-3, 1, 2, 3, 4],
  ]) {
    const ids = rerank(headOf(numbered(5), "f::00"), logits).map(({ functionId }) => functionId);
    assert.ok(ids.indexOf("f::00") === 0 || ids.indexOf("f::00") === 1, ids.join(" "));
    assert.is(new Set(ids).size, 5);
  }
});

const FUNCTIONS = [
  registered("mail::send", "Sends a mail to a recipient.", "recipient", "subject"),
  registered("mail::draft", "Writes a draft of a mail.", "subject"),
  registered("post::letter", "Sends a printed letter to an address.", "address"),
  registered("tide::next-high", "Returns the time of the next high tide at a harbour.", "harbour"),
  registered("invoice::create", "Creates an invoice for a customer.", "customer", "items"),
  registered("garden::water", "Waters a bed of the garden for some minutes.", "bed"),
  registered("photo::thumbnail", "Makes a thumbnail of a photograph.", "photo"),
  registered("music::play", "Plays a song on a speaker.", "song"),
];
const NEED = "send a message to somebody";

/** Likes what the ranking has put last. */
const reversed = async ({ lanes }: RerankRequest) => ({
  lanes: lanes.map(({ documents }) => documents.map((_, at) => at / 10)),
});

async function searchWith(rerankBy: EmbeddingActor["rerank"], isOn = true) {
  const searching = await product.over(FUNCTIONS, { rerank: rerankBy, configuration: { function_search_reranker: isOn } });
  return searching.search([NEED]);
}

const plain = await searchWith(async () => {
  throw new DirectoryError("invalid_request", "switched off");
}, false);

test("switched on: its opinion counts, the mode is hybrid, and it is shown need and searchable text", async () => {
  const seen: RerankRequest[] = [];
  const answer = await searchWith(async (request) => {
    seen.push(request);
    return reversed(request);
  });
  assert.is(answer.search_mode, "hybrid");
  const [lane] = seen[0]?.lanes ?? [];
  assert.is(lane?.query, NEED);
  assert.ok(lane?.documents.includes("mail::send Sends a mail to a recipient. recipient subject"));
  assert.not.equal(idsOf(answer), idsOf(plain));
});

test("decision 30: switched off, nobody asks it", async () => {
  let asked = 0;
  await searchWith(async (request) => {
    asked += 1;
    return reversed(request);
  }, false);
  assert.is(asked, 0);
});

const USELESS: readonly (readonly [what: string, rerank: EmbeddingActor["rerank"]])[] = [
  ["fails", () => Promise.reject(new DirectoryError("actor_degraded", "the model processes keep dying"))],
  ["partial", async ({ lanes }) => ({ lanes: lanes.map(({ documents }) => documents.slice(1).map(() => 1)) })],
  ["more than the head", async ({ lanes }) => ({ lanes: lanes.map(({ documents }) => [...documents.map(() => 1), 2]) })],
  ["not numbers", async ({ lanes }) => ({ lanes: lanes.map(({ documents }) => documents.map(() => Number.NaN)) })],
  ["a lane too few", async () => ({ lanes: [] })],
  ["a lane that came too late", async ({ lanes }) => ({ lanes: lanes.map(() => null) })],
];
for (const [what, useless] of USELESS) {
  test(`spec 05 §14 small catalog row 16, §5.4.8: ${what}: the order of the vectors, still hybrid`, async () => {
    const answer = await searchWith(useless);
    assert.equal([idsOf(answer), answer.search_mode], [idsOf(plain), "hybrid"]);
  });
}

test.run();
