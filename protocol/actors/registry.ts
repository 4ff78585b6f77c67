/** The workers registry (HTTP) and git: fetches bundles, never writes them itself. */
import type { ActorContract } from "../call.js";

// biome-ignore lint/suspicious/noEmptyInterface: methods come with the actor
export interface RegistryActor {}

export const REGISTRY_CONTRACT: ActorContract<RegistryActor> = {
  methods: {},
  mailboxLimit: 256,
  window: 32,
  heapLimitMiB: 512,
  bufferLimitMiB: 256,
};
