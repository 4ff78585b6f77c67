/** `iii-directory agents`: profiles, and the functions that are put before their sessions. */
import type { Command } from "commander";
import type { AgentDocument, AgentRow, EditedFunctions, WrittenAgent } from "../protocol/functions/agents.js";
import { contentOf } from "./content-file.js";
import { type FamilyOptions, line, show, withFamilyOptions } from "./family-call.js";
import { table } from "./table.js";

const FAMILY = "directory::agents";
const FILE = "markdown file with a name in its frontmatter; - reads standard input";

export function addAgentsCommand(program: Command): void {
  const agents = program.command("agents").description("list, read and write agent profiles").exitOverride();
  withFamilyOptions(agents.command("list").description("list the profiles")).action((options: FamilyOptions) =>
    show<{ agents: AgentRow[] }>(`${FAMILY}::list`, {}, options, (answer) => rows(answer.agents)),
  );
  withFamilyOptions(
    agents.command("get").description("print the system prompt of a profile, with what it inherits").argument("<id>"),
  )
    .option("--raw", "print the profile's own file instead")
    .action(async (id: string, options: FamilyOptions & { readonly raw?: boolean }) => {
      await show<AgentDocument>(`${FAMILY}::get`, options.raw === true ? { id, raw: true } : { id }, options, (answer) => {
        for (const warning of warnings(answer)) console.error(warning);
        return line(answer.raw ?? answer.system_prompt);
      });
    });
  for (const verb of ["create", "update"] as const) {
    withFamilyOptions(agents.command(verb).description(`${verb} a profile from a file`))
      .argument("<id>")
      .argument("<file>", FILE)
      .action((id: string, file: string, options: FamilyOptions) =>
        show<WrittenAgent>(`${FAMILY}::${verb}`, { id, content: contentOf(file) }, options, (written) => {
          return `${written.id}: ${written.bytes} bytes\n`;
        }),
      );
  }
  withFamilyOptions(agents.command("delete").description("delete the file of a profile").argument("<id>")).action(
    (id: string, options: FamilyOptions) =>
      show<{ id: string }>(`${FAMILY}::delete`, { id }, options, (removed) => `${removed.id} is deleted\n`),
  );
  const functions = agents
    .command("functions")
    .description("change the list of functions of a profile, and nothing else of its file");
  for (const verb of ["add", "remove"] as const) {
    withFamilyOptions(functions.command(verb).description(`${verb} functions`))
      .argument("<id>")
      .argument("<function...>", "ids of functions")
      .action((id: string, ids: string[], options: FamilyOptions) =>
        show<EditedFunctions>(`${FAMILY}::functions::${verb}`, { id, functions: ids }, options, edited),
      );
  }
}

function rows(agents: readonly AgentRow[]): string {
  const shown = agents.map(
    ({ id, builtin, extends: parent, skill_count, function_count, model, description, inheritance_error }) => [
      id,
      builtin ? "bundled" : "file",
      parent ?? "",
      String(skill_count ?? 0),
      String(function_count),
      model ?? "",
      inheritance_error ?? description,
    ],
  );
  return `${table(["id", "from", "extends", "skills", "functions", "model", "description"], shown)}\n`;
}

function warnings({ inheritance_error, unknown_skills, unknown_functions }: AgentDocument): string[] {
  return [
    ...(inheritance_error === undefined ? [] : [inheritance_error]),
    ...(unknown_skills.length === 0 ? [] : [`unknown skills: ${unknown_skills.join(", ")}`]),
    ...(unknown_functions.length === 0 ? [] : [`unknown functions: ${unknown_functions.join(", ")}`]),
  ];
}

function edited({ id, functions, added, removed, unchanged }: EditedFunctions): string {
  const change = unchanged
    ? "nothing had to change"
    : [...added.map((name) => `+ ${name}`), ...removed.map((name) => `- ${name}`)].join("\n");
  return `${change}\n${id} has ${functions.length} functions of its own\n`;
}
