/**
 * Which model: a complete bundle at the configured path, else the one that the package carries, else none. A configured path of null
 * turns local models off altogether.
 */
import { resolveConfigured } from "../../domain/paths.js";
import type { Configuration } from "../../protocol/configuration.js";
import { MODEL_REVISION } from "../../protocol/configuration-fields.js";
import type { Surroundings } from "../../protocol/thread.js";
import { type BundleManifest, downloadManifest, embeddedFolder, embeddedManifest } from "./model/manifest.js";
import { isComplete } from "./model/verification.js";

export interface ModelSource {
  readonly origin: "bundle" | "embedded";
  readonly folder: string;
  readonly manifest: BundleManifest;
}

type ModelConfiguration = Pick<
  Configuration,
  "function_search_mode" | "function_search_model_path" | "function_search_model_download" | "function_search_reranker"
>;

/** Where the pinned bundle is or would be; undefined when local models are off. */
export function bundleSource(
  configuration: ModelConfiguration,
  surroundings: Surroundings,
  manifest: BundleManifest = downloadManifest(surroundings.packageRoot),
): ModelSource | undefined {
  const { function_search_model_path: path } = configuration;
  if (path === null) return undefined;
  const bases = { home: surroundings.homeDirectory, projectBase: surroundings.projectBase };
  return { origin: "bundle", folder: resolveConfigured(path, bases), manifest };
}

/** What may be loaded, best first. Each may still turn out damaged when it is read. */
export async function modelSources(
  configuration: ModelConfiguration,
  surroundings: Surroundings,
  manifest?: BundleManifest,
): Promise<readonly ModelSource[]> {
  const bundle = bundleSource(configuration, surroundings, manifest);
  if (bundle === undefined) return [];
  const folder = embeddedFolder(surroundings.packageRoot);
  const embedded = { origin: "embedded", folder, manifest: embeddedManifest(surroundings.packageRoot) } as const;
  const sources: ModelSource[] = [];
  for (const source of [bundle, embedded]) if (await isComplete(source.folder, source.manifest)) sources.push(source);
  return sources;
}

const DEFAULT_PATH = `~/.cache/iii/all-MiniLM-L6-v2-${MODEL_REVISION}`;

/**
 * Is the bundle wanted so much that it may be fetched? Only by whoever named a place for it or switched the reranker on: nothing else
 * needs it.
 */
export function mayDownload(configuration: ModelConfiguration, platform: string = `${process.platform}-${process.arch}`): boolean {
  const { function_search_model_path: path, function_search_reranker: reranker } = configuration;
  if (configuration.function_search_mode !== "hybrid" || !configuration.function_search_model_download) return false;
  return path !== null && (path !== DEFAULT_PATH || reranker) && SUPPORTED.has(platform);
}

/** Where the runtime has binaries. */
const SUPPORTED = new Set(["linux-x64", "linux-arm64", "darwin-arm64", "win32-x64", "win32-arm64"]);
