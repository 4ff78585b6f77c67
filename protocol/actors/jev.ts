/** Remote relevance judging: four permits for the process, one deadline for a search. */
import type { ActorContract } from "../call.js";

// biome-ignore lint/suspicious/noEmptyInterface: methods come with the actor
export interface JevActor {}

export const JEV_CONTRACT: ActorContract<JevActor> = {
  methods: {},
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 512,
  bufferLimitMiB: 256,
};
