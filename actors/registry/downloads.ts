/** The one way of every download: fetch, check as a whole, hand over to the fs actor, ring. */
import type { Logger } from "../../border/log.js";
import { type BundleEntry, planBundle } from "../../domain/bundle.js";
import type { Peers } from "../../protocol/actors.js";
import type { DownloadMarker, InstalledBundle } from "../../protocol/bundle.js";
import type { CallContext } from "../../protocol/call.js";
import type { Configuration } from "../../protocol/configuration.js";
import type { ContentFamily } from "../../protocol/doorbells.js";
import type { DownloadResponse } from "../../protocol/functions/downloads.js";
import { maskUserInfo, type RegistryDownload, type RepoDownload } from "./download-request.js";
import { fetchRegistryBundle } from "./registry-bundle.js";
import { fetchRepoBundle } from "./repo-bundle.js";
import { versionOf, type WorkersRegistry } from "./workers-registry.js";

export interface DownloadsOptions {
  readonly peers: Peers;
  readonly registry: WorkersRegistry;
  readonly log: Logger;
  /** Aborted when the worker ends. */
  readonly signal: AbortSignal;
}

export interface DownloadMode {
  /** Nobody has asked for it: what was edited here stays as it is. */
  readonly automatic: boolean;
}

const FAMILIES: readonly (readonly [kind: string, family: ContentFamily])[] = [
  ["skill", "skills"],
  ["system-prompt", "system-prompts"],
  ["command-prompt", "prompts"],
  ["agent", "agents"],
];

export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #running = new Set<Promise<DownloadResponse>>();

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /** `configuration` holds for the whole download, whatever is reloaded meanwhile. */
  run(
    download: RegistryDownload | RepoDownload,
    configuration: Readonly<Configuration>,
    context: CallContext,
    mode: DownloadMode = { automatic: false },
  ): Promise<DownloadResponse> {
    const work = this.#run(download, configuration, context, mode);
    this.#running.add(work);
    const leave = (): void => void this.#running.delete(work);
    work.then(leave, leave);
    return work;
  }

  /** Waits for what is under way. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #run(
    download: RegistryDownload | RepoDownload,
    configuration: Readonly<Configuration>,
    context: CallContext,
    { automatic }: DownloadMode,
  ): Promise<DownloadResponse> {
    const { entries, marker } = await this.#fetch(download, configuration, automatic);
    const files = planBundle(entries, { source: download.kind, commandPrompts: configuration.download_command_prompts });
    const namespace = download.kind === "registry" ? download.worker : download.skill;
    const done = await this.#options.peers.fs.installBundle({ namespace, files, marker, keepEdits: automatic }, context);
    this.#report(namespace, done);
    await this.#ring(namespace, download.kind, done, context);
    return responseOf(namespace, download, done);
  }

  async #fetch(
    download: RegistryDownload | RepoDownload,
    configuration: Readonly<Configuration>,
    automatic: boolean,
  ): Promise<{ readonly entries: readonly BundleEntry[]; readonly marker: DownloadMarker }> {
    const { registry, signal } = this.#options;
    if (download.kind === "repo") {
      const entries = await fetchRepoBundle(download, {
        timeoutMs: configuration.download_timeout_ms,
        signal,
        onLeftBehind: (error) => this.#options.log.warn({ err: error }, "the folder of a clone could not be removed"),
      });
      const { repo, skill, branch } = download;
      return { entries, marker: { schema: 1, source: "repo", repo: maskUserInfo(repo), skill, branch } };
    }
    const { worker, spec } = download;
    const { entries, version } = await fetchRegistryBundle(registry, worker, spec, configuration);
    const pinned = !automatic && "version" in spec;
    const resolved = version === undefined ? {} : { version };
    return { entries, marker: { schema: 1, source: "registry", worker, tag_or_version: versionOf(spec), pinned, ...resolved } };
  }

  #report(namespace: string, { written, replaced, kept }: InstalledBundle): void {
    const { log } = this.#options;
    log.info({ namespace, files: written.length }, "skills downloaded");
    if (replaced.length > 0) log.warn({ namespace, replaced }, "the download has replaced files that had been edited here");
    if (kept.length > 0) log.info({ namespace, kept }, "files that had been edited here were kept as they are");
  }

  /** Each family at most once, and only where something was written. */
  async #ring(namespace: string, source: "registry" | "repo", { written }: InstalledBundle, context: CallContext): Promise<void> {
    const { peers, log } = this.#options;
    for (const [kind, family] of FAMILIES) {
      if (!written.some((file) => file.kind === kind)) continue;
      const payload = { op: "download", namespace, source };
      await peers.doorbells
        .ring({ family, payload }, context)
        .catch((error: unknown) => log.warn({ err: error, family }, "a doorbell could not be rung"));
    }
  }
}

function responseOf(namespace: string, download: RegistryDownload | RepoDownload, { written }: InstalledBundle): DownloadResponse {
  const paths = (wanted: string): string[] => written.filter(({ kind }) => kind === wanted).map(({ path }) => path);
  const stem = (path: string): string => (path.split("/").at(-1) ?? path).replace(/\.md$/, "");
  const prompts = paths("system-prompt");
  return {
    namespace,
    // Beside a system prompt lies whatever it needs: only markdown is a prompt.
    skills_written: written
      .filter(({ kind, path }) => kind === "skill" || (kind === "system-prompt" && !path.endsWith(".md")))
      .map(({ path }) => path),
    system_prompts_written: prompts.filter((path) => path.endsWith(".md")).map(stem),
    agents_written: paths("agent").map(stem),
    source: sourceOf(download),
  };
}

function sourceOf(download: RegistryDownload | RepoDownload): unknown {
  if (download.kind === "registry") return { kind: "registry", worker: download.worker, ...download.spec };
  const { kind, repo, skill, branch } = download;
  return { kind, repo: maskUserInfo(repo), skill, branch };
}
