/** The example workers that keep something: what they store, what they refuse, and that a file survives whatever happens. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Appointment, calendarOffers } from "../../examples/calendar/functions.js";
import { Collection } from "../../examples/collection.js";
import { type Entry, entryKey, keyvalueOffers } from "../../examples/keyvalue/functions.js";
import { type Note, notesOffers } from "../../examples/notes/functions.js";
import { type Task, todoOffers } from "../../examples/todo/functions.js";
import { asking, refusal } from "../harness/offers.js";
import { temporaryFolder } from "../harness/temporary.js";

const byId = ({ id }: { readonly id: string }): string => id;

test("keyvalue: what was put is there for the next process", async () => {
  const file = join(temporaryFolder(), "keyvalue.json");
  const ask = asking(keyvalueOffers(new Collection<Entry>(file, entryKey)));
  const value = { text: "Grüße", list: [1, null, true] };
  assert.equal(await ask("keyvalue::put", { key: "a", value }), { scope: "default", key: "a", version: 1 });
  assert.is((await ask("keyvalue::put", { key: "a", value })).version, 2);
  const later = asking(keyvalueOffers(new Collection<Entry>(file, entryKey)));
  const { found, value: held, version } = await later("keyvalue::get", { key: "a" });
  assert.equal([found, held, version], [true, value, 2]);
  assert.equal(await later("keyvalue::get", { key: "b" }), { found: false, value: null });
  assert.equal(await later("keyvalue::delete", { key: "a" }), { deleted: true });
  assert.equal(await later("keyvalue::delete", { key: "a" }), { deleted: false });
});

test("keyvalue: scopes and keys don't run into each other, whatever they are called", async () => {
  const ask = asking(keyvalueOffers(new Collection<Entry>(join(temporaryFolder(), "f.json"), entryKey)));
  const pairs = [
    ["a", "bc"],
    ["ab", "c"],
    ["__proto__", "constructor"],
    ["2", ":x"],
  ] as const;
  for (const [scope, key] of pairs) await ask("keyvalue::put", { scope, key, value: scope + key });
  for (const [scope, key] of pairs) assert.is((await ask("keyvalue::get", { scope, key })).value, scope + key);
  const { scopes } = await ask<{ scopes: { keys: number }[] }>("keyvalue::list-scopes");
  assert.equal(
    scopes.map(({ keys }) => keys),
    [1, 1, 1, 1],
  );
  assert.equal(await ask("keyvalue::list-keys", { scope: "ab", prefix: "c" }), { keys: ["c"], total: 1 });
});

test("keyvalue: simultaneous counts are all counted; of two writers with the same version one wins", async () => {
  const ask = asking(keyvalueOffers(new Collection<Entry>(join(temporaryFolder(), "f.json"), entryKey)));
  await Promise.all(Array.from({ length: 20 }, () => ask("keyvalue::increment", { key: "n", by: 2 })));
  assert.is((await ask("keyvalue::get", { key: "n" })).value, 40);
  const swaps = await Promise.all([1, 2].map((value) => ask("keyvalue::compare-and-swap", { key: "s", version: 0, value })));
  assert.equal(
    swaps.map(({ swapped }) => swapped),
    [true, false],
  );
  await ask("keyvalue::put", { key: "t", value: "text" });
  assert.match(await refusal(ask("keyvalue::increment", { key: "t" })), /^not_a_number/);
  assert.match(await refusal(ask("keyvalue::put", { key: "big", value: "x".repeat(70_000) })), /^too_large/);
});

test("a change that could not be written never was; a file that can't be read is not overwritten", async () => {
  const folder = join(temporaryFolder(), "data");
  mkdirSync(folder);
  const file = join(folder, "notes.json");
  const notes = new Collection<Note>(file, byId);
  const ask = asking(notesOffers(notes));
  await ask("notes::write", { title: "kept", text: "" });
  chmodSync(folder, 0o500);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) {
    assert.match(await refusal(ask("notes::write", { title: "lost", text: "" })), /EACCES/);
    assert.is(notes.rows.length, 1);
  }
  chmodSync(folder, 0o700);
  for (const broken of ["{", '{"a":1}', ""]) {
    writeFileSync(file, broken);
    assert.throws(() => new Collection<Note>(file, byId), /mend it or move it away/);
    assert.is(readFileSync(file, "utf8"), broken);
  }
});

test("notes: written, read, found, labelled, thrown away", async () => {
  let time = 0;
  const clock = (): Date => new Date(Date.UTC(2030, 0, 1) + 1000 * time++);
  const ask = asking(notesOffers(new Collection<Note>(join(temporaryFolder(), "n.json"), byId), clock));
  const first = await ask<Note>("notes::write", { title: "Shopping", text: "milk", tags: ["Home", "home"] });
  await ask("notes::write", { title: "Work", text: "Release on Friday" });
  assert.equal(first.tags, ["home"]);
  assert.is((await ask<Note>("notes::append", { id: first.id, text: "bread" })).text, "milk\n\nbread");
  assert.is((await ask<Note>("notes::rewrite", { id: first.id, title: "Market" })).text, "milk\n\nbread");
  const titles = async (id: string, payload: object): Promise<string[]> =>
    (await ask<{ notes: { title: string }[] }>(id, payload)).notes.map(({ title }) => title);
  assert.equal(await titles("notes::list", {}), ["Market", "Work"]);
  assert.equal(await titles("notes::find", { words: "friday RELEASE" }), ["Work"]);
  assert.equal(await titles("notes::find", { words: "friday bread" }), []);
  assert.equal((await ask<Note>("notes::label", { id: first.id, add: ["food"], remove: ["HOME"] })).tags, ["food"]);
  assert.equal(await titles("notes::list", { tag: "Food" }), ["Market"]);
  assert.equal(await ask("notes::discard", { id: first.id }), { discarded: true });
  assert.match(await refusal(ask("notes::read", { id: first.id })), /^not_found: there is no note/);
});

test("todo: urgent first, late is said, finished goes", async () => {
  let now = new Date("2030-05-17T12:00:00Z");
  const ask = asking(todoOffers(new Collection<Task>(join(temporaryFolder(), "t.json"), byId), () => now));
  const add = (title: string, fields: object = {}): Promise<Task> => ask<Task>("todo::add", { title, ...fields });
  const titles = async (id: string, payload: object = {}): Promise<string[]> =>
    (await ask<{ tasks: Task[] }>(id, payload)).tasks.map(({ title }) => title);
  await add("some day", { priority: "low" });
  const late = await add("tax", { due: "2030-05-17" });
  await add("call", { priority: "high", project: "home" });
  assert.equal(await titles("todo::list"), ["call", "tax", "some day"]);
  assert.equal(await titles("todo::list", { project: "home" }), ["call"]);
  assert.equal(await titles("todo::overdue"), [], "a day lasts until its end");
  now = new Date("2030-05-18T00:00:01Z");
  assert.equal(await titles("todo::overdue"), ["tax"]);
  assert.is((await ask("todo::tidy")).overdue, 1);
  assert.is((await ask<Task>("todo::finish", { id: late.id })).overdue, false);
  assert.equal(await titles("todo::list", { state: "done" }), ["tax"]);
  assert.is((await ask<Task>("todo::change", { id: late.id, due: null })).due, null);
  assert.equal(await ask("todo::tidy", { keep_days: 0.1 }), { removed: 0, overdue: 0 });
  now = new Date("2030-05-18T12:00:00Z");
  assert.equal(await ask("todo::tidy", { keep_days: 0.1 }), { removed: 1, overdue: 0 });
  assert.match(await refusal(ask("todo::reopen", { id: late.id })), /^not_found/);
  assert.match(await refusal(add("x", { due: "someday soon" })), /is not a date/);
});

test("calendar: clashes, free time, moving", async () => {
  const ask = asking(calendarOffers(new Collection<Appointment>(join(temporaryFolder(), "c.json"), byId)));
  const first = await ask<Appointment>("calendar::book", { title: "stand-up", start: "2030-05-17T09:00:00Z", minutes: 30 });
  const second = await ask("calendar::book", { title: "review", start: "2030-05-17T11:15:00+02:00", minutes: 60 });
  assert.equal(second["clashes"], ["stand-up"]);
  const slots = async (minutes: number): Promise<string[]> =>
    (
      await ask<{ slots: { start: string; minutes: number }[] }>("calendar::free-time", { day: "2030-05-17", minutes, to: 12 })
    ).slots.map(({ start, minutes: length }) => `${start.slice(11, 16)} ${length}`);
  assert.equal(await slots(30), ["10:15 105"]);
  await ask("calendar::move", { id: first.id, start: "2030-05-17T11:00:00Z" });
  assert.equal(await slots(30), ["10:15 45", "11:30 30"]);
  assert.equal(await slots(31), ["10:15 45"]);
  const { appointments } = await ask<{ appointments: { title: string }[] }>("calendar::agenda", { from: "2030-05-17" });
  assert.equal(
    appointments.map(({ title }) => title),
    ["review", "stand-up"],
  );
  assert.equal(await ask("calendar::call-off", { id: first.id }), { called_off: true });
});

const SHIFTS: readonly [date: string, amount: number, unit: string, result: string][] = [
  ["2030-01-31", 1, "months", "2030-02-28 Thursday"],
  ["2028-02-29", 1, "years", "2029-02-28 Wednesday"],
  ["2030-01-15", -1, "months", "2029-12-15 Saturday"],
  ["2030-03-31", -1, "months", "2030-02-28 Thursday"],
  ["2030-12-31", 1, "days", "2031-01-01 Wednesday"],
  ["2030-01-01", -2, "weeks", "2029-12-18 Tuesday"],
  ["2030-06-30", 18, "months", "2031-12-30 Tuesday"],
];
for (const [date, amount, unit, result] of SHIFTS) {
  test(`calendar: ${date} and ${amount} ${unit}`, async () => {
    const ask = asking(calendarOffers(new Collection<Appointment>(join(temporaryFolder(), "c.json"), byId)));
    const { date: shifted, weekday } = await ask("calendar::shift-date", { date, amount, unit });
    assert.is(`${shifted} ${weekday}`, result);
  });
}

const SPANS: readonly [from: string, to: string, days: number, working: number][] = [
  ["2030-05-17", "2030-05-17", 0, 0],
  ["2030-05-17", "2030-05-20", 3, 1],
  ["2030-05-13", "2030-05-27", 14, 10],
  ["2030-05-20", "2030-05-17", -3, 1],
  ["2028-02-28", "2028-03-01", 2, 2],
];
for (const [from, to, days, working_days] of SPANS) {
  test(`calendar: days from ${from} to ${to}`, async () => {
    const ask = asking(calendarOffers(new Collection<Appointment>(join(temporaryFolder(), "c.json"), byId)));
    assert.equal(await ask("calendar::days-between", { from, to }), { days, working_days });
    assert.match(await refusal(ask("calendar::days-between", { from: "2030-02-30", to })), /there is no day 2030-02-30/);
  });
}

test.run();
