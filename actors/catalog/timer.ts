/** Time as something that is given: a test has its own. */

/** Calls back after so many milliseconds; the result takes that back. */
export type Timer = (ms: number, callback: () => void) => () => void;

export function systemTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
