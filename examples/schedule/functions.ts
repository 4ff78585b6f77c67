/** Functions called later or again and again. */
import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import type { Collection } from "../collection.js";
import { type Offer, offer } from "../example.js";
import type { AlarmClock, Job } from "./alarm-clock.js";

const DAY_MS = 86_400_000;
const LONGEST_MS = 366 * DAY_MS;

const Id = Type.String({ minLength: 1, maxLength: 100, description: "Id of the job, as the planning function returned it" });
const What = {
  function_id: Type.String({ minLength: 1, maxLength: 200, description: "Function to call, for example notes::write" }),
  payload: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "Payload that it is called with; else {}" })),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "Name for people; else the function's id" })),
};
const Moment = Type.Union([Type.String({ format: "date-time" }), Type.Null()]);
const RunReply = Type.Object({
  at: Type.String({ format: "date-time" }),
  ok: Type.Boolean(),
  outcome: Type.String({ description: "Beginning of the answer, or the error" }),
});
const JobReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  function_id: Type.String(),
  payload: Type.Record(Type.String(), Type.Unknown()),
  every_seconds: Type.Union([Type.Number(), Type.Null()], { description: "null: it runs once" }),
  next_at: Moment,
  paused: Type.Boolean(),
  last_run: Type.Union([RunReply, Type.Null()]),
});

const shown = ({ every_ms, runs, ...job }: Job) => ({
  ...job,
  payload: { ...job.payload },
  every_seconds: every_ms === null ? null : every_ms / 1000,
  last_run: runs[0] === undefined ? null : { ...runs[0] },
});

export function scheduleOffers(jobs: Collection<Job>, clock: AlarmClock, now: () => number = Date.now): Offer[] {
  interface Plan {
    readonly function_id: string;
    readonly payload?: Record<string, unknown>;
    readonly name?: string;
  }
  const wound = async (change: Promise<Job>) => {
    const job = await change;
    clock.wind();
    return shown(job);
  };
  const plan = ({ function_id, payload = {}, name = function_id }: Plan, first: number, every_ms: number | null) =>
    wound(
      jobs.put({
        id: randomUUID(),
        name,
        function_id,
        payload,
        every_ms,
        next_at: new Date(first).toISOString(),
        paused: false,
        runs: [],
      }),
    );
  return [
    offer({
      id: "schedule::once",
      description: "Call a function once at a later moment: at a given time or after a number of seconds. Survives restarts.",
      request: Type.Object(
        {
          ...What,
          at: Type.Optional(
            Type.String({ minLength: 16, maxLength: 40, description: "Moment with time zone, ISO 8601: 2030-05-17T09:00:00Z" }),
          ),
          in_seconds: Type.Optional(
            Type.Number({ minimum: 0, maximum: LONGEST_MS / 1000, description: "Instead of at: so long from now" }),
          ),
        },
        { additionalProperties: false },
      ),
      response: JobReply,
      answer: ({ at, in_seconds, ...what }) => {
        if ((at === undefined) === (in_seconds === undefined)) throw new Error("invalid_request: give either at or in_seconds");
        const moment = at === undefined ? now() + (in_seconds ?? 0) * 1000 : momentOf(at);
        if (moment - now() > LONGEST_MS) throw new Error("invalid_request: that is more than a year away");
        return plan(what, moment, null);
      },
    }),
    offer({
      id: "schedule::every",
      description: "Call a function again and again at a fixed interval, such as every 15 minutes.",
      request: Type.Object(
        {
          ...What,
          every_seconds: Type.Number({ minimum: 1, maximum: LONGEST_MS / 1000, description: "Seconds between two calls" }),
        },
        { additionalProperties: false },
      ),
      response: JobReply,
      answer: ({ every_seconds, ...what }) => plan(what, now() + every_seconds * 1000, Math.round(every_seconds * 1000)),
    }),
    offer({
      id: "schedule::daily",
      description: "Call a function every day at the same time of day (UTC).",
      request: Type.Object(
        {
          ...What,
          time: Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description: "Hours and minutes, for example 07:30" }),
        },
        { additionalProperties: false },
      ),
      response: JobReply,
      answer: ({ time, ...what }) => {
        const [hours = 0, minutes = 0] = time.split(":").map(Number);
        const today = new Date(now()).setUTCHours(hours, minutes, 0, 0);
        return plan(what, today > now() ? today : today + DAY_MS, DAY_MS);
      },
    }),
    offer({
      id: "schedule::jobs",
      description: "List the planned jobs, the next one first.",
      request: Type.Object({}, { additionalProperties: false }),
      response: Type.Object({ jobs: Type.Array(JobReply) }),
      answer: () => ({ jobs: jobs.rows.sort((a, b) => (a.next_at ?? "9999").localeCompare(b.next_at ?? "9999")).map(shown) }),
    }),
    offer({
      id: "schedule::runs",
      description: "Show the last runs of a job: when it was called, whether that went well, and what came out.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: Type.Object({ runs: Type.Array(RunReply) }),
      answer: ({ id }) => ({ runs: jobs.need(id, "job").runs.map((run) => ({ ...run })) }),
    }),
    offer({
      id: "schedule::run-now",
      description: "Run a planned job at once, beside its plan, and return what came out.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: RunReply,
      answer: async ({ id }) => ({ ...(await clock.run(id)) }),
    }),
    offer({
      id: "schedule::pause",
      description: "Stop calling a job until it is resumed.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: JobReply,
      answer: ({ id }) => wound(jobs.edit(id, "job", () => ({ paused: true }))),
    }),
    offer({
      id: "schedule::resume",
      description: "Go on with a paused job. What it missed meanwhile is made up for by one call.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: JobReply,
      answer: ({ id }) => wound(jobs.edit(id, "job", () => ({ paused: false }))),
    }),
    offer({
      id: "schedule::cancel",
      description: "Cancel a planned job for good.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: Type.Object({ cancelled: Type.Boolean({ description: "Whether there was such a job" }) }),
      answer: async ({ id }) => {
        const cancelled = await jobs.remove(id);
        clock.wind();
        return { cancelled };
      },
    }),
  ];
}

function momentOf(text: string): number {
  const moment = /(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment))
    throw new Error(`invalid_request: ${JSON.stringify(text)} is not a moment such as 2030-05-17T09:00:00Z`);
  return moment;
}
