/** Registry and fs actors in this thread, over folders of their own and a registry server. */
import { buildFs } from "../../actors/fs/build.js";
import { buildRegistry, type RegistryOptions } from "../../actors/registry/build.js";
import type { FsActor } from "../../protocol/actors/fs.js";
import type { RegistryActor } from "../../protocol/actors/registry.js";
import type { EngineCall } from "../../protocol/actors/services.js";
import type { Configuration } from "../../protocol/configuration.js";
import type { Doorbell } from "../../protocol/doorbells.js";
import { DirectoryError } from "../../protocol/errors.js";
import { settingFor } from "./setting.js";
import { temporaryFolder } from "./temporary.js";

export interface Downloading {
  readonly registry: RegistryActor;
  readonly fs: FsActor;
  readonly rung: Doorbell[];
  readonly calls: EngineCall[];
  readonly skills: string;
  readonly local: string;
  readonly agents: string;
  readonly reconfigure: (values: Partial<Configuration>) => void;
  readonly stop: () => Promise<void>;
}

export interface DownloadingSetting extends RegistryOptions {
  readonly configuration?: Partial<Configuration>;
  readonly engine?: (call: EngineCall) => unknown | Promise<unknown>;
  /** An earlier one whose folders are used again, as after a restart. */
  readonly folders?: Pick<Downloading, "skills" | "local" | "agents">;
}

export async function downloading(
  url: string,
  { configuration = {}, engine, folders, reconcile = false }: DownloadingSetting = {},
): Promise<Downloading> {
  const { skills, local, agents } = folders ?? { skills: temporaryFolder(), local: temporaryFolder(), agents: temporaryFolder() };
  const rung: Doorbell[] = [];
  const calls: EngineCall[] = [];
  const bus = {
    call: async (call: EngineCall): Promise<unknown> => {
      calls.push(call);
      if (engine === undefined) throw new DirectoryError("engine_error", "not there", { code: "function_not_found" });
      return engine(call);
    },
  };
  const values: Partial<Configuration> = {
    registry_url: url,
    skills_folder: skills,
    local_skills_folder: local,
    agents_folder: agents,
    agents_skills_folder: temporaryFolder(),
    auto_download: false,
    ...configuration,
  };
  const doorbells = { ring: async (bell: Doorbell) => void rung.push(bell) };
  const catalog = { snapshot: async () => ({ fingerprint: "", known: false, functionIds: [], namespaces: [] }) };
  const watcher = { ownWrites: async () => {} };
  const ofFs = settingFor("fs", values, { peers: { bus, doorbells, watcher, catalog } as never });
  const fs = await buildFs(ofFs.setting);
  const ofRegistry = settingFor("registry", values, { peers: { bus, doorbells, fs } as never });
  const registry = await buildRegistry(ofRegistry.setting, { reconcile });
  let generation = 1;
  return {
    registry,
    fs,
    rung,
    calls,
    skills,
    local,
    agents,
    reconfigure: (next) => {
      const snapshot = { generation: ++generation, values: { ...ofRegistry.configuration.current, ...next } };
      ofRegistry.configuration.add(snapshot);
      ofFs.configuration.add(snapshot);
    },
    stop: async () => {
      await ofRegistry.drain();
      await ofFs.drain();
    },
  };
}
