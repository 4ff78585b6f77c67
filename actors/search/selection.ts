/**
 * From lanes to one list: lanes take turns, best row first, so that every capability gets a row before any gets a second one.
 *
 * A turn is never burnt. A lane whose next row is taken already, or belongs to one worker too many, goes on to the row behind it; so
 * what a duplicate or the worker cap takes away is filled up at once, and the budget is spent on rows that are really shown.
 */

export interface Limits {
  /** Rows in all. */
  readonly budget: number;
  /** Distinct owners in all. */
  readonly owners: number;
}

export interface Candidate {
  readonly id: string;
  readonly owner: string;
}

/** Rows of one batch of functions. */
export const BATCH_BUDGET = 12;

/** Every lane can show its own worker and one more. */
export function workerCap(lanes: number): number {
  return Math.max(6, 2 * lanes);
}

/** `taken` holds ids that are chosen already; the chosen ones are added. */
export function selectRows<Row extends Candidate>(
  lanes: readonly (readonly Row[])[],
  { budget, owners }: Limits,
  taken: Set<string> = new Set(),
): Row[] {
  const chosen: Row[] = [];
  const shown = new Set<string>();
  const cursors = lanes.map((rows) => rows[Symbol.iterator]());
  const takeTurn = (rows: Iterator<Row>): boolean => {
    for (let next = rows.next(); next.done !== true; next = rows.next()) {
      const { id, owner } = next.value;
      if (taken.has(id) || (shown.size >= owners && !shown.has(owner))) continue;
      taken.add(id);
      shown.add(owner);
      chosen.push(next.value);
      return true;
    }
    return false;
  };
  for (let round = cursors; round.length > 0 && chosen.length < budget; ) {
    round = round.filter((rows) => chosen.length < budget && takeTurn(rows));
  }
  return chosen;
}

/** Groups in order of first appearance, rows in their order. */
export function groupByOwner<Row extends Candidate>(rows: readonly Row[]): [owner: string, rows: Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.owner);
    if (group === undefined) groups.set(row.owner, [row]);
    else group.push(row);
  }
  return [...groups];
}
