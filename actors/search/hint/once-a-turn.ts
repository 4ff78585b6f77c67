/** One hint a turn. The harness may repeat a step, and then the same step gets the same hint again. */

export interface HintRecord {
  readonly turnId: string;
  readonly step: number;
}

export interface HintDecision {
  readonly send: boolean;
  /** What to remember of the session from now on. */
  readonly record: HintRecord;
}

export function decideHint(stored: HintRecord | undefined, current: HintRecord): HintDecision {
  if (stored === undefined || stored.turnId !== current.turnId) return { send: true, record: current };
  return { send: current.step <= stored.step, record: stored };
}
