/** File events below the content roots, debounced to families of content. */
import type { ActorContract } from "../call.js";

// biome-ignore lint/suspicious/noEmptyInterface: methods come with the actor
export interface WatcherActor {}

export const WATCHER_CONTRACT: ActorContract<WatcherActor> = {
  methods: {},
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 512,
  bufferLimitMiB: 256,
};
