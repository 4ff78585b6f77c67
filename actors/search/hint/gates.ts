/** Whether a hint would help: the gates in their order, the first that closes gives the reason. Pure functions of the request. */
import type { HintRequest } from "../../../protocol/actors/search.js";
import type { SkipReason } from "../../../protocol/functions/hook.js";

const SEARCH = "directory::search_functions";
const ENGINE = "engine::";
/** Any white space a word can end at; the ends of a word lose everything but letters, digits and the characters of ids. */
const WHITE_SPACE = /\p{White_Space}+/u;
const ENDS = /^[^\p{Alphabetic}\p{N}:_-]+|[^\p{Alphabetic}\p{N}:_-]+$/gu;

type Gate = (request: HintRequest, minimumWorkers: number) => boolean;

const GATES: readonly (readonly [reason: SkipReason, closes: Gate])[] = [
  ["search_unavailable", ({ toolNames }) => !toolNames.includes(SEARCH)],
  ["already_searched", ({ resultIds }) => resultIds.includes(SEARCH)],
  ["narrow_surface", ({ toolNames }, minimumWorkers) => namespaces(toolNames).size < minimumWorkers],
  ["already_operating", ({ resultIds }) => resultIds.some(isTaskFunction)],
  ["task_guided", ({ toolNames, texts }) => isGuided(new Set(toolNames.filter(isTaskFunction)), texts)],
];

/** The reason to stay silent; undefined when all gates are open. */
export function closedGate(request: HintRequest, minimumWorkers: number): SkipReason | undefined {
  return GATES.find(([, closes]) => closes(request, minimumWorkers))?.[0];
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
