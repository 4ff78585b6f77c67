/** `--manifest`: what a registry wants to know of this worker, as JSON on standard output and nothing else. */
import { readFileSync } from "node:fs";
import { Configuration } from "../protocol/configuration.js";
import { packageFile } from "./package.js";

const TARGETS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"];

export function printManifest(): void {
  const { name, version, description } = JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as Record<string, string>;
  process.stdout.write(
    `${JSON.stringify({ name, version, description, default_config: defaults(), supported_targets: TARGETS }, null, 2)}\n`,
  );
}

/** Straight from the schema: a default that was resolved would hold a path of this machine. The key is no default. */
function defaults(): Record<string, unknown> {
  const fields = Object.entries(Configuration.properties) as [string, { default?: unknown }][];
  return Object.fromEntries(
    fields.map(([field, schema]) => [field, schema.default]).filter(([field]) => field !== "function_search_jev_api_key"),
  );
}
