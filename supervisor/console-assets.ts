/**
 * The script and the styles that a console loads into its own page. They are read once and served from memory; a developer's folder
 * is watched instead, and a changed file is offered anew before the old offer is taken back, so that the console never shows nothing.
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Logger } from "../border/log.js";
import { DirectoryError } from "../protocol/errors.js";
import { UI_CONTENT_FUNCTION, type UiContent } from "../protocol/functions/console.js";
import type { EngineConnection } from "./engine-connection.js";

interface AssetKind {
  readonly extension: string;
  readonly triggerType: string;
  readonly contentType: string;
}

const KINDS: Readonly<Record<"script" | "style", AssetKind>> = {
  script: { extension: ".js", triggerType: "console:script", contentType: "text/javascript; charset=utf-8" },
  style: { extension: ".css", triggerType: "console:style", contentType: "text/css; charset=utf-8" },
};

export interface AssetDeclaration {
  /** As the console knows it; its first segment is the scope of the styles. */
  readonly path: string;
  readonly kind: keyof typeof KINDS;
  /** Below the folder of assets. */
  readonly file: string;
}

export const ASSETS: readonly AssetDeclaration[] = [
  { path: "iii-directory/page.js", kind: "script", file: "page.js" },
  { path: "iii-directory/styles.css", kind: "style", file: "styles.css" },
];

const SEGMENT = /^[a-z0-9._-]+$/;
const LONGEST_PATH = 512;
const WATCH_EVERY_MS = 1_000;

/** What the console would refuse is a fault of ours, found at once. */
export function checkDeclarations(declarations: readonly AssetDeclaration[]): void {
  const seen = new Set<string>();
  for (const { path, kind } of declarations) {
    const segments = path.split("/");
    const isPath = segments.every((segment) => SEGMENT.test(segment) && segment !== "." && segment !== "..");
    if (!isPath || path.length > LONGEST_PATH) throw new Error(`${JSON.stringify(path)} is not a path that a console takes`);
    if (!path.endsWith(KINDS[kind].extension)) throw new Error(`${path} is a ${kind} and must end with ${KINDS[kind].extension}`);
    if (seen.has(path)) throw new Error(`${path} is declared twice`);
    seen.add(path);
  }
}

/** The folder that `III_<WORKER>_UI_WATCH` names: undefined when it is off, `ui/dist` when it is only on. */
export function assetFolderOf(env: NodeJS.ProcessEnv, workerName: string): string | undefined {
  const value = (env[`III_${workerName.replace(/[^a-zA-Z0-9]/g, "_").toUpperCase()}_UI_WATCH`] ?? "").trim();
  if (value === "" || value === "0" || value.toLowerCase() === "false") return undefined;
  if (value === "1" || value.toLowerCase() === "true") return resolve("ui", "dist");
  return value.endsWith(".js") ? dirname(resolve(value)) : resolve(value);
}

export interface ConsoleAssetsOptions {
  readonly engine: Pick<EngineConnection, "bind">;
  readonly log: Logger;
  /** Folder of the built files. */
  readonly shipped: string;
  /** Folder that is looked at every second instead; undefined: none. */
  readonly watched?: string | undefined;
  readonly declarations?: readonly AssetDeclaration[];
}

export class ConsoleAssets {
  readonly #options: ConsoleAssetsOptions;
  readonly #declarations: readonly AssetDeclaration[];
  readonly #contents = new Map<string, UiContent>();
  readonly #offers = new Map<string, () => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ConsoleAssetsOptions) {
    this.#options = options;
    this.#declarations = options.declarations ?? ASSETS;
    checkDeclarations(this.#declarations);
    for (const declaration of this.#declarations) this.#read(declaration, true);
  }

  /** Exact paths only; no file is opened for a request. */
  content(path: string): UiContent {
    const content = this.#contents.get(path);
    if (content !== undefined) return content;
    const known = [...this.#contents.keys()].sort().join(", ");
    throw new DirectoryError(
      "UNKNOWN_UI_ASSET",
      `${JSON.stringify(path)} is not an asset of this worker; there are: ${known || "none"}`,
    );
  }

  /** Tells the console. Without one the engine keeps the offer until there is one. */
  offer(): void {
    for (const declaration of this.#declarations) if (this.#contents.has(declaration.path)) this.#bind(declaration);
    if (this.#options.watched !== undefined) this.#timer = setInterval(() => this.look(), WATCH_EVERY_MS).unref();
  }

  /** Takes in what has changed on disk. */
  look(): void {
    for (const declaration of this.#declarations) if (this.#read(declaration, false)) this.#bind(declaration);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** True when the bytes are others than before. */
  #read({ path, kind, file }: AssetDeclaration, complain: boolean): boolean {
    const name = join(this.#options.watched ?? this.#options.shipped, file);
    try {
      const content = readFileSync(name, "utf8");
      if (content === this.#contents.get(path)?.content) return false;
      this.#contents.set(path, { content, content_type: KINDS[kind].contentType });
      return true;
    } catch (error) {
      if (complain) this.#options.log.warn({ err: error, file: name }, `the console will not show ${path}: its file can't be read`);
      return false;
    }
  }

  #bind({ path, kind }: AssetDeclaration): void {
    try {
      const withdraw = this.#offers.get(path);
      this.#offers.set(path, this.#options.engine.bind(KINDS[kind].triggerType, UI_CONTENT_FUNCTION.id, { path }));
      withdraw?.();
    } catch (error) {
      this.#options.log.warn({ err: error, path }, "the console could not be told of an asset");
    }
  }
}
