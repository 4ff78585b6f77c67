/** Whether a hint would help: the gates in their order, the first that closes gives the reason. Pure functions of the request. */
import type { PreGenerateHookRequest, SkipReason } from "../../../protocol/functions/hook.js";
import { type TaskWindow, taskWindow } from "./task-window.js";

const SEARCH = "directory::search_functions";
const ENGINE = "engine::";
/** Any white space a word can end at; the ends of a word lose everything but letters, digits and the characters of ids. */
const WHITE_SPACE = /\p{White_Space}+/u;
const ENDS = /^[^\p{Alphabetic}\p{N}:_-]+|[^\p{Alphabetic}\p{N}:_-]+$/gu;

type Gate = (surface: Surface, window: TaskWindow) => boolean;

interface Surface {
  readonly names: readonly string[];
  readonly minimumWorkers: number;
}

const GATES: readonly (readonly [reason: SkipReason, closes: Gate])[] = [
  ["search_unavailable", ({ names }) => !names.includes(SEARCH)],
  ["already_searched", (_, { resultIds }) => resultIds.includes(SEARCH)],
  ["narrow_surface", ({ names, minimumWorkers }) => namespaces(names).size < minimumWorkers],
  ["already_operating", (_, { resultIds }) => resultIds.some(isTaskFunction)],
  ["task_guided", ({ names }, { texts }) => isGuided(new Set(names.filter(isTaskFunction)), texts)],
];

/** The reason to stay silent; undefined when all gates are open. */
export function closedGate({ generate }: PreGenerateHookRequest, minimumWorkers: number): SkipReason | undefined {
  const surface = { names: generate.tools.map(({ name }) => name), minimumWorkers };
  const window = taskWindow(generate.messages);
  return GATES.find(([, closes]) => closes(surface, window))?.[0];
}

function isTaskFunction(id: string): boolean {
  return id !== SEARCH && !id.startsWith(ENGINE);
}

function namespaces(names: readonly string[]): Set<string> {
  return new Set(
    names.filter((name) => isTaskFunction(name) && name.indexOf("::") > 0).map((name) => name.slice(0, name.indexOf("::"))),
  );
}

/** Somebody has named a function that can be called: an agent that was told what to use needs no directory. */
function isGuided(callable: ReadonlySet<string>, texts: readonly string[]): boolean {
  if (callable.size === 0) return false;
  return texts.some(
    (text) =>
      text.includes("::") && text.split(WHITE_SPACE).some((word) => word.includes("::") && callable.has(word.replace(ENDS, ""))),
  );
}
