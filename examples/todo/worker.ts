import { openCollection } from "../collection.js";
import { connectExample, serveExample } from "../example.js";
import { type Task, todoOffers } from "./functions.js";

const about = { name: "todo", description: "To-do list on the disk: tasks with projects, priorities and deadlines" };
const worker = connectExample(about);
await serveExample({ ...about, offers: todoOffers(openCollection<Task>("todo", ({ id }) => id)) }, worker);
// Takes effect as soon as the schedule worker offers this type of trigger.
worker.registerTrigger({ type: "schedule::interval", function_id: "todo::tidy", config: { every_seconds: 3_600 } });
