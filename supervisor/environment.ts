/** The secrets of the environment: read once, at boot, and handed on to nobody but the actor that needs them. */
import type { JevOptions } from "../protocol/actors/jev.js";

const JEV_KEY = "TYPESAFE_API_KEY";

/** Blank counts as absent. Whatever changes in the environment later needs a restart. */
export function jevOptionsOf(env: NodeJS.ProcessEnv): JevOptions {
  const environmentKey = env[JEV_KEY]?.trim() ?? "";
  return environmentKey === "" ? {} : { environmentKey };
}

/** For threads, and for the processes that they start. */
export function environmentWithoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== JEV_KEY));
}
