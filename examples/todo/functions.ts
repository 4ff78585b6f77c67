/** A to-do list: tasks with a priority and a day by which they are due. */
import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import type { Collection } from "../collection.js";
import { type Offer, offer } from "../example.js";

export interface Task {
  readonly id: string;
  readonly title: string;
  readonly project: string;
  readonly priority: "low" | "normal" | "high";
  /** Last moment, ISO 8601; null: no hurry. */
  readonly due: string | null;
  readonly done: boolean;
  readonly overdue: boolean;
  readonly created_at: string;
  readonly done_at: string | null;
}

const Id = Type.String({ minLength: 1, maxLength: 100, description: "Id of the task, as todo::add returned it" });
const Title = Type.String({ minLength: 1, maxLength: 300, description: "What is to be done" });
const Project = Type.String({ minLength: 1, maxLength: 100, description: "List that the task belongs to" });
const Priority = Type.Enum(["low", "normal", "high"], {
  description: "How much it matters",
});
const Due = Type.String({
  minLength: 10,
  maxLength: 40,
  description: "Deadline: a date (2030-05-17) or a date with a time (ISO 8601)",
});
const TaskReply = Type.Object({
  id: Type.String(),
  title: Type.String(),
  project: Type.String(),
  priority: Priority,
  due: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  done: Type.Boolean(),
  overdue: Type.Boolean({ description: "Open although its deadline has passed" }),
  created_at: Type.String({ format: "date-time" }),
  done_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
});
const TaskList = Type.Object({ tasks: Type.Array(TaskReply), total: Type.Integer() });
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50, description: "Most tasks in the answer" }));
const WEIGHT = { high: 0, normal: 1, low: 2 } as const;

/** A date alone means the end of that day. */
function deadline(text: string): string {
  const moment = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text);
  if (Number.isNaN(moment.getTime())) throw new Error(`invalid_request: ${JSON.stringify(text)} is not a date such as 2030-05-17`);
  return moment.toISOString();
}

/** What matters and is due soon comes first. */
function urgency(a: Task, b: Task): number {
  return (
    WEIGHT[a.priority] - WEIGHT[b.priority] ||
    (a.due ?? "9999").localeCompare(b.due ?? "9999") ||
    a.created_at.localeCompare(b.created_at)
  );
}

export function todoOffers(tasks: Collection<Task>, now: () => Date = () => new Date()): Offer[] {
  const isLate = ({ due, done }: Pick<Task, "due" | "done">): boolean => !done && due !== null && due < now().toISOString();
  const shown = (task: Task): Task => ({ ...task, overdue: isLate(task) });
  const list = (found: readonly Task[], limit: number) => ({
    tasks: [...found].sort(urgency).slice(0, limit).map(shown),
    total: found.length,
  });
  return [
    offer({
      id: "todo::add",
      description: "Put a task on the to-do list, with an optional deadline, priority and project.",
      request: Type.Object(
        { title: Title, project: Type.Optional(Project), priority: Type.Optional(Priority), due: Type.Optional(Due) },
        { additionalProperties: false },
      ),
      response: TaskReply,
      answer: async ({ title, project = "inbox", priority = "normal", due }) => {
        const until = due === undefined ? null : deadline(due);
        const base = { id: randomUUID(), title, project, priority, due: until, done: false, overdue: false };
        return shown(await tasks.put({ ...base, created_at: now().toISOString(), done_at: null }));
      },
    }),
    offer({
      id: "todo::list",
      description: "Show what is on the to-do list: open tasks, the most urgent first; or finished ones, or those of one project.",
      request: Type.Object(
        {
          project: Type.Optional(Project),
          state: Type.Optional(
            Type.Enum(["open", "done", "all"], {
              default: "open",
              description: "Which tasks",
            }),
          ),
          limit: Limit,
        },
        { additionalProperties: false },
      ),
      response: TaskList,
      answer: ({ project, state = "open", limit = 50 }) =>
        list(
          tasks.rows.filter(
            (task) => (state === "all" || task.done === (state === "done")) && (project ?? task.project) === task.project,
          ),
          limit,
        ),
    }),
    offer({
      id: "todo::finish",
      description: "Tick a task off: mark it as done.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: TaskReply,
      answer: async ({ id }) =>
        shown(
          await tasks.edit(id, "task", ({ done_at }) => ({ done: true, overdue: false, done_at: done_at ?? now().toISOString() })),
        ),
    }),
    offer({
      id: "todo::reopen",
      description: "Put a finished task back on the list of open ones.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: TaskReply,
      answer: async ({ id }) => shown(await tasks.edit(id, "task", () => ({ done: false, done_at: null }))),
    }),
    offer({
      id: "todo::change",
      description: "Change a task: rename it, move it to another project, set another priority or postpone its deadline.",
      request: Type.Object(
        {
          id: Id,
          title: Type.Optional(Title),
          project: Type.Optional(Project),
          priority: Type.Optional(Priority),
          due: Type.Optional(Type.Union([Due, Type.Null()], { description: "New deadline; null takes it away" })),
        },
        { additionalProperties: false },
      ),
      response: TaskReply,
      answer: async ({ id, due, ...fields }) => {
        const until = due === undefined ? {} : { due: due === null ? null : deadline(due) };
        return shown(await tasks.edit(id, "task", () => ({ ...fields, ...until })));
      },
    }),
    offer({
      id: "todo::drop",
      description: "Take a task off the to-do list without doing it.",
      request: Type.Object({ id: Id }, { additionalProperties: false }),
      response: Type.Object({ dropped: Type.Boolean({ description: "Whether the task was there" }) }),
      answer: async ({ id }) => ({ dropped: await tasks.remove(id) }),
    }),
    offer({
      id: "todo::overdue",
      description: "Show the open tasks whose deadline has passed.",
      request: Type.Object({ limit: Limit }, { additionalProperties: false }),
      response: TaskList,
      answer: ({ limit = 50 }) => list(tasks.rows.filter(isLate), limit),
    }),
    offer({
      id: "todo::tidy",
      description:
        "Remove tasks that were finished more than a number of days ago and mark the late ones. Runs by itself every hour.",
      request: Type.Object(
        { keep_days: Type.Optional(Type.Number({ minimum: 0, default: 30, description: "How long finished tasks stay" })) },
        { additionalProperties: true },
      ),
      response: Type.Object({ removed: Type.Integer(), overdue: Type.Integer({ description: "Tasks that are late now" }) }),
      answer: ({ keep_days = 30 }) =>
        tasks.change((rows) => {
          const oldest = new Date(Math.max(0, now().getTime() - keep_days * 86_400_000)).toISOString();
          const old = [...rows.values()].filter(({ done, done_at }) => done && (done_at ?? "") < oldest);
          for (const { id } of old) rows.delete(id);
          for (const task of rows.values()) rows.set(task.id, shown(task));
          return { removed: old.length, overdue: [...rows.values()].filter(({ overdue }) => overdue).length };
        }),
    }),
  ];
}
