/** Agent profiles as they are on disk at the moment of a call, and behind them those that come with the worker. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type AgentProfile, readAgentProfile } from "../../domain/agent-profile.js";
import { nameFault } from "../../domain/content-name.js";
import type { Member } from "../../domain/inheritance.js";
import { InvalidContent } from "../../domain/strict-fields.js";
import { compareBytes } from "../../domain/text.js";
import type { ContentFault } from "../../protocol/actors/fs.js";
import type { DirectoryError } from "../../protocol/errors.js";
import { FileCache, type FileFacts } from "./file-cache.js";
import { OversizedHead, readTextOrHead } from "./oversized.js";
import { SharedScan } from "./shared-scan.js";

/** A profile and where it comes from. */
export interface Agent extends Member {
  /** The whole file; empty when it can't be read whole. */
  readonly text: string;
  /** Undefined for one that is bundled and has no file. */
  readonly file?: { readonly path: string; readonly folder: string; readonly facts: FileFacts };
  /** Why its text can't be served, though it is listed. */
  readonly error?: DirectoryError;
}

export interface AgentView {
  /** Every profile that is served, in byte order of the ids. */
  readonly byId: ReadonlyMap<string, Agent>;
  readonly faults: readonly ContentFault[];
}

interface ParsedProfile {
  readonly profile?: AgentProfile;
  readonly text: string;
  readonly error?: DirectoryError;
  readonly reason?: string;
}

const EXTENSION = ".md";
const CONCURRENCY = 32;
/** More profiles than any chain that can be followed to its end. */
const LONGEST_CHAIN = 16;

export class AgentLibrary {
  /** The first folder that has an id serves it; new profiles go to the first. */
  readonly folders: readonly [string, ...string[]];
  readonly #bundled: ReadonlyMap<string, Agent>;
  readonly #cache = new FileCache<ParsedProfile>(parseProfile, readTextOrHead);
  readonly #scan = new SharedScan(() => this.#read());
  #faults: readonly ContentFault[] = [];

  constructor(folders: readonly [string, ...string[]], bundled: readonly Agent[]) {
    this.folders = folders;
    this.#bundled = new Map(bundled.map((agent) => [agent.id, agent]));
  }

  /** What was left out at the last look. */
  get faults(): readonly ContentFault[] {
    return this.#faults;
  }

  view(): Promise<AgentView> {
    return this.#scan.run();
  }

  /** One profile and those that it takes from, without a look at the others; everything when there is no such profile. */
  async around(id: string): Promise<AgentView> {
    const files = await this.#files();
    const byId = new Map<string, Agent>();
    for (let wanted: string | null = id; wanted !== null && !byId.has(wanted) && byId.size <= LONGEST_CHAIN; ) {
      const own = files.filter((file) => file.id === wanted);
      const agent: Agent | undefined = this.#served(await this.#lookAtAll(own)).byId.get(wanted) ?? this.#bundled.get(wanted);
      if (agent === undefined) break;
      byId.set(wanted, agent);
      wanted = agent.profile.extends;
    }
    return byId.size === 0 ? this.view() : { byId, faults: [] };
  }

  async #read(): Promise<AgentView> {
    const files = await this.#files();
    this.#cache.keepOnly(new Set(files.map(({ path }) => path)));
    const { byId, faults } = this.#served(await this.#lookAtAll(files));
    this.#faults = faults;
    const all = [...byId, ...[...this.#bundled].filter(([id]) => !byId.has(id))];
    return { byId: new Map(all.sort(([left], [right]) => compareBytes(left, right))), faults };
  }

  async #files(): Promise<readonly ProfileFile[]> {
    return (await Promise.all(this.folders.map(filesOf))).flat();
  }

  #served(looks: readonly Look[]): AgentView {
    const byId = new Map<string, Agent>();
    const faults: ContentFault[] = [];
    for (const { id, path, folder, facts, parsed } of looks) {
      if (facts === undefined || byId.has(id)) continue;
      const { profile, text, error } = parsed;
      const fault = nameFault(id);
      const reason = fault === undefined ? parsed.reason : `invalid agent profile id ${JSON.stringify(id)}: it ${fault}`;
      if (profile === undefined || reason !== undefined)
        faults.push({ path, kind: "skipped", reason: reason ?? "it can't be read" });
      else byId.set(id, { id, profile, text, file: { path, folder, facts }, ...(error === undefined ? {} : { error }) });
    }
    return { byId, faults };
  }

  async #lookAtAll(files: readonly ProfileFile[]): Promise<readonly Look[]> {
    const looks: Look[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < files.length; at = next++) {
        const file = files[at];
        if (file !== undefined) looks[at] = { ...file, ...(await this.#cache.look(file.path)) };
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, files.length) }, worker));
    return looks;
  }
}

interface Look extends ProfileFile {
  readonly facts: FileFacts | undefined;
  readonly parsed: ParsedProfile;
}

interface ProfileFile {
  readonly id: string;
  readonly path: string;
  readonly folder: string;
}

/** Direct ones only: folders below are none of ours. */
async function filesOf(folder: string): Promise<ProfileFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.name.endsWith(EXTENSION) && (entry.isFile() || entry.isSymbolicLink()))
    .map(({ name }) => ({ id: name.slice(0, -EXTENSION.length), path: join(folder, name), folder }));
}

function parseProfile(_path: string, source: string | Error): ParsedProfile {
  if (source instanceof Error && !(source instanceof OversizedHead)) return { text: "", reason: source.message };
  try {
    if (typeof source === "string") return { profile: readAgentProfile(source), text: source };
    return { profile: { ...readAgentProfile(source.head), body: "" }, text: "", error: source.refusal };
  } catch (error) {
    if (!(error instanceof InvalidContent)) throw error;
    return { text: "", reason: error.message };
  }
}
