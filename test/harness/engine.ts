/** An embedded engine inside the test process, on a free port: quick to start, and gone with `close`. */

import { type EngineSetting, type RunningEngine, startEngine } from "../../actors/engine/engine.js";
import { createLogger } from "../../border/log.js";

/** Announcements come after 50 ms instead of 5 s; the rest is as in production unless told otherwise. */
export function startTestEngine(setting: Partial<EngineSetting> = {}): Promise<RunningEngine> {
  return startEngine({ port: 0, functionsPollMs: 50, version: "0.0.0-test", log: createLogger("engine", "silent"), ...setting });
}
