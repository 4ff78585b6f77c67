/** A bundle on its way from the registry actor, which has checked it, to the fs actor, which writes it. */

/** What a download leaves in its namespace: where it came from, and what it wrote. */
export interface DownloadMarker {
  readonly schema: 1;
  readonly source: "registry" | "repo";
  /** Of the registry. */
  readonly worker?: string;
  /** As it was asked for. */
  readonly tag_or_version?: string;
  /** Asked for by its exact version: nothing automatic changes it. */
  readonly pinned?: boolean;
  /** Of the registry, as it was answered. */
  readonly version?: string;
  /** Of a repository. */
  readonly repo?: string;
  readonly skill?: string;
  readonly branch?: string;
  /** SHA-256 in hex of each file below the namespace as it was written. */
  readonly files?: Readonly<Record<string, string>>;
  /** The same of agent profiles, by id. */
  readonly agents?: Readonly<Record<string, string>>;
}

export interface InstallBundleRequest {
  readonly namespace: string;
  readonly files: readonly {
    readonly kind: "skill" | "system-prompt" | "command-prompt" | "agent";
    readonly path: string;
    readonly content: Uint8Array;
  }[];
  /** Without the hashes, which the writer adds. */
  readonly marker: DownloadMarker;
  /** Files that were edited since they were downloaded stay as they are. */
  readonly keepEdits: boolean;
}

export interface InstalledBundle {
  /** Paths in the order of the request. */
  readonly written: readonly { readonly kind: string; readonly path: string }[];
  /** Files that had been edited here and were replaced. */
  readonly replaced: readonly string[];
  /** Files that had been edited here and were kept. */
  readonly kept: readonly string[];
}

export interface DownloadState {
  /** The namespace is a folder of the project: it hides what a download would bring. */
  readonly isLocal: boolean;
  readonly marker?: DownloadMarker;
}
