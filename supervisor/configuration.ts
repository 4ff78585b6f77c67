/** Where the configuration comes from at boot. */
import { readFile } from "node:fs/promises";
import { load } from "js-yaml";
import type { Logger } from "../border/log.js";
import { DEFAULT_CONFIGURATION, readConfiguration } from "../domain/configuration.js";
import type { Configuration } from "../protocol/configuration.js";

export interface BootConfiguration {
  readonly values: Readonly<Configuration>;
  /** Whether a seed file gave them. */
  readonly seeded: boolean;
}

/** A seed that can't be used is a warning, never an end: the values that are stored, or the defaults, do. */
export async function loadSeed(path: string | undefined, log: Logger): Promise<BootConfiguration> {
  if (path === undefined) return { values: DEFAULT_CONFIGURATION, seeded: false };
  try {
    const result = readConfiguration(load(await readFile(path, "utf8")));
    if (result.ok) {
      log.info({ path }, "read the configuration file");
      return { values: result.values, seeded: true };
    }
    log.warn({ path }, `the configuration file is not used: ${result.faults.join("; ")}`);
  } catch (error) {
    log.warn({ path }, `the configuration file is not used: ${(error as Error).message.split("\n")[0]}`);
  }
  return { values: DEFAULT_CONFIGURATION, seeded: false };
}
