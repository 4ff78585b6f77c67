/**
 * Fetches the pinned bundle, file by file. What already lies there as pinned is left alone, so a run that was cut off goes on where it
 * was: within a file too, when the process was killed. A file appears under its name only when every byte is right.
 */
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type Dispatcher, EnvHttpProxyAgent, fetch } from "undici";
import type { Logger } from "../../border/log.js";
import { nameResolution } from "../../border/name-resolution.js";
import type { DownloadProgress } from "../../protocol/actors/embedding.js";
import { type BundleFile, type BundleManifest, type BundlePart, partsOf } from "./model/manifest.js";
import { fileFault, pathOf } from "./model/verification.js";

export const MODEL_SOURCE = "https://huggingface.co";

const FILE_LIMIT_MS = 600_000;
/** Smaller files aren't worth a line a tenth. */
const REPORTED_BYTES = 1 << 20;

export interface BundleDownloadOptions {
  /** Address before `/<repository>/resolve/<revision>/<file>`. */
  readonly source: string;
  readonly folder: string;
  readonly manifest: BundleManifest;
  readonly userAgent: string;
  readonly log: Logger;
}

export class BundleDownload {
  readonly #options: BundleDownloadOptions;
  readonly #names = nameResolution();
  readonly #dispatcher: Dispatcher = new EnvHttpProxyAgent({ connect: { lookup: this.#names.lookup } });
  readonly #stop = new AbortController();
  #bytes = 0;
  #state: DownloadProgress["state"] = "running";
  #reason: string | undefined;
  #ended: Promise<boolean> | undefined;

  constructor(options: BundleDownloadOptions) {
    this.#options = options;
  }

  get progress(): DownloadProgress {
    return {
      state: this.#state,
      bytes: this.#bytes,
      totalBytes: filesOf(this.#options.manifest).reduce((sum, { file }) => sum + file.bytes, 0),
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
    };
  }

  /** True when the bundle is there, whole and verified. The first failure ends the run with one line in the log; never rejects. */
  run(): Promise<boolean> {
    this.#ended ??= this.#run();
    return this.#ended;
  }

  /** Gives up. What has arrived of a file stays for the next run. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#names.close();
    await this.#dispatcher.destroy();
    await this.#ended;
  }

  async #run(): Promise<boolean> {
    const { manifest, folder, log } = this.#options;
    try {
      for (const { part, file } of filesOf(manifest)) await this.#ensure(part, file);
      this.#state = "complete";
      log.info({ folder }, "the model bundle is complete");
      return true;
    } catch (error) {
      this.#state = "failed";
      this.#reason = `the model bundle could not be fetched to ${folder}: ${lineOf(error)}`;
      if (!this.#stop.signal.aborted) log.warn(`${this.#reason}. The next start tries again`);
      return false;
    } finally {
      await this.#dispatcher.destroy();
    }
  }

  async #ensure(part: BundlePart, file: BundleFile): Promise<void> {
    const path = pathOf(this.#options.folder, part, file);
    const before = this.#bytes;
    if ((await fileFault(path, file)) !== undefined) await this.#fetch(part, file, path);
    this.#bytes = before + file.bytes;
  }

  async #fetch(part: BundlePart, file: BundleFile, path: string): Promise<void> {
    const partial = `${path}.part`;
    await mkdir(dirname(path), { recursive: true });
    try {
      await this.#receive(part, file, partial);
      await rename(partial, path);
    } catch (error) {
      if (!this.#stop.signal.aborted) await rm(partial, { force: true }).catch(() => {});
      throw error;
    }
  }

  async #receive(part: BundlePart, file: BundleFile, partial: string): Promise<void> {
    const hash = createHash("sha256");
    const there = await this.#hashed(partial, file, hash);
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(FILE_LIMIT_MS)]);
    const response = await fetch(this.#addressOf(part, file), {
      headers: {
        "user-agent": this.#options.userAgent,
        "accept-encoding": "identity",
        ...(there > 0 ? { range: `bytes=${there}-` } : {}),
      },
      dispatcher: this.#dispatcher,
      signal,
    });
    const goesOn = response.status === 206 && there > 0;
    if (!response.ok || response.body === null || (response.status === 206 && !goesOn)) {
      await response.body?.cancel().catch(() => {});
      throw new Error(`${file.path}: the server answered with status ${response.status}`);
    }
    await this.#write(response.body, file, partial, goesOn ? { hash, from: there } : { hash: createHash("sha256"), from: 0 });
  }

  async #write(
    body: AsyncIterable<Uint8Array>,
    file: BundleFile,
    partial: string,
    { hash, from }: { hash: Hash; from: number },
  ): Promise<void> {
    const before = this.#bytes;
    const handle = await open(partial, from > 0 ? "r+" : "w");
    let length = from;
    try {
      for await (const chunk of body) {
        if (length + chunk.length > file.bytes) throw new Error(`${file.path}: more than the pinned ${file.bytes} bytes came`);
        await handle.write(chunk, 0, chunk.length, length);
        hash.update(chunk);
        this.#report(file, length, length + chunk.length);
        length += chunk.length;
        this.#bytes = before + length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (length < file.bytes) throw new Error(`${file.path}: only ${length} of ${file.bytes} bytes came`);
    if (hash.digest("hex") !== file.sha256) throw new Error(`${file.path}: the SHA-256 of what came is not the pinned one`);
  }

  /** Feeds the hash with what an earlier run has left of a file; gives its length, 0 where it has to begin anew. */
  async #hashed(partial: string, { bytes }: BundleFile, hash: Hash): Promise<number> {
    const stats = await lstat(partial).catch(() => undefined);
    if (stats === undefined) return 0;
    if (!stats.isFile() || stats.size === 0 || stats.size >= bytes) {
      await rm(partial, { force: true });
      return 0;
    }
    for await (const chunk of createReadStream(partial)) hash.update(chunk as Buffer);
    return stats.size;
  }

  #report({ path, bytes }: BundleFile, from: number, to: number): void {
    if (bytes < REPORTED_BYTES) return;
    const [before, after] = [from, to].map((at) => Math.floor((at * 10) / bytes));
    if (before !== after) this.#options.log.info({ file: path, percent: (after ?? 0) * 10 }, "fetching the model bundle");
  }

  #addressOf({ repository, revision }: BundlePart, { path }: BundleFile): string {
    return `${this.#options.source}/${repository}/resolve/${revision}/${path}`;
  }
}

function filesOf(manifest: BundleManifest): { part: BundlePart; file: BundleFile }[] {
  return partsOf(manifest).flatMap(([, part]) => part.files.map((file) => ({ part, file })));
}

/** undici tells of a connection that failed in the cause. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `a file took longer than ${FILE_LIMIT_MS / 1_000} s`;
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
