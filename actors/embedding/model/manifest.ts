/** What belongs to a model bundle: every file with its length and hash. The manifests are data below `models/`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface BundleFile {
  /** Below the folder of its part, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface BundlePart {
  /** Below the folder of the bundle. */
  readonly folder: string;
  /** The file among `files` that is the network. */
  readonly model: string;
  readonly files: readonly BundleFile[];
  /** Where it is downloaded from; absent in what the package carries. */
  readonly repository?: string;
  readonly revision?: string;
}

export type PartName = "embedding" | "reranker";

export interface BundleManifest {
  readonly name: string;
  readonly parts: { readonly embedding: BundlePart; readonly reranker?: BundlePart };
}

const EMBEDDED = "all-MiniLM-L6-v2-w8";

/** Folder of the model that the package carries. */
export function embeddedFolder(packageRoot: string): string {
  return join(packageRoot, "models", EMBEDDED);
}

export function embeddedManifest(packageRoot: string): BundleManifest {
  return read(join(embeddedFolder(packageRoot), "manifest.json"));
}

/** The pinned bundle that can be downloaded: the float32 model and the reranker. */
export function downloadManifest(packageRoot: string): BundleManifest {
  return read(join(packageRoot, "models", "download.json"));
}

/** Parts in the order in which they are fetched. */
export function partsOf({ parts }: BundleManifest): readonly (readonly [PartName, BundlePart])[] {
  return parts.reranker === undefined
    ? [["embedding", parts.embedding]]
    : [
        ["embedding", parts.embedding],
        ["reranker", parts.reranker],
      ];
}

/** Identity of what a part computes: vectors of different identities are never compared. */
export function identityOf({ name }: BundleManifest, part: BundlePart): string {
  const digest = part.files.find(({ path }) => path === part.model)?.sha256 ?? "";
  return `${name}@${digest.slice(0, 16)}`;
}

function read(file: string): BundleManifest {
  return JSON.parse(readFileSync(file, "utf8")) as BundleManifest;
}
