/**
 * The text of the hint. It stands alone: the model that reads it may know nothing of this worker, and must not need a second look-up
 * to make the call. Live hints and the preview come from here.
 */
import type { Exposure } from "../../../protocol/functions/hook.js";
import { HINT_TAG } from "../../../protocol/hint-tag.js";

const RULES = [
  "This concerns every task function whose id this conversation has not verified yet; an id counts as verified once it came back from an earlier search, from a contract look-up, or from a call that succeeded.",
  "Before you call such a function, ask directory::search_functions once at this decision point; do that instead of reading engine::functions::list.",
  "Never make up an id and never call an unverified one: knowing which capability you need is not knowing the id of a function.",
  "Everything the search call needs is said here, so do not look up its own contract first.",
  "Write `capabilities` as short needs that do not overlap, taken from the goal and from the current execution state, and put every unmet external capability into this one call: usually one to six, eighteen at most.",
  "Write them in English, whatever language the user speaks, and leave proper names, URLs and function ids as they are.",
  "Leave out what you do yourself (reasoning, summarising, planning, formatting) and what is represented or met already; a request to summarise text or content that was provided is ignored.",
  "What comes back are candidates, not contracts: choose the smallest set you need and fetch those contracts before first use in one engine::functions::info call with function_ids: [...].",
  "One exception: a call that a harness runtime block marks as pre-verified is verified; use its payload as given, without searching for it and without fetching its contract.",
].join(" ");

const CALLS: { readonly [Kind in Exposure]: string } = {
  agent_trigger:
    'Make the call through agent_trigger: {"function":"directory::search_functions","description":"<short phrase for the user, in the user\'s language>","payload":{"capabilities":["<need>","<need>"]}}',
  native: "Call directory::search_functions directly, with its one required field `capabilities`, an array of strings.",
  other: "Call directory::search_functions directly, with its one required field `capabilities`, an array of strings.",
};

export function renderBlock(exposure: Exposure, functionsGeneration: number): string {
  return `<${HINT_TAG} functions_generation=${functionsGeneration}>\n${RULES} ${CALLS[exposure]}\n</${HINT_TAG}>`;
}
