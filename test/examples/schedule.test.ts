/** The example scheduler: it really calls, once for what was missed, and never twice at the same time. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Collection } from "../../examples/collection.js";
import { AlarmClock, type Job, type Run } from "../../examples/schedule/alarm-clock.js";
import { scheduleOffers } from "../../examples/schedule/functions.js";
import { IntervalTrigger } from "../../examples/schedule/interval-trigger.js";
import { type Ask, asking, refusal } from "../harness/offers.js";
import { eventually } from "../harness/peer.js";
import { temporaryFolder } from "../harness/temporary.js";

interface Scene {
  readonly file: string;
  readonly called: [string, object][];
  readonly ask: Ask;
  readonly clock: AlarmClock;
  time: number;
}

const clocks: AlarmClock[] = [];
const test = suite();
test.after.each(() => {
  for (const clock of clocks.splice(0)) clock.stop();
});

function scene(file = join(temporaryFolder(), "s.json"), start = Date.parse("2030-05-17T12:00:00Z"), fails = false): Scene {
  const called: Scene["called"] = [];
  const jobs = new Collection<Job>(file, ({ id }) => id);
  const now = (): number => made.time;
  const call = async (id: string, payload: object): Promise<unknown> => {
    called.push([id, payload]);
    if (fails) throw new Error("function_not_found: gone");
    return { done: true };
  };
  const clock = new AlarmClock(jobs, call, now);
  clocks.push(clock);
  const made: Scene = { file, called, clock, time: start, ask: asking(scheduleOffers(jobs, clock, now)) };
  return made;
}

test("once: called at its time, with its payload, and not again", async () => {
  const { ask, called } = scene();
  const job = await ask<Job>("schedule::once", { function_id: "a::b", payload: { x: 1 }, in_seconds: 0 });
  await eventually("the call", () => called.length === 1);
  const lastRuns = async (): Promise<Run[]> => (await ask<{ runs: Run[] }>("schedule::runs", { id: job.id })).runs;
  await eventually("the run", async () => (await lastRuns()).length === 1);
  const runs = await lastRuns();
  assert.equal([called[0], runs[0]?.ok, runs[0]?.outcome], [["a::b", { x: 1 }], true, '{"done":true}']);
  assert.is((await ask<{ jobs: Job[] }>("schedule::jobs")).jobs[0]?.next_at, null);
});

test("every: what was missed while nobody was here is called once, and the rhythm is kept", async () => {
  const before = scene();
  await before.ask("schedule::every", { function_id: "a::b", every_seconds: 60 });
  before.clock.stop();
  const after = scene(before.file, before.time + 10 * 60_000 + 5_000);
  after.clock.wind();
  await eventually("the call", () => after.called.length === 1);
  const { jobs } = await after.ask<{ jobs: Job[] }>("schedule::jobs");
  assert.is(jobs[0]?.next_at, "2030-05-17T12:11:00.000Z");
  assert.is(after.called.length, 1);
});

test("daily: today if that is still to come, else tomorrow", async () => {
  const { ask } = scene();
  const next = async (time: string): Promise<string | null> =>
    (await ask<Job>("schedule::daily", { function_id: "a::b", time })).next_at;
  assert.is(await next("12:01"), "2030-05-17T12:01:00.000Z");
  assert.is(await next("12:00"), "2030-05-18T12:00:00.000Z");
});

test("a failed call is a failed run and the job lives on; a paused job waits; a cancelled one is gone", async () => {
  const made = scene(undefined, undefined, true);
  const job = await made.ask<Job>("schedule::every", { function_id: "a::b", every_seconds: 1 });
  const run = await made.ask<Run>("schedule::run-now", { id: job.id });
  assert.equal([run.ok, run.outcome], [false, "function_not_found: gone"]);
  assert.is((await made.ask<Job>("schedule::pause", { id: job.id })).paused, true);
  made.time += 5_000;
  made.clock.wind();
  await new Promise((wake) => setTimeout(wake, 20));
  assert.is(made.called.length, 1);
  await made.ask("schedule::resume", { id: job.id });
  await eventually("the call", () => made.called.length === 2);
  assert.equal(await made.ask("schedule::cancel", { id: job.id }), { cancelled: true });
  assert.match(await refusal(made.ask("schedule::runs", { id: job.id })), /^not_found/);
});

test("a job is not called again while it runs", async () => {
  const jobs = new Collection<Job>(join(temporaryFolder(), "s.json"), ({ id }) => id);
  let finish: (value: unknown) => void = () => {};
  const clock = new AlarmClock(jobs, () => new Promise((resolve) => (finish = resolve)));
  clocks.push(clock);
  const ask = asking(scheduleOffers(jobs, clock));
  const { id } = await ask<Job>("schedule::daily", { function_id: "a::b", time: "00:00" });
  const first = ask<Run>("schedule::run-now", { id });
  assert.match(await refusal(ask("schedule::run-now", { id })), /^busy/);
  finish({});
  assert.is((await first).ok, true);
});

for (const [row, payload, says] of [
  ["neither at nor in_seconds", {}, /either at or in_seconds/],
  ["a time without a zone", { at: "2030-05-17T12:00:00" }, /is not a moment/],
  ["more than a year away", { at: "2032-05-17T12:00:00Z" }, /more than a year/],
] as const) {
  test(`refused: ${row}`, async () => {
    assert.match(await refusal(scene().ask("schedule::once", { function_id: "a::b", ...payload })), says);
  });
}

test("trigger type: calls for as long as the binding lives; told twice, it calls once", async () => {
  const called: string[] = [];
  const trigger = new IntervalTrigger(async (id) => called.push(id));
  const binding = { id: "t", function_id: "a::b", config: { every_seconds: 1 } };
  await trigger.registerTrigger(binding);
  await trigger.registerTrigger(binding);
  await eventually("a call", () => called.length === 1);
  await trigger.unregisterTrigger({ id: "t" });
  assert.is(called.length, 1);
  const broken = trigger.registerTrigger({ ...binding, config: { every_seconds: "soon" } });
  assert.match(await refusal(broken), /every_seconds must be a number/);
});

test.run();
