/** Puts the registry actor together. The thread's entry and the tests do the same thing here. */
import { setTimeout as pause } from "node:timers/promises";
import { trimWhiteSpace } from "../../domain/text.js";
import type { RegistryActor } from "../../protocol/actors/registry.js";
import type { ActorSetting } from "../runtime.js";
import { AutoDownload } from "./auto-download.js";
import { readDownloadRequest } from "./download-request.js";
import { Downloads } from "./downloads.js";
import { functionInfo } from "./function-info.js";
import { findInstallable } from "./installable.js";
import { RegistryHttp } from "./registry-http.js";
import { cardOf, readCardRequest } from "./worker-card.js";
import { WorkersRegistry } from "./workers-registry.js";

/** What a test sets otherwise. Plain data, so that it may come with the surroundings as well. */
export interface RegistryOptions {
  /** Whether the installed workers are looked at after the start; by default where `auto_download` is on. */
  readonly reconcile?: boolean;
}

export async function buildRegistry(
  { peers, configuration, surroundings, log, onDrain }: ActorSetting,
  given: RegistryOptions = (surroundings.options.registry ?? {}) as RegistryOptions,
): Promise<RegistryActor> {
  const ending = new AbortController();
  const { signal } = ending;
  const http = new RegistryHttp({ userAgent: `iii-directory/${surroundings.version}` });
  const registry = new WorkersRegistry(http);
  const downloads = new Downloads({ peers, registry, log, signal });
  const automatic = new AutoDownload({
    peers,
    downloads,
    configuration: () => configuration.current,
    log,
    signal,
    env: process.env,
    sleep: (ms) => pause(ms, undefined, { signal }).catch(() => {}),
  });
  configuration.onChange(() => registry.forget());
  onDrain(async () => {
    ending.abort();
    await http.close();
    // What is being written is written to its end; everything else was given up just now.
    await downloads.settle();
  });
  if (given.reconcile ?? configuration.current.auto_download) void automatic.reconcile().catch(() => {});

  return {
    async listWorkers({ search, cursor }, context) {
      const query = { search: trimWhiteSpace(search ?? ""), cursor: trimWhiteSpace(cursor ?? "") };
      const { workers, pagination } = await registry.list(query, configuration.of(context));
      return { workers: [...workers], pagination };
    },
    async workerInfo(request, context) {
      const { name, spec } = readCardRequest(request);
      return cardOf(await registry.record(name, spec, configuration.of(context)), request.readme === true);
    },
    async functionInfo(request, context) {
      return functionInfo(peers.bus, request, context);
    },
    async download(request, context) {
      return downloads.run(readDownloadRequest(request), configuration.of(context), context);
    },
    async workerAdded({ worker }) {
      await automatic.workerAdded(worker);
      return { ok: true };
    },
    async installable(request, context) {
      return findInstallable(request, { registry, settings: configuration.of(context), deadline: context.deadline });
    },
  };
}
