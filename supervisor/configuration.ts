/**
 * The configuration of the running worker: a seed file and the defaults bring the stored entry into being, the stored entry is what
 * counts. A reload reads it again, and applies it whole or not at all.
 */

import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../border/log.js";
import {
  configurationSchema,
  DEFAULT_CONFIGURATION,
  readConfiguration,
  readConfigurationText,
  topologyChanges,
} from "../domain/configuration.js";
import type { PathBases } from "../domain/paths.js";
import type { EngineBus } from "../protocol/actors/services.js";
import { CONFIGURATION_ENTRY, type Configuration } from "../protocol/configuration.js";
import { DirectoryError } from "../protocol/errors.js";

export interface ConfigurationOptions {
  readonly bus: EngineBus;
  readonly log: Logger;
  /** `III_CONFIG_NAME`, else the usual id. */
  readonly entryId: string;
  readonly seedPath?: string | undefined;
  /** `III_COMPOSE_DIR`; undefined when it is unset or empty. */
  readonly composeDirectory?: string | undefined;
  readonly bases: PathBases;
  /** Injected by tests. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

const CALL_TIMEOUT_MS = 5_000;
const PAUSES_MS = [250, 500];
/** Codes that another attempt can't change. */
const DEFINITIVE = new Set(["NOT_FOUND", "function_not_found"]);

/** The code of the engine, read from the error and never from its text: a message may quote another code. */
function engineCode(error: unknown): string | undefined {
  if (!(error instanceof DirectoryError) || error.code !== "engine_error") return undefined;
  return (error.detail as { code?: string } | undefined)?.code;
}

export class ConfigurationKeeper {
  readonly #options: ConfigurationOptions;
  #boot: Configuration = DEFAULT_CONFIGURATION;
  #reloading: Promise<unknown> = Promise.resolve();
  #saidLegacy = false;

  constructor(options: ConfigurationOptions) {
    this.#options = options;
  }

  /** Brings the entry into being and reads it. Rejects when the configuration worker can't be used: the worker can't start then. */
  async boot(): Promise<Configuration> {
    const { log } = this.#options;
    await this.#ensure(await this.#seed());
    this.#boot = await this.#fetch();
    const { skills_folder, local_skills_folder, agents_folder, agents_skills_folder } = this.#boot;
    const { registry_url, filter_unregistered, auto_download, function_search_mode } = this.#boot;
    log.info(
      {
        skills_folder,
        local_skills_folder,
        agents_folder,
        agents_skills_folder,
        registry_url,
        filter_unregistered,
        auto_download,
        function_search_mode,
      },
      "configuration loaded",
    );
    return this.#boot;
  }

  /**
   * Reads the entry again and hands it to `apply`; undefined when it was refused or couldn't be read, and then nothing has changed.
   * Fetch and apply of one reload go before those of the next: two answers can't overtake each other.
   */
  reload(apply: (values: Configuration) => void): Promise<Configuration | undefined> {
    const reload = this.#reloading.then(() => this.#reload(apply));
    this.#reloading = reload;
    return reload;
  }

  async #reload(apply: (values: Configuration) => void): Promise<Configuration | undefined> {
    const { log, bases } = this.#options;
    let values: Configuration;
    try {
      values = await this.#fetch();
    } catch (error) {
      log.error(`the configuration could not be read again, the old one stays: ${(error as Error).message}`);
      return undefined;
    }
    const changes = topologyChanges(this.#boot, values, bases);
    if (changes.length > 0) {
      log.warn({ fields: changes }, `the new configuration is not applied: restart the worker to change ${changes.join(", ")}`);
      return undefined;
    }
    apply(values);
    log.info("configuration reloaded, caches cleared");
    return values;
  }

  async #seed(): Promise<Configuration | undefined> {
    const { seedPath, log, composeDirectory } = this.#options;
    if (seedPath === undefined) return undefined;
    try {
      const result = readConfigurationText(await readFile(seedPath, "utf8"), composeDirectory);
      if (result.ok) {
        log.info({ path: seedPath }, "read the seed of the configuration");
        return result.values;
      }
      log.warn({ path: seedPath }, `the seed is not used, the stored entry counts: ${result.faults.join("; ")}`);
    } catch (error) {
      const [line] = (error as Error).message.split("\n");
      log.warn({ path: seedPath }, `the seed is not used, the stored entry counts: ${line}`);
    }
    return undefined;
  }

  async #ensure(seed: Configuration | undefined): Promise<void> {
    const { entryId, composeDirectory, log } = this.#options;
    const { name, description, metadata } = CONFIGURATION_ENTRY;
    const entry = { id: entryId, name, description, metadata, schema: configurationSchema(composeDirectory) };
    const defaults = readConfiguration({}, composeDirectory);
    const initial_value = seed ?? (defaults.ok ? defaults.values : DEFAULT_CONFIGURATION);
    try {
      await this.#ask("configuration::ensure", { ...entry, initial_value });
      return;
    } catch (error) {
      if (engineCode(error) !== "function_not_found") throw error;
    }
    if (!this.#saidLegacy)
      log.debug(
        { id: entryId },
        "this engine has no configuration::ensure: two workers that start at once may both write the entry",
      );
    this.#saidLegacy = true;
    // A stored value is never sent back: that could make a template permanent or undo an edit of the same moment.
    const isStored = await this.#isStored(entryId);
    await this.#ask("configuration::register", isStored ? entry : { ...entry, initial_value });
  }

  async #isStored(id: string): Promise<boolean> {
    try {
      const { value } = (await this.#ask("configuration::get", { id, raw: true })) as { value?: unknown };
      return value !== null && value !== undefined;
    } catch (error) {
      if (engineCode(error) === "NOT_FOUND") return false;
      throw error;
    }
  }

  async #fetch(): Promise<Configuration> {
    const { entryId, composeDirectory, log } = this.#options;
    const { value } = ((await this.#ask("configuration::get", { id: entryId })) ?? {}) as { value?: unknown };
    if (value === null || value === undefined) log.info({ id: entryId }, "nothing is stored, the defaults are in use");
    const result = readConfiguration(value, composeDirectory);
    if (result.ok) return result.values;
    throw new DirectoryError("invalid_request", `the stored configuration ${entryId} is not valid: ${result.faults.join("; ")}`);
  }

  async #ask(functionId: string, payload: object): Promise<unknown> {
    const { bus, log, pause = sleep } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        const context = { requestId: "configuration", deadline: Date.now() + CALL_TIMEOUT_MS };
        return await bus.call({ functionId, payload, timeoutMs: CALL_TIMEOUT_MS }, context);
      } catch (error) {
        const code = engineCode(error);
        if (code !== undefined && DEFINITIVE.has(code)) throw error;
        const wait = PAUSES_MS[attempt - 1];
        const { message } = error as Error;
        if (wait === undefined) {
          throw new DirectoryError("engine_error", `${functionId} failed ${attempt} times: ${message}`, { code });
        }
        log.warn({ function: functionId, attempt, code }, `${functionId} failed, trying again`);
        await pause(wait);
      }
    }
  }
}
