#!/usr/bin/env node
/** The command line. Exit codes: 0 done, 1 it failed, 2 it was typed wrongly. */
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { addAgentsCommand } from "./agents.js";
import { addCallCommand } from "./call.js";
import { addDownloadCommand } from "./download.js";
import { addEngineCommand } from "./engine.js";
import { CommandError } from "./errors.js";
import { packageFile } from "./package.js";
import { addPromptsCommand } from "./prompts.js";
import { addRegistryCommand } from "./registry.js";
import { addSearchCommand } from "./search.js";
import { addServeCommand } from "./serve.js";
import { addSkillsCommand } from "./skills.js";
import { addStartCommand } from "./start.js";

const { version } = JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as { version: string };

const program = new Command("iii-directory")
  .description("The directory an agent asks: which functions exist for a need, how to call them, which skill covers the task.")
  .version(version)
  // Behind a command, --version is one of its own.
  .enablePositionalOptions()
  .showHelpAfterError("(see iii-directory --help)");
addServeCommand(program);
addStartCommand(program);
addSearchCommand(program);
addCallCommand(program);
addSkillsCommand(program);
addPromptsCommand(program);
addAgentsCommand(program);
addDownloadCommand(program);
addRegistryCommand(program);
addEngineCommand(program);
for (const command of [program, ...program.commands]) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(error instanceof Error ? error.message : String(error));
  return error instanceof CommandError ? error.exitCode : 1;
}
