/**
 * How long the service takes for a request, and what follows from it: a large catalog takes more requests than fit into the deadline, and
 * then every search pays for judging and gets a local ranking all the same. An operator has to be told.
 */
import { LONGEST_JUDGING_MS } from "../../protocol/configuration.js";
import { BLOCK_LIMITS } from "./blocks.js";
import { PERMITS } from "./permits.js";

/** Requests that are remembered. */
const KEPT = 64;

/** Fewer requests than this say nothing. */
const ENOUGH = 4;

/** Part of the deadline that the functions may take; skills, triggers and installable functions share it. */
const SHARE = 0.7;

export class ServiceTimes {
  #times: number[] = [];

  /** A request that was cut off took at least so long, which says something only when that is long. */
  add(elapsedMs: number, answered: boolean): void {
    if (answered || elapsedMs > (this.median ?? 0)) this.#times = [...this.#times.slice(1 - KEPT), elapsedMs];
  }

  /** Milliseconds; undefined while there are too few. */
  get median(): number | undefined {
    if (this.#times.length < ENOUGH) return undefined;
    return [...this.#times].sort((left, right) => left - right)[Math.floor(this.#times.length / 2)];
  }
}

export interface Size {
  readonly documents: number;
  readonly capabilities: number;
  readonly blocks: number;
}

/** What to change, when an evaluation of this size can't end in time; undefined when it can, or when nothing is known yet. */
export function adviceFor(
  { documents, capabilities, blocks }: Size,
  requestMs: number | undefined,
  timeoutMs: number,
): string | undefined {
  if (requestMs === undefined) return undefined;
  const neededMs = Math.ceil(blocks / PERMITS) * requestMs;
  if (neededMs <= timeoutMs) return undefined;
  const found =
    `Jev needs ${blocks} requests for functions × capabilities = ${documents} × ${capabilities}: about ${Math.round(neededMs)} ms at ` +
    `${Math.round(requestMs)} ms a request, ${PERMITS} at a time. function_search_jev_timeout_ms is ${timeoutMs}, so such searches are ` +
    "ranked locally.";
  const remedies = [shortlistRemedy(capabilities, requestMs, timeoutMs), timeoutRemedy(neededMs)].filter((remedy) => remedy !== "");
  return `${found} Set ${remedies.length > 0 ? remedies.join(", or ") : "function_search_mode to hybrid: nothing makes this judge fast enough"}.`;
}

/** Candidates of each capability of which all together can be judged in time. */
function shortlistRemedy(capabilities: number, requestMs: number, timeoutMs: number): string {
  const blocks = Math.floor((timeoutMs * SHARE) / requestMs) * PERMITS;
  const documents = Math.floor(blocks / Math.ceil(capabilities / BLOCK_LIMITS.capabilities)) * BLOCK_LIMITS.documents;
  const depth = Math.floor(documents / capabilities);
  return depth > 0 ? `function_search_jev_shortlist to ${depth} or less` : "";
}

function timeoutRemedy(neededMs: number): string {
  const timeoutMs = Math.ceil(neededMs / SHARE / 100) * 100;
  return timeoutMs <= LONGEST_JUDGING_MS ? `function_search_jev_timeout_ms to ${timeoutMs} or more` : "";
}
