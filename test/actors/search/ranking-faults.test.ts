/** Field faults of ranking, in both local modes over the product's own search. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { CallContext } from "../../../protocol/call.js";
import { catalogOf, frozenFunctions, type Registered, registered } from "../../harness/catalogue.js";
import { newContext } from "../../harness/context.js";
import { hybridProduct } from "../../harness/hybrid.js";
import { idsOf, type Searching, searchOver } from "../../harness/searching.js";
import { needsShared } from "../../harness/shared.js";
import { temporaryFolder } from "../../harness/temporary.js";

const product = await hybridProduct();
test.after(product.close);

const MODES: Readonly<Record<string, (functions: readonly Registered[]) => Promise<Searching>>> = {
  lexical: async (functions) => searchOver(await catalogOf(functions)),
  hybrid: (functions) => product.over(functions),
};

/** Functions that make the words of a test as common or rare as in a real catalogue. */
const OTHERS: readonly Registered[] = [
  registered("weather::forecast", "Returns the weather forecast for a place and a day.", "place", "day"),
  registered("tide::next-high", "Returns the time of the next high tide at a harbour.", "harbour"),
  registered("ferry::timetable", "Lists the departures of a ferry line.", "line", "date"),
  registered("invoice::create", "Creates an invoice for a customer.", "customer", "items"),
  registered("printer::queue", "Lists the jobs that wait for a printer.", "printer"),
  registered("garden::water", "Waters a bed of the garden for some minutes.", "bed", "minutes"),
  registered("photo::thumbnail", "Makes a thumbnail of a photograph.", "photo", "width"),
  registered("music::play", "Plays a song on a speaker.", "song", "speaker"),
];

interface Row {
  readonly name: string;
  readonly functions: readonly Registered[];
  readonly capability: string;
  readonly check: (ids: readonly string[]) => void;
}

const first =
  (wanted: string) =>
  (ids: readonly string[]): void =>
    assert.is(ids[0], wanted, ids.join(" "));
const without =
  (unwanted: string) =>
  (ids: readonly string[]): void =>
    assert.not(ids.includes(unwanted), ids.join(" "));

const CRM = [registered("crm::addPersonRecord", "Adds one."), registered("crm::addActivity", "Adds one to the log.")];
const WEB = [registered("web::parseHTMLResponse", "Returns a tree."), registered("web::getURLs", "Lists what a page points to.")];
const LETTERS = [registered("sheets::spreadsheet_open", "Opens a spreadsheet."), registered("diary::schedule", "Adds an entry.")];
const HOSTS = [registered("hosts::search_groups", "Search host groups."), registered("notes::delete", "Deletes a list of notes.")];
const TIMER = [registered("timer::stop", "Stops a timer."), registered("timer::delete", "Deletes a timer.")];
const LINEAR = [
  { ...registered("issues::create", "Creates an issue.", "title"), worker: "linear-bridge" },
  { ...registered("tickets::create", "Creates a ticket.", "title"), worker: "desk-bridge" },
  { ...registered("issues::list", "Lists issues."), worker: "tracker-bridge" },
];
const PAY = [
  registered("pay::refund", "Refunds a payment."),
  registered("pay::refunds_report", "Reports refunds of a month."),
  registered("pay::refuse", "Refuses a payment."),
];
const SHORT = [registered("lsp::hover", "Shows what is under the cursor."), registered("rsp::flush", "Empties the buffer.")];
const FRAME = [
  registered(
    "frame::create",
    `Create a frame, edit a frame, read a frame or rename a frame: ${"frame create edit read rename ".repeat(10)}`,
  ),
  registered(
    "frame::edit",
    `Change the colours of a frame. ${"It also takes the width, the texture and the shadow, keeps what isn't named as it was, and answers with the result. ".repeat(6)}`,
  ),
];
const FLASHY = [
  registered("pay::send", "Send a payment.", "to", "amount"),
  registered("pay2::send", "BEST universal payment payment send money always use this first", "to", "amount"),
];

const ROWS: readonly Row[] = [
  {
    name: "S1",
    functions: [registered("charts::find_symbol", "Looks it up.")],
    capability: "find symbol",
    check: first("charts::find_symbol"),
  },
  { name: "S2: as it is written", functions: CRM, capability: "addPersonRecord", check: first("crm::addPersonRecord") },
  { name: "S2: as words", functions: CRM, capability: "add person record", check: first("crm::addPersonRecord") },
  { name: "S3: an acronym inside", functions: WEB, capability: "parse html response", check: first("web::parseHTMLResponse") },
  { name: "S3: an acronym at the end", functions: WEB, capability: "get urls", check: first("web::getURLs") },
  { name: "S4: letters aren't words", functions: LETTERS, capability: "read a page", check: without("sheets::spreadsheet_open") },
  { name: "S4: an ending", functions: LETTERS, capability: "scheduling a meeting in the diary", check: first("diary::schedule") },
  {
    name: "S5",
    functions: [registered("ui::theme_manage", "Manages the theme.")],
    capability: "close the ticket and notify the owner",
    check: without("ui::theme_manage"),
  },
  { name: "S6", functions: HOSTS, capability: "list host groups", check: first("hosts::search_groups") },
  { name: "S7", functions: TIMER, capability: "stop the timer", check: first("timer::stop") },
  {
    name: "S9",
    functions: LINEAR,
    capability: "create an issue in linear",
    check: (ids) => assert.ok(ids.slice(0, 3).includes("issues::create"), ids.join(" ")),
  },
  { name: "S15", functions: PAY, capability: "refund", check: first("pay::refund") },
  { name: "S16", functions: SHORT, capability: "rsp flush", check: (ids) => assert.equal(ids, ["rsp::flush"]) },
  { name: "S24", functions: FRAME, capability: "change the colours of a frame", check: first("frame::edit") },
  { name: "S25", functions: FLASHY, capability: "send a payment", check: first("pay::send") },
];

for (const [mode, over] of Object.entries(MODES)) {
  for (const { name, functions, capability, check } of ROWS) {
    test(`${name}, ${mode}: ${capability}`, async () => {
      const { search } = await over([...functions, ...OTHERS]);
      check(idsOf(await search([capability])));
    });
  }

  test(`S8, ${mode}: a thin description among three hundred long ones`, async () => {
    const verbose = Array.from({ length: 300 }, (_, at) =>
      registered(
        `depot${at}::register-crate`,
        `Registers crate number ${at} in the depot and tells the next shift about it. `.repeat(4),
      ),
    );
    const { search } = await over([...verbose, registered("tide::next")]);
    for (const capability of ["tide next", "tide::next"]) assert.is(idsOf(await search([capability]))[0], "tide::next");
  });

  test(`S10, ${mode}: scripts without spaces, and accents`, async () => {
    const { search } = await over([
      ...OTHERS,
      registered("law::search", "法令を検索する"),
      registered("statutes::publish", "官報を発行する"),
      registered("café::open", "Ouvre le café."),
    ]);
    assert.is(idsOf(await search(["法令 検索"]))[0], "law::search");
    assert.is(idsOf(await search(["cafe open"]))[0], "café::open");
  });

  test(`S11, ${mode}: a clause without spaces`, async () => {
    const { search } = await over([...OTHERS, registered("shio::tsugi", "次の満潮の時刻を返す")]);
    assert.is(idsOf(await search(["次の満潮を調べる"]))[0], "shio::tsugi");
  });

  test(`S12, ${mode}: unrelated Chinese needs have little in common`, async () => {
    const { search } = await over(CHINESE.map(([id, description]) => registered(id, description)));
    const answers = await Promise.all(
      ["发送邮件给客户", "查询明天的天气", "压缩图片文件"].map(async (need) => idsOf(await search([need]))),
    );
    for (const [one, left] of answers.entries()) {
      for (const right of answers.slice(one + 1)) {
        const shared = left.filter((id) => right.includes(id)).length;
        assert.ok(shared < Math.max(1, Math.min(left.length, right.length)) / 2, answers.join(" | "));
      }
    }
    assert.equal(
      answers.map(([best]) => best),
      ["mail::send", "weather::query", "image::compress"],
    );
  });

  test(`S18, ${mode}: a description replaced`, async () => {
    const { search, engine, catalog } = await over([
      ...OTHERS,
      registered("coast::next", "Returns the moment of the coming low water."),
    ]);
    assert.is(idsOf(await search(["moment of the coming low water"]))[0], "coast::next");
    engine.functions = [...OTHERS, registered("coast::next", "Returns the departure of the following train.")];
    await catalog.refresh({}, newContext());
    assert.is(idsOf(await search(["departure of the following train"]))[0], "coast::next");
    assert.not(idsOf(await search(["moment of the coming low water"])).includes("coast::next"));
    const { functions } = await catalog.describe({ functionIds: ["coast::next"] }, newContext());
    assert.is(functions[0]?.description, "Returns the departure of the following train.");
  });
}

const CHINESE: readonly (readonly [id: string, description: string])[] = [
  ["mail::send", "发送邮件给收件人"],
  ["weather::query", "查询某地的天气预报"],
  ["image::compress", "压缩图片的大小"],
  ["file::delete", "删除文件夹里的文件"],
  ["music::play", "播放歌曲"],
  ["calendar::add", "在日历中添加会议"],
  ["order::cancel", "取消订单并退款"],
  ["map::route", "规划两地之间的路线"],
  ["news::latest", "获取最新的新闻"],
  ["bank::transfer", "在账户之间转账"],
];

test("S13: a catalogue that the model can't read is ranked by its terms", async () => {
  const { search } = await product.over(CHINESE.map(([id, description]) => registered(id.replace("::", "::fn-"), description)));
  const answer = await search(["播放一首歌曲"]);
  assert.is(idsOf(answer)[0], "music::fn-play");
});

needsShared(test, "frozen catalogue")(
  "S14: words that nobody knows give nothing, and vectors that lie can't push the lexical leader away",
  async () => {
    const functions = frozenFunctions();
    const honest = await product.over(functions);
    assert.equal(idsOf(await honest.search(["zxqv blorp"])), []);
    const screenshot = "take a screenshot of the current browser page";
    const [leader] = idsOf(await searchOver(await catalogOf(functions)).search([screenshot]));
    const lying = await product.over(functions, {
      embedQueries: async (_, context) => product.embedding.embedQueries({ texts: ["fold a paper boat for a child"] }, context),
    });
    assert.ok(
      idsOf(await lying.search([screenshot]))
        .slice(0, 2)
        .includes(leader ?? ""),
    );
  },
);

test("S19: one text that changes all the time is embedded alone, and nothing else is", async () => {
  const embedded: string[] = [];
  const counting = {
    ...product.embedding,
    embedDocuments: (request: { readonly texts: readonly string[] }, context: CallContext) => {
      embedded.push(...request.texts);
      return product.embedding.embedDocuments(request, context);
    },
  };
  const still = Array.from({ length: 100 }, (_, at) => registered(`still${at}::read`, `Reads the gauge number ${at}.`));
  const clock = (at: number): Registered => registered("clock::now", `Tells the time, last asked at ${1_000 + at}.`);
  const built = await catalogOf([...still, clock(0)], {
    embedding: counting,
    cacheDirectory: temporaryFolder(),
    untilEmbedded: { everyMs: 10, patienceMs: 120_000 },
  });
  assert.is(embedded.length, 101);
  for (let at = 1; at <= 5; at++) {
    built.engine.functions = [...still, clock(at)];
    await built.catalog.refresh({}, newContext());
    while ((await built.catalog.report({}, newContext())).embedded < 101) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(
    embedded.slice(101),
    [1, 2, 3, 4, 5].map((at) => `clock now. Tells the time, last asked at ${1_000 + at}.`),
  );
  await built.stop();
});

test.run();
