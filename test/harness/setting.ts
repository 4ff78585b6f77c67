/** What an actor is given, for tests that build one in this thread. */

import { ConfigurationHistory } from "../../actors/configuration-history.js";
import type { ActorSetting } from "../../actors/runtime.js";
import { createLogger } from "../../border/log.js";
import { DEFAULT_CONFIGURATION } from "../../domain/configuration.js";
import type { Peers } from "../../protocol/actors.js";
import type { Configuration } from "../../protocol/configuration.js";
import type { Surroundings } from "../../protocol/thread.js";
import { ROOT } from "./shared.js";
import { temporaryFolder } from "./temporary.js";

export interface BuiltSetting {
  readonly setting: ActorSetting;
  readonly configuration: ConfigurationHistory;
  /** Does what the supervisor does before it ends a thread. */
  readonly drain: () => Promise<void>;
}

/** Folders of its own, nothing logged, and a configuration that is the default but for `values`. */
export function settingFor(
  name: string,
  values: Partial<Configuration> = {},
  { peers = {}, surroundings = {} }: { peers?: Partial<Peers>; surroundings?: Partial<Surroundings> } = {},
): BuiltSetting {
  const folder = temporaryFolder();
  const configuration = new ConfigurationHistory({ generation: 1, values: { ...DEFAULT_CONFIGURATION, ...values } });
  const drains: (() => Promise<void>)[] = [];
  const setting: ActorSetting = {
    peers: peers as Peers,
    configuration,
    surroundings: {
      packageRoot: ROOT,
      projectBase: folder,
      homeDirectory: folder,
      cacheDirectory: folder,
      version: "0.0.0",
      logLevel: "silent",
      options: {},
      ...surroundings,
    },
    log: createLogger(name, "silent"),
    onDrain: (drain) => drains.push(drain),
  };
  return {
    setting,
    configuration,
    drain: async () => {
      await Promise.all(drains.map((drain) => drain()));
    },
  };
}
