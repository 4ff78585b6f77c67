/** `iii-directory serve`: the worker itself, in this process, until it is told to stop. */
import { type Command, Option } from "commander";
import type { EngineMode } from "../supervisor/main.js";
import { CommandError, UsageError } from "./errors.js";
import { printManifest } from "./manifest.js";
import { DEFAULT_PORT, portOf } from "./port.js";

export interface ServeOptions {
  readonly config?: string;
  readonly url?: string;
  readonly manifest?: boolean;
  readonly engine: EngineMode;
  readonly port?: string;
}

/** What a parent process that started this one is told when the worker is ready. */
export interface ReadyMessage {
  readonly ready: true;
  readonly url: string;
  readonly embedded: boolean;
}

export function addServeCommand(program: Command): void {
  program
    .command("serve", { isDefault: true })
    .description("run the directory worker (the default command)")
    .option("--config <path>", "YAML file of settings")
    .option("--url <url>", "address of the engine; else III_URL, else ws://127.0.0.1:49134")
    .option("--manifest", "print the manifest and exit")
    .addOption(new Option("--engine <which>", "which engine to use").choices(["auto", "embedded", "external"]).default("external"))
    .option("--port <number>", `port of the embedded engine; else ${DEFAULT_PORT}; 0 takes a free one`)
    .action((options: ServeOptions) => (options.manifest === true ? printManifest() : serve(options)));
}

async function serve({ config, url, engine, port }: ServeOptions): Promise<void> {
  if (port !== undefined && (engine === "external" || url !== undefined)) {
    throw new UsageError("--port belongs to the embedded engine; the address of another one is given with --url");
  }
  const embedded = port === undefined ? {} : { port: portOf(port) };
  keepStandardOutput();
  // Copying every payload into a trace costs more than most answers, and needs of users don't belong there. Set it to 0 to have them.
  process.env["III_DISABLE_TRACE_PAYLOADS"] ??= "1";
  let stopping = false;
  let stop: () => Promise<void> = async () => {};
  const end = async (code: number): Promise<void> => {
    // A second signal ends at once: somebody is in a hurry.
    if (stopping) process.exit(code);
    stopping = true;
    await stop();
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));
  // Whoever started this process with a channel and died can't stop it any more.
  process.once("disconnect", () => void end(0));
  process.channel?.unref();
  // Loaded only here: the SDK is most of what this program weighs, and the other commands do without it.
  const { startWorker } = await import("../supervisor/main.js");
  const worker = await startWorker({ mode: engine, url, configPath: config, ...embedded, onFatal: () => void end(1) }).catch(
    (error: unknown) => {
      throw new CommandError(error instanceof Error ? error.message : String(error));
    },
  );
  stop = worker.stop;
  process.stdout.write(`iii-directory ${worker.version} is ready on ${worker.url}${worker.embedded ? " (embedded engine)" : ""}\n`);
  process.send?.({ ready: true, url: worker.url, embedded: worker.embedded } satisfies ReadyMessage);
}

/** The SDK prints what it does on standard output; only our own lines belong there. */
function keepStandardOutput(): void {
  console.log = () => {};
  console.debug = () => {};
}
