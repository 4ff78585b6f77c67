/** What travels with every call, on every border. */

export interface CallContext {
  readonly requestId: string;
  /** Epoch milliseconds. Absolute, so that passing it on *is* passing on what is left. It is the only cancellation there is. */
  readonly deadline: number;
  /** OpenTelemetry baggage of the caller; `iii.session.id` names the session. */
  readonly baggage?: Readonly<Record<string, string>>;
  /**
   * Number of the configuration that was current when the request came in. Every actor keeps the last few, so one request sees one
   * configuration on its whole way, whatever is reloaded meanwhile. Absent: the current one.
   */
  readonly configuration?: number;
}

export interface MethodContract {
  /** May be sent again after the thread behind it died. */
  readonly idempotent: boolean;
  /** Milliseconds; used where the caller brings no deadline of its own. */
  readonly timeoutMs: number;
}

export interface ActorContract<Actor> {
  readonly methods: { readonly [Method in keyof Actor]-?: MethodContract };
  /** Calls waiting plus calls sent. One more is answered with `busy`. */
  readonly mailboxLimit: number;
  /**
   * Calls sent and not yet answered. What waits in the mailbox is safe when the thread dies, so keep it small: enough to hide
   * one round trip for an actor that computes (4), more for one that waits on others (32).
   */
  readonly window: number;
  readonly heapLimitMiB: number;
  readonly bufferLimitMiB: number;
}

/** Defaults where the caller brings no deadline, in milliseconds. */
export const TIMEOUTS = {
  read: 5_000,
  write: 10_000,
  search: 10_000,
  queryEmbedding: 2_000,
  /** The registry's part of a search: it runs beside the ranking and may not hold it up. */
  registrySearch: 1_500,
  documentBatch: 30_000,
  status: 1_000,
} as const;
