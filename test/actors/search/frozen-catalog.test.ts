/** Spec 05 §14, table "Frozen catalog": 512 functions of 48 namespaces, without model and registry. One row, one test. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { frozenCatalog } from "../../harness/catalogue.js";
import { idsOf, namespacesOf, type Searching, searchOver } from "../../harness/searching.js";
import { needsShared, SHARED } from "../../harness/shared.js";

const check = needsShared(test, "frozen catalogue");
const built = SHARED === undefined ? undefined : await frozenCatalog();

/** A search of its own for each test: sessions don't meet. */
function fresh(): Searching {
  if (built === undefined) throw new Error("the frozen catalogue is missing");
  return searchOver(built);
}

interface Expected {
  readonly firstWorker?: string;
  readonly first?: string;
  /** Each entry: one of these ids. */
  readonly has?: readonly (readonly string[])[];
  readonly lacks?: readonly (string | RegExp)[];
  readonly atMost?: number;
  readonly guidance?: RegExp;
}

const ROWS: readonly (readonly [row: number | string, capability: string, expected: Expected])[] = [
  [
    1,
    "store a value under a key in the state scope and read it back",
    { firstWorker: "state", has: [["state::set"], ["state::get"]] },
  ],
  [
    2,
    "run a shell command on this machine",
    { firstWorker: "shell", has: [["shell::exec"]], guidance: /candidates.*ONE call, engine::functions::info/ },
  ],
  [
    3,
    "check the stargazers count of a github repository",
    { firstWorker: "github", has: [["github::repo::view", "github::search::repos"]], lacks: [/on-config-change/] },
  ],
  [4, "comment on an open github issue", { has: [["github::issue::comment"]] }],
  [5, "fetch the content of a web page by url", { has: [["web::fetch"]] }],
  [6, "execute a snippet of python code", { has: [["code-runner::run"]] }],
  [7, "upload an object into the storage bucket", { has: [["storage::putObject"]] }],
  [
    8,
    "describe the database schema and its tables",
    { firstWorker: "database", has: [["database::describeSchema", "database::describeTable"]] },
  ],
  [9, "take a screenshot of the current page", { has: [["browser::screenshot"]] }],
  [10, "zzzz qqqq wwww", { atMost: 0, guidance: /^No function matched/ }],
  ["11a", "list every available function on the engine", { lacks: [/^engine::/, "directory::search_functions"] }],
  ["11b", "enqueue a message onto a queue topic", { lacks: [/^engine::/, "directory::search_functions"] }],
  ["11c", "route my objective to the right worker", { lacks: [/^engine::/, "directory::search_functions"] }],
  [12, "read write delete list get set update files values objects", { atMost: 12 }],
  [15, "presign a temporary download url", { has: [["storage::presignUrl"]] }],
  [
    17,
    "close a github issue",
    { first: "github::issue::close", lacks: ["github::issue::create", "github::issue::list"], atMost: 4 },
  ],
  [18, "create a new pull request", { first: "github::pr::create", lacks: [/^directory::/] }],
  [
    19,
    "merge a pull request after checks pass",
    { has: [["github::pr::merge"], ["github::pr::checks"]], lacks: ["github::pr::create"], atMost: 6 },
  ],
  [
    20,
    "read the browser console logs",
    { first: "browser::console::read", lacks: ["browser::sessions::start", "browser::sessions::attach"], atMost: 6 },
  ],
  [21, "get the value", { has: [["state::get"]], lacks: ["fp::drop", "fp::take", "fp::when", "fp::sortBy", "fp::nth"] }],
  [22, "send a message to a stream group", { first: "hermes::send", lacks: ["iii::queue::redrive_message"] }],
  [23, "kill a running process by pid", { first: "shell::kill", atMost: 2 }],
  [24, "compare and set a state key atomically", { first: "state::compare-and-set", atMost: 6 }],
];

for (const [row, capability, expected] of ROWS) {
  check(`spec 05 §14 frozen catalog row ${row}: ${capability}`, async () => {
    const answer = await fresh().search([capability]);
    const ids = idsOf(answer);
    if (expected.firstWorker !== undefined) assert.is(namespacesOf(answer)[0], expected.firstWorker);
    if (expected.first !== undefined) assert.is(ids[0], expected.first);
    for (const alternatives of expected.has ?? []) {
      assert.ok(
        alternatives.some((id) => ids.includes(id)),
        `${alternatives} in ${ids}`,
      );
    }
    for (const unwanted of expected.lacks ?? []) {
      assert.is(
        ids.some((id) => (typeof unwanted === "string" ? id === unwanted : unwanted.test(id))),
        false,
        `${unwanted} in ${ids}`,
      );
    }
    if (expected.atMost !== undefined) assert.ok(ids.length <= expected.atMost, `${ids}`);
    if (expected.guidance !== undefined) assert.match(answer.guidance, expected.guidance);
    assert.ok(answer.workers.length <= 6);
    assert.is(answer.search_mode, "lexical");
  });
}

check("spec 05 §14 frozen catalog row 13: the same search twice gives the same workers", async () => {
  const capability = "persist a value under a key and read it back later";
  assert.equal((await fresh().search([capability])).workers, (await fresh().search([capability])).workers);
});

check("spec 05 §14 frozen catalog row 14: a session gets what is new, and everything when nothing is", async () => {
  const { search } = fresh();
  const query = ["persist a value under a key and read it back later"];
  const first = await search(query, "s");
  assert.ok(idsOf(first).includes("state::set"));
  const second = await search(["store a value at a key", "list state keys"], "s");
  assert.is(idsOf(second).filter((id) => idsOf(first).includes(id)).length, 0);
  assert.ok(idsOf(second).length > 0);
  assert.match(second.guidance, /already provided/);
  const third = await search(query, "s");
  assert.equal(idsOf(third), idsOf(first));
  assert.not.match(third.guidance, /already provided/);
});

check("spec 05 §14 frozen catalog row 16: list the files in a folder on the filesystem", async () => {
  const ids = idsOf(await fresh().search(["list the files in a folder on the filesystem"]));
  assert.ok(
    ids.some((id) => id.endsWith("fs::ls") || id.includes("list-folder")),
    `${ids}`,
  );
  assert.not(ids.includes("state::list_keys"));
});

const THREE = [
  "register javascript functions on the engine bus",
  "read and write persistent state values",
  "take a screenshot of the page",
];

check("spec 05 §14 frozen catalog row 25: three capabilities share a batch", async () => {
  const answer = await fresh().search(THREE);
  for (const id of ["code-runner::register_function", "state::set", "state::get", "browser::screenshot"]) {
    assert.ok(idsOf(answer).includes(id), id);
  }
  assert.ok(answer.workers.length <= 6);
});

check("spec 05 §14 frozen catalog row 26: eight capabilities take two batches", async () => {
  const answer = await fresh().search([
    ...THREE,
    "send an email",
    "run a shell command",
    "create a github pull request",
    "run a sql query against a database",
    "extract the text of a pdf document",
  ]);
  for (const prefix of [
    "code-runner::register_function",
    "state::set",
    "browser::screenshot",
    "github::pr::create",
    "pdf::extract-text",
  ]) {
    assert.ok(
      idsOf(answer).some((id) => id.startsWith(prefix)),
      prefix,
    );
  }
  for (const namespace of ["email", "shell", "database"]) assert.ok(namespacesOf(answer).includes(namespace), namespace);
  assert.not.match(answer.guidance, /Only the first/);
});

check("spec 05 §14 frozen catalog row 27: two long capabilities", async () => {
  const ids = idsOf(
    await fresh().search([
      "register todo CRUD functions on the bus with the code runner",
      "read and write persistent todo state under a scope",
    ]),
  );
  for (const id of ["code-runner::register_function", "state::set", "state::get"]) assert.ok(ids.includes(id), id);
});

check("spec 05 §14 frozen catalog row 28: one known term among unknown ones isn't enough, however often it is asked", async () => {
  const { search } = fresh();
  for (const query of ["zzz qqq", "xxx yyy", "zzz presign qqq"]) assert.equal((await search([query], "s")).workers, [], query);
});

check("row 10 of spec 05 §15: with 18 capabilities every lane that has rows is represented", async () => {
  const { catalog, search } = fresh();
  const capabilities = [...new Set(ROWS.map(([, capability]) => capability))]
    .filter((text) => text !== "zzzz qqqq wwww")
    .slice(0, 18);
  assert.is(capabilities.length, 18);
  const ids = new Set(idsOf(await search(capabilities)));
  const { lanes } = await catalog.rank({ lanes: capabilities }, { requestId: "r", deadline: Date.now() + 5_000 });
  for (const [lane, { rows }] of lanes.entries()) {
    assert.ok(rows.length === 0 || ids.has(rows[0]?.functionId ?? ""), capabilities[lane]);
  }
});

check("S30: twenty searches rank by scores that differ", async () => {
  if (built === undefined) return;
  const capabilities = ROWS.map(([, capability]) => capability).slice(0, 20);
  const { lanes } = await built.catalog.rank({ lanes: capabilities }, { requestId: "r", deadline: Date.now() + 5_000 });
  const rows = lanes.filter((lane) => lane.rows.length > 2).map((lane) => lane.rows.map(({ score }) => score));
  assert.ok(rows.length >= 5);
  for (const scores of rows) {
    assert.ok(new Set(scores).size > scores.length / 2, `${scores}`);
    assert.equal(
      scores,
      [...scores].sort((left, right) => right - left),
    );
  }
  assert.ok(new Set(rows.map(([leader]) => leader)).size > rows.length / 2);
});

test.run();
