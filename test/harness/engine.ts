/** An embedded engine inside the test process, on a free port: quick to start, and gone with `close`. */

import { type EngineSetting, type RunningEngine, startEngine } from "../../actors/engine/engine.js";
import { createLogger } from "../../border/log.js";
import { temporaryFolder } from "./temporary.js";

/** Announcements come after 50 ms instead of 5 s; the rest is as in production unless told otherwise. */
export function startTestEngine(setting: Partial<EngineSetting> = {}): Promise<RunningEngine> {
  return startEngine({ port: 0, functionsPollMs: 50, version: "0.0.0-test", log: createLogger("engine", "silent"), ...setting });
}

/**
 * What end-to-end tests run against that don't care which engine it is: the one that `III_ENGINE_WS_URL` names, else an embedded one with
 * nothing stored.
 */
export async function startAnyEngine(): Promise<Pick<RunningEngine, "url" | "close">> {
  const url = foreignEngineUrl();
  if (url !== undefined) return { url, close: async () => {} };
  return startTestEngine({ configurationDirectory: temporaryFolder() });
}

export function foreignEngineUrl(): string | undefined {
  return process.env["III_ENGINE_WS_URL"]?.trim() || undefined;
}
