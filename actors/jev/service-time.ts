/**
 * How long the service takes for a request, and what follows from it: a large catalog takes more requests than fit into the deadline, and
 * then every search pays for judging and gets a local ranking all the same. An operator has to be told.
 */
import { LONGEST_JUDGING_MS } from "../../protocol/configuration-fields.js";
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

/** What a search has to judge of the functions. */
export interface Size {
  readonly documents: number;
  /** Of a batch, and so are the blocks. */
  readonly capabilities: number;
  readonly blocks: number;
  readonly batches: number;
}

/** Requests that wait for one another: a batch begins when the one before has ended. */
export function roundsOf({ blocks, batches }: Size): number {
  return batches * Math.ceil(blocks / PERMITS);
}

/** What to change, when a search of this size can't be judged in time; undefined when it can, or when nothing is known yet. */
export function adviceFor(size: Size, requestMs: number | undefined, timeoutMs: number): string | undefined {
  if (requestMs === undefined) return undefined;
  const { documents, capabilities, blocks, batches } = size;
  const neededMs = roundsOf(size) * requestMs;
  if (neededMs <= timeoutMs) return undefined;
  const found =
    `Jev needs ${blocks * batches} requests for functions × capabilities = ${documents} × ${capabilities * batches}: about ` +
    `${Math.round(neededMs)} ms at ${Math.round(requestMs)} ms a request, ${PERMITS} at a time. function_search_jev_timeout_ms is ` +
    `${timeoutMs}, so such searches are ranked locally, in whole or in part.`;
  const remedies = [shortlistRemedy(size, requestMs, timeoutMs), timeoutRemedy(neededMs)].filter((remedy) => remedy !== "");
  return `${found} Set ${remedies.length > 0 ? remedies.join(", or ") : "function_search_mode to hybrid: nothing makes this judge fast enough"}.`;
}

/** Candidates of each capability of which all together can be judged in time. */
function shortlistRemedy({ capabilities, batches }: Size, requestMs: number, timeoutMs: number): string {
  const rounds = Math.floor((timeoutMs * SHARE) / requestMs / batches);
  const documents = rounds * PERMITS * BLOCK_LIMITS.documents;
  const depth = Math.floor(documents / capabilities);
  return depth > 0 ? `function_search_jev_shortlist to ${depth} or less` : "";
}

function timeoutRemedy(neededMs: number): string {
  const timeoutMs = Math.ceil(neededMs / SHARE / 100) * 100;
  return timeoutMs <= LONGEST_JUDGING_MS ? `function_search_jev_timeout_ms to ${timeoutMs} or more` : "";
}
