/**
 * The small console of the embedded engine: a handful of files, read once at start, served at the engine's own address. The page is a
 * peer of the engine like any other and loads what workers inject through the console's own trigger types.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { DEFAULT_NAMESPACE } from "./connections.js";
import type { TriggerStore } from "./trigger-store.js";

export interface Page {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Nothing from elsewhere. Injected scripts and styles come as text over the connection to the engine and are loaded as blobs; the
 * import map, which the browser takes only inline, is let in by its hash.
 */
function policy(importMapHash: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' blob: ${importMapHash}`,
    "style-src 'self' blob: 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const IMPORT_MAP_HASH = /<meta name="import-map-hash" content="([^"]+)" ?\/?>/;

/** Every file below the folder by its path; empty when there is no folder. */
export function readPages(folder: string | undefined): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>();
  if (folder === undefined) return pages;
  for (const entry of list(folder)) {
    const type = MEDIA_TYPES[extname(entry)];
    if (type === undefined) continue;
    const body = readFileSync(join(folder, entry));
    const path = entry.split(sep).join("/");
    const headers: Record<string, string> = { "Content-Type": type, ...COMMON_HEADERS };
    if (path === "index.html")
      headers["Content-Security-Policy"] = policy(`'${IMPORT_MAP_HASH.exec(String(body))?.[1] ?? "none"}'`);
    pages.set(path === "index.html" ? "/" : `/${path}`, { body, headers });
  }
  return pages;
}

const COMMON_HEADERS = {
  "Cache-Control": "no-cache",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** With them what a worker injects is bound, and the page finds it among the live triggers. */
export function offerConsoleTypes(triggers: TriggerStore): void {
  const describe = (what: string): string => `A ${what} that the console loads; its content comes from the bound function.`;
  for (const [id, what] of [
    ["console:script", "script"],
    ["console:style", "style sheet"],
  ] as const) {
    triggers.addBuiltinType({ id, description: describe(what), namespace: DEFAULT_NAMESPACE });
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true })
      .map(String)
      .filter((entry) => statSync(join(folder, entry)).isFile());
  } catch {
    return [];
  }
}
