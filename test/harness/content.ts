/** An fs actor in this thread over folders of its own, with peers that remember what they were told. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigurationHistory } from "../../actors/configuration-history.js";
import { buildFs } from "../../actors/fs/build.js";
import { createLogger } from "../../border/log.js";
import { readConfiguration } from "../../domain/configuration.js";
import type { FsActor } from "../../protocol/actors/fs.js";
import type { EngineCall } from "../../protocol/actors/services.js";
import type { OwnWrite } from "../../protocol/actors/watcher.js";
import type { Peers } from "../../protocol/actors.js";
import type { Configuration } from "../../protocol/configuration.js";
import type { Doorbell } from "../../protocol/doorbells.js";
import { DirectoryError } from "../../protocol/errors.js";
import { ROOT } from "./shared.js";
import { temporaryFolder } from "./temporary.js";

export interface ContentOptions {
  readonly configuration?: Partial<Configuration>;
  /** Names of the installed workers; undefined: the compose daemon can't be asked. */
  readonly installed?: readonly string[] | undefined;
  /** Namespaces of the live functions; undefined: the catalog is not known. */
  readonly live?: readonly string[] | undefined;
  readonly base?: string;
  /** Answers calls to the engine; undefined: as if this option were not there. */
  readonly engine?: (call: EngineCall) => unknown;
}

export interface Content {
  readonly fs: FsActor;
  readonly base: string;
  /** Path below the base. */
  readonly at: (...parts: string[]) => string;
  readonly rings: Doorbell[];
  readonly writes: OwnWrite[];
  readonly calls: EngineCall[];
  readonly configuration: ConfigurationHistory;
  readonly drain: () => Promise<void>;
  installed: readonly string[] | undefined;
}

/** Roots below the base: `skills`, `local` (not nested, unless told otherwise), `shared`, `agents`. The filter is off. */
export async function content(
  files: Readonly<Record<string, string | Buffer>> = {},
  options: ContentOptions = {},
): Promise<Content> {
  const base = options.base ?? temporaryFolder();
  write(base, files);
  const result = readConfiguration({
    skills_folder: "skills",
    local_skills_folder: "local",
    agents_skills_folder: "shared",
    agents_folder: "agents",
    filter_unregistered: false,
    ...options.configuration,
  });
  if (!result.ok) throw new Error(result.faults.join("; "));
  const state = { installed: options.installed };
  const rings: Doorbell[] = [];
  const writes: OwnWrite[] = [];
  const calls: EngineCall[] = [];
  const drains: (() => Promise<void>)[] = [];
  const configuration = new ConfigurationHistory({ generation: 1, values: result.values });
  const peers = {
    bus: {
      call: async (call: EngineCall) => {
        calls.push(call);
        const answer = await options.engine?.(call);
        if (answer !== undefined) return answer;
        if (call.functionId !== "compose::status" || state.installed === undefined) {
          throw new DirectoryError("engine_error", `${call.functionId} not found`, { code: "function_not_found" });
        }
        return { containers: state.installed.map((container) => ({ container })) };
      },
    },
    doorbells: { ring: async (bell: Doorbell) => void rings.push(bell) },
    watcher: { ownWrites: async ({ writes: told }: { writes: readonly OwnWrite[] }) => void writes.push(...told) },
    catalog: {
      snapshot: async () => ({
        fingerprint: "",
        known: options.live !== undefined,
        functionIds: [],
        namespaces: options.live ?? [],
      }),
    },
  } as unknown as Peers;
  const fs = await buildFs({
    peers,
    configuration,
    surroundings: {
      packageRoot: ROOT,
      projectBase: base,
      homeDirectory: base,
      cacheDirectory: base,
      version: "0",
      logLevel: "silent",
      options: {},
    },
    log: createLogger("fs", "silent"),
    onDrain: (drain) => drains.push(drain),
  });
  return {
    fs,
    base,
    at: (...parts) => join(base, ...parts),
    rings,
    writes,
    calls,
    configuration,
    drain: async () => void (await Promise.all(drains.map((drain) => drain()))),
    get installed() {
      return state.installed;
    },
    set installed(names) {
      state.installed = names;
    },
  };
}

/** A path that ends in `/` becomes a folder. */
export function write(base: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, text] of Object.entries(files)) {
    const target = join(base, path);
    mkdirSync(path.endsWith("/") ? target : dirname(target), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(target, text);
  }
}
