/** File events below the content roots, debounced to families of content. */
import { type ActorContract, type CallContext, TIMEOUTS } from "../call.js";

/** What a write of ours left behind: an event about a file that still looks like this is no news. */
export interface OwnWrite {
  /** Real path. */
  readonly path: string;
  /** Inode, size and time of the last change in nanoseconds; undefined for a file that we removed. */
  readonly identity?: string;
}

export interface WatcherActor {
  /** Sent by whoever wrote, right after the write and before it is answered. */
  ownWrites(request: { readonly writes: readonly OwnWrite[] }, context: CallContext): Promise<void>;
  report(
    request: Record<string, never>,
    context: CallContext,
  ): Promise<{ readonly roots: readonly { readonly path: string; readonly watched: boolean; readonly reason?: string }[] }>;
}

export const WATCHER_CONTRACT: ActorContract<WatcherActor> = {
  methods: {
    ownWrites: { idempotent: true, timeoutMs: TIMEOUTS.status },
    report: { idempotent: true, timeoutMs: TIMEOUTS.status },
  },
  mailboxLimit: 1_024,
  window: 32,
  heapLimitMiB: 256,
  bufferLimitMiB: 128,
};
