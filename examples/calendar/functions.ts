/** Appointments, free time between them, and reckoning with dates. All times are UTC unless they say otherwise. */
import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import type { Collection } from "../collection.js";
import { type Offer, offer } from "../example.js";

export interface Appointment {
  readonly id: string;
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly place: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MOST_DAYS = 366;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

const Id = Type.String({ minLength: 1, maxLength: 100, description: "Id of the appointment" });
const Title = Type.String({ minLength: 1, maxLength: 200, description: "What it is about" });
const Moment = Type.String({
  minLength: 16,
  maxLength: 40,
  description: "Date and time, ISO 8601, for example 2030-05-17T14:00:00Z",
});
const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "A day, for example 2030-05-17" });
const Place = Type.String({ maxLength: 200, description: "Where it takes place" });
const Minutes = Type.Integer({ minimum: 1, maximum: 7 * 24 * 60, description: "How long it lasts, in minutes" });
const Reply = Type.Object({
  id: Type.String(),
  title: Type.String(),
  start: Type.String({ format: "date-time" }),
  end: Type.String({ format: "date-time" }),
  place: Type.String(),
  clashes: Type.Array(Type.String({ description: "Title of an appointment at the same time" })),
});
const Span = Type.Object({
  start: Type.String({ format: "date-time" }),
  end: Type.String({ format: "date-time" }),
  minutes: Type.Integer(),
});

const iso = (time: number): string => new Date(time).toISOString();

function momentOf(text: string): number {
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`);
  if (Number.isNaN(time)) throw new Error(`invalid_request: ${JSON.stringify(text)} is not a moment such as 2030-05-17T14:00:00Z`);
  return time;
}

/** February 30 would silently become a day in March. */
function dayOf(text: string): number {
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time) || !iso(time).startsWith(text)) throw new Error(`invalid_request: there is no day ${text}`);
  return time;
}

export function calendarOffers(appointments: Collection<Appointment>): Offer[] {
  const sorted = (): Appointment[] => appointments.rows.sort((a, b) => a.start.localeCompare(b.start));
  const between = (from: number, to: number): Appointment[] =>
    sorted().filter(({ start, end }) => start < iso(to) && end > iso(from));
  const shown = (one: Appointment) => ({
    ...one,
    clashes: between(Date.parse(one.start), Date.parse(one.end))
      .filter(({ id }) => id !== one.id)
      .map(({ title }) => title),
  });
  return [
    offer({
      id: "calendar::book",
      description: "Enter an appointment, meeting or event into the calendar. Says which others it clashes with.",
      request: Type.Object(
        { title: Title, start: Moment, minutes: Minutes, place: Type.Optional(Place) },
        { additionalProperties: false },
      ),
      response: Reply,
      answer: async ({ title, start, minutes, place = "" }) => {
        const begin = momentOf(start);
        return shown(
          await appointments.put({ id: randomUUID(), title, start: iso(begin), end: iso(begin + minutes * MINUTE_MS), place }),
        );
      },
    }),
    offer({
      id: "calendar::agenda",
      description: "Show the appointments of a day or of several days, in their order.",
      request: Type.Object(
        {
          from: Day,
          days: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_DAYS, default: 1, description: "How many days to show" })),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ appointments: Type.Array(Reply) }),
      answer: ({ from, days = 1 }) => ({ appointments: between(dayOf(from), dayOf(from) + days * DAY_MS).map(shown) }),
    }),
    offer({
      id: "calendar::move",
      description: "Postpone or move an appointment to another time, or change its length or place.",
      request: Type.Object(
        { id: Id, start: Type.Optional(Moment), minutes: Type.Optional(Minutes), place: Type.Optional(Place) },
        { additionalProperties: false },
      ),
      response: Reply,
      answer: async ({ id, start, minutes, place }) =>
        shown(
          await appointments.edit(id, "appointment", (old) => {
            const begin = start === undefined ? Date.parse(old.start) : momentOf(start);
            const length = minutes === undefined ? Date.parse(old.end) - Date.parse(old.start) : minutes * MINUTE_MS;
            return { start: iso(begin), end: iso(begin + length), ...(place === undefined ? {} : { place }) };
          }),
        ),
    }),
    offer({
      id: "calendar::call-off",
      description: "Cancel an appointment: take it out of the calendar.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: Type.Object({ called_off: Type.Boolean({ description: "Whether it was in the calendar" }) }),
      answer: async ({ id }) => ({ called_off: await appointments.remove(id) }),
    }),
    offer({
      id: "calendar::free-time",
      description: "Find free slots between the appointments of a day, to propose a time for a meeting.",
      request: Type.Object(
        {
          day: Day,
          minutes: Minutes,
          from: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 23, default: 9, description: "Hour at which the day begins (UTC)" }),
          ),
          to: Type.Optional(Type.Integer({ minimum: 1, maximum: 24, default: 17, description: "Hour at which it ends (UTC)" })),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ slots: Type.Array(Span) }),
      answer: ({ day, minutes, from = 9, to = 17 }) => {
        if (from >= to) throw new Error("invalid_request: from must be an earlier hour than to");
        const [begin, end] = [dayOf(day) + from * 60 * MINUTE_MS, dayOf(day) + to * 60 * MINUTE_MS];
        return { slots: gaps(between(begin, end), begin, end).filter((gap) => gap.minutes >= minutes) };
      },
    }),
    offer({
      id: "calendar::days-between",
      description: "Count the days and the working days (Monday to Friday) from one date to another.",
      request: Type.Object({ from: Day, to: Day }, { additionalProperties: false }),
      response: Type.Object({
        days: Type.Integer({ description: "Negative when to is before from" }),
        working_days: Type.Integer(),
      }),
      answer: ({ from, to }) => {
        const [begin, end] = [dayOf(from), dayOf(to)];
        const days = Math.round((end - begin) / DAY_MS);
        const first = Math.min(begin, end);
        const [weeks, rest] = [Math.floor(Math.abs(days) / 7), Math.abs(days) % 7];
        const inRest = Array.from({ length: rest }, (_, day) => new Date(first + day * DAY_MS).getUTCDay());
        return { days, working_days: weeks * 5 + inRest.filter((weekday) => weekday !== 0 && weekday !== 6).length };
      },
    }),
    offer({
      id: "calendar::shift-date",
      description: "Add days, weeks, months or years to a date, or subtract them, and say which weekday that is.",
      request: Type.Object(
        {
          date: Day,
          amount: Type.Integer({ minimum: -100_000, maximum: 100_000, description: "How many; negative goes back" }),
          unit: Type.Enum(["days", "weeks", "months", "years"], {
            description: "Of what",
          }),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ date: Type.String(), weekday: Type.String() }),
      answer: ({ date, amount, unit }) => {
        const shifted = shift(new Date(dayOf(date)), amount, unit);
        const year = shifted.getUTCFullYear();
        if (!(year >= 0 && year <= 9999)) throw new Error("invalid_request: the result lies outside the years 0 to 9999");
        return { date: shifted.toISOString().slice(0, 10), weekday: WEEKDAYS[shifted.getUTCDay()] ?? "" };
      },
    }),
  ];
}

function gaps(taken: readonly Appointment[], begin: number, end: number) {
  const free: { start: string; end: string; minutes: number }[] = [];
  let from = begin;
  for (const [start, stop] of [...taken.map((one) => [Date.parse(one.start), Date.parse(one.end)] as const), [end, end] as const]) {
    const to = Math.min(start, end);
    if (to > from) free.push({ start: iso(from), end: iso(to), minutes: Math.floor((to - from) / MINUTE_MS) });
    from = Math.max(from, stop);
  }
  return free;
}

/** The last day of a month stays one: January 31 and a month is the end of February. */
function shift(date: Date, amount: number, unit: "days" | "weeks" | "months" | "years"): Date {
  if (unit === "days" || unit === "weeks") return new Date(date.getTime() + amount * DAY_MS * (unit === "weeks" ? 7 : 1));
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + amount * (unit === "years" ? 12 : 1);
  const target = new Date(0);
  target.setUTCFullYear(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 0);
  target.setUTCDate(Math.min(date.getUTCDate(), target.getUTCDate()));
  return target;
}
