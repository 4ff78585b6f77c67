/** `iii-directory engine`: the embedded engine alone, for workers of one's own on one machine. */
import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { CommandError } from "./errors.js";
import { DEFAULT_PORT, portOf } from "./port.js";

interface EngineCommandOptions {
  readonly port: string;
  readonly generation: "0.22" | "0.23";
  readonly configDir?: string;
}

export function addEngineCommand(program: Command): void {
  program
    .command("engine")
    .description("run the embedded engine alone")
    .option("--port <number>", "port on 127.0.0.1; 0 takes a free one", DEFAULT_PORT)
    .addOption(new Option("--generation <version>", "whose rules apply").choices(["0.22", "0.23"]).default("0.23"))
    .option("--config-dir <folder>", "where configuration values are kept; else data/configuration in the working folder")
    .action((options: EngineCommandOptions) => runEngine(options));
}

async function runEngine({ port, generation, configDir }: EngineCommandOptions): Promise<void> {
  const base = process.env["III_COMPOSE_DIR"]?.trim() || process.cwd();
  const options = {
    port: portOf(port),
    generation,
    configurationDirectory: configDir === undefined ? resolve(base, join("data", "configuration")) : resolve(configDir),
  };
  const { startEngineOnly } = await import("../supervisor/main.js");
  const engine = await startEngineOnly(options).catch((error: unknown) => {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  });
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      // A second signal ends at once: somebody is in a hurry.
      if (isStopping) process.exit(0);
      isStopping = true;
      void engine.stop().finally(() => process.exit(0));
    });
  }
  process.stdout.write(`The embedded engine (generation ${generation}) listens on ${engine.url}\n`);
}
