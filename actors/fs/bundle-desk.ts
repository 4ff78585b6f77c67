/** Where bundles are handed in: one at a time for each namespace, and one at a time of those that bring agent profiles. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ContentFault } from "../../protocol/actors/fs.js";
import type { DownloadState, InstallBundleRequest, InstalledBundle } from "../../protocol/bundle.js";
import { type InstallOptions, installBundle, recoverBundles } from "./bundle-install.js";
import { readMarker } from "./markers.js";
import { Turns } from "./turns.js";

export class BundleDesk {
  readonly #options: InstallOptions;
  readonly #queues = new Map<string, { readonly turns: Turns; waiting: number }>();
  readonly #profiles = new Turns();
  readonly #replaced = new Map<string, ContentFault>();

  constructor(options: InstallOptions) {
    this.#options = options;
  }

  /** Before anything is read: what a killed process has left is finished or thrown away. */
  recover(): Promise<void> {
    return recoverBundles(this.#options.roots, this.#options.tell);
  }

  async install(request: InstallBundleRequest): Promise<InstalledBundle> {
    const queue = this.#queues.get(request.namespace) ?? { turns: new Turns(), waiting: 0 };
    this.#queues.set(request.namespace, queue);
    queue.waiting++;
    try {
      return await queue.turns.take(() => this.#install(request));
    } finally {
      if (--queue.waiting === 0) this.#queues.delete(request.namespace);
    }
  }

  async state(namespace: string): Promise<DownloadState> {
    const { local, global } = this.#options.roots;
    const isLocal = await stat(join(local, namespace)).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    const marker = await readMarker(join(global, namespace));
    return { isLocal, ...(marker === undefined ? {} : { marker }) };
  }

  /** Files with edits that a download on purpose has replaced. */
  faults(): ContentFault[] {
    return [...this.#replaced.values()];
  }

  async settle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(({ turns }) => turns.take(async () => {})));
  }

  async #install(request: InstallBundleRequest): Promise<InstalledBundle> {
    const work = (): Promise<InstalledBundle> => installBundle(request, this.#options);
    const hasProfiles = request.files.some(({ kind }) => kind === "agent");
    const done = await (hasProfiles ? this.#profiles.take(work) : work());
    for (const path of done.replaced) {
      const reason = "it had been edited here, and a download has replaced it";
      this.#replaced.set(`${request.namespace}/${path}`, { path: `${request.namespace}/${path}`, kind: "notice", reason });
    }
    return done;
  }
}
