/** `iii-directory prompts`: system prompts, and command prompts to look at. */
import type { Command } from "commander";
import type { PromptDocument, PromptRow } from "../protocol/functions/prompts.js";
import type { SystemPromptDocument, SystemPromptRow, WrittenSystemPrompt } from "../protocol/functions/system-prompts.js";
import { contentOf } from "./content-file.js";
import { type FamilyOptions, line, show, withFamilyOptions } from "./family-call.js";
import { table } from "./table.js";

const FAMILY = "directory::system-prompts";
const COMMANDS = "directory::prompts";
const FILE = "markdown file with a description in its frontmatter; - reads standard input";

interface ReadOptions extends FamilyOptions {
  readonly raw?: boolean;
  readonly commands?: boolean;
}

export function addPromptsCommand(program: Command): void {
  const prompts = program
    .command("prompts")
    .description("list, read and write system prompts; read command prompts")
    .exitOverride();
  withFamilyOptions(prompts.command("list").description("list the system prompts"))
    .option("--commands", "list the command prompts instead")
    .action((options: ReadOptions) =>
      options.commands === true
        ? show<{ prompts: PromptRow[] }>(`${COMMANDS}::list`, {}, options, (answer) => commandRows(answer.prompts))
        : show<{ prompts: SystemPromptRow[] }>(`${FAMILY}::list`, {}, options, (answer) => systemRows(answer.prompts)),
    );
  withFamilyOptions(prompts.command("get").description("print the text of a prompt").argument("<name>"))
    .option("--raw", "print the whole file, frontmatter included")
    .option("--commands", "look among the command prompts instead")
    .action((name: string, options: ReadOptions) =>
      options.commands === true
        ? show<PromptDocument>(`${COMMANDS}::get`, { name }, options, ({ body }) => line(body))
        : show<SystemPromptDocument>(`${FAMILY}::get`, readRequest(name, options), options, ({ raw, body }) => line(raw ?? body)),
    );
  for (const verb of ["create", "update"] as const) {
    withFamilyOptions(prompts.command(verb).description(`${verb} a system prompt from a file`))
      .argument("<name>")
      .argument("<file>", FILE)
      .action((name: string, file: string, options: FamilyOptions) =>
        show<WrittenSystemPrompt>(`${FAMILY}::${verb}`, { name, content: contentOf(file) }, options, (written) => {
          return `${written.name}: ${written.bytes} bytes\n`;
        }),
      );
  }
  withFamilyOptions(prompts.command("delete").description("delete the file of a system prompt").argument("<name>")).action(
    (name: string, options: FamilyOptions) =>
      show<{ name: string }>(`${FAMILY}::delete`, { name }, options, (removed) => `${removed.name} is deleted\n`),
  );
}

/** Only what is asked: `raw` doubles the answer. */
function readRequest(name: string, { raw }: ReadOptions): object {
  return raw === true ? { name, raw } : { name };
}

function systemRows(prompts: readonly SystemPromptRow[]): string {
  const rows = prompts.map(({ name, builtin, description }) => [name, builtin ? "bundled" : "file", description]);
  return `${table(["name", "from", "description"], rows)}\n`;
}

function commandRows(prompts: readonly PromptRow[]): string {
  if (prompts.length === 0) return "There are no command prompts.\n";
  return `${table(
    ["name", "description"],
    prompts.map(({ name, description }) => [name, description]),
  )}\n`;
}
