/** What the process stands in: folders, version, log level. Read once at boot; actors get it as data. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { homeOf } from "../domain/paths.js";
import type { Surroundings } from "../protocol/thread.js";

const LEVELS = new Set(["trace", "debug", "info", "warn", "error", "fatal", "silent"]);

export function surroundingsOf(env: NodeJS.ProcessEnv, options: Surroundings["options"] = {}): Surroundings {
  const packageRoot = findPackage(dirname(fileURLToPath(import.meta.url)));
  const level = (env["LOG_LEVEL"] ?? "").toLowerCase();
  return {
    packageRoot,
    projectBase: resolve(nonEmpty(env["III_COMPOSE_DIR"]) ?? process.cwd()),
    homeDirectory: homeOf(env),
    cacheDirectory: join(nonEmpty(env["XDG_CACHE_HOME"]) ?? join(homedir(), ".cache"), "iii-directory"),
    version: (JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as { version: string }).version,
    logLevel: LEVELS.has(level) ? level : "info",
    options,
  };
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}

function findPackage(from: string): string {
  try {
    readFileSync(join(from, "package.json"));
    return from;
  } catch {
    return findPackage(dirname(from));
  }
}
