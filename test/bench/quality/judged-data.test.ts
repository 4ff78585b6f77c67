/** The judged data that comes with the project holds together: over its own catalogue, large enough, and the examples as they are. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type JudgedCase, readCatalogue, readJudgedCases } from "../../../bench/quality/judged-set.js";
import { calcOffers } from "../../../examples/calc/functions.js";
import { calendarOffers } from "../../../examples/calendar/functions.js";
import type { Collection } from "../../../examples/collection.js";
import { csvOffers } from "../../../examples/csv/functions.js";
import { keyvalueOffers } from "../../../examples/keyvalue/functions.js";
import { notesOffers } from "../../../examples/notes/functions.js";
import type { AlarmClock } from "../../../examples/schedule/alarm-clock.js";
import { scheduleOffers } from "../../../examples/schedule/functions.js";
import { textOffers } from "../../../examples/text/functions.js";
import { todoOffers } from "../../../examples/todo/functions.js";
import type { Downloader } from "../../../examples/web/download.js";
import { webOffers } from "../../../examples/web/functions.js";
import { ROOT } from "../../harness/shared.js";

const file = (name: string): string => `${ROOT}/bench/quality/data/${name}.jsonl`;

function judged(catalogue: string, cases: string): { readonly functions: number; readonly cases: readonly JudgedCase[] } {
  const functions = readCatalogue(file(catalogue));
  return { functions: functions.length, cases: readJudgedCases(file(cases), functions) };
}

const ofKind = (cases: readonly JudgedCase[], kind: JudgedCase["kind"]): JudgedCase[] => cases.filter((each) => each.kind === kind);

for (const name of ["clinic", "studio"]) {
  test(`${name}: 200 functions or more, 60 judged queries or more, each case once, some of each kind`, () => {
    const { functions, cases } = judged(`${name}_catalog`, `${name}_qrels`);
    assert.ok(functions >= 200);
    assert.is(new Set(cases.map(({ id }) => id)).size, cases.length);
    const paraphrases = cases.filter(({ id }) => id.startsWith("paraphrase-")).length;
    assert.ok(ofKind(cases, "match").length >= 60 && ofKind(cases, "multi").length >= 5);
    assert.ok(paraphrases >= 0.5 * ofKind(cases, "match").length);
  });
}

test("nothing fits: at least 120 needs that no function serves and 120 that one does, over two catalogues, no need twice", () => {
  const sets = ["clinic", "examples"].map((name) => judged(`${name}_catalog`, `${name}_nothing_qrels`).cases);
  const total = (kind: JudgedCase["kind"]): number => sets.reduce((sum, cases) => sum + ofKind(cases, kind).length, 0);
  assert.ok(total("no_match") >= 120 && total("match") >= 120);
  for (const cases of sets) assert.is(new Set(cases.flatMap(({ capabilities }) => capabilities)).size, cases.length);
});

test("the examples' catalogue is what the examples offer", () => {
  const none = <T>(): Collection<T> => ({}) as unknown as Collection<T>;
  const offers = [
    ...calcOffers(),
    ...calendarOffers(none()),
    ...csvOffers(),
    ...keyvalueOffers(none()),
    ...notesOffers(none()),
    ...scheduleOffers(none(), {} as unknown as AlarmClock),
    ...textOffers(),
    ...todoOffers(none()),
    ...webOffers({} as unknown as Downloader),
  ];
  const plain = offers.map(({ id, description, request, response }) => ({ id, description, parameters: request, response }));
  assert.equal(readCatalogue(file("examples_catalog")), JSON.parse(JSON.stringify(plain)));
});

test.run();
