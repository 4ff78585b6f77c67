/** Every read and write of skills, system prompts, prompts and agent profiles. */
import type { ActorContract } from "../call.js";

// biome-ignore lint/suspicious/noEmptyInterface: methods come with the actor
export interface FsActor {}

export const FS_CONTRACT: ActorContract<FsActor> = {
  methods: {},
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 512,
  bufferLimitMiB: 256,
};
