import { isAbsolute, join } from "node:path";
import type { EngineActor, EngineOptions } from "../../protocol/actors/engine.js";
import type { ActorSetting } from "../runtime.js";
import { startEngine } from "./engine.js";

/** A port that can't be had doesn't end the thread, which would only be started again: `address` tells what is wrong. */
export async function buildEngine({ surroundings, log, onDrain }: ActorSetting): Promise<EngineActor> {
  const options = surroundings.options.engine as EngineOptions | undefined;
  if (options === undefined) throw new Error("the embedded engine was started without options");
  if (!isAbsolute(options.configurationDirectory)) throw new Error("configurationDirectory must be absolute");
  const started = startEngine({
    ...options,
    consoleFolder: join(surroundings.packageRoot, "dist", "console", "preview"),
    version: surroundings.version,
    log,
  });
  started.catch(() => {});
  onDrain(async () => {
    await (await started).close();
  });
  return {
    address: async () => ({ url: (await started).url }),
  };
}
