import { openCollection } from "../collection.js";
import { connectExample, serveExample } from "../example.js";
import { AlarmClock, type Job } from "./alarm-clock.js";
import { scheduleOffers } from "./functions.js";
import { IntervalTrigger } from "./interval-trigger.js";

const about = { name: "schedule", description: "Calls functions later, again and again, or every day" };
const worker = connectExample(about);
const jobs = openCollection<Job>("schedule", ({ id }) => id);
const call = (function_id: string, payload: object): Promise<unknown> => worker.trigger({ function_id, payload });
const clock = new AlarmClock(jobs, call);
worker.registerTriggerType(
  { id: "schedule::interval", description: 'Calls a function at a fixed interval. Configuration: { "every_seconds": 60 }' },
  new IntervalTrigger(call),
);
await serveExample({ ...about, offers: scheduleOffers(jobs, clock) }, worker);
clock.wind();
