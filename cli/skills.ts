/** `iii-directory skills`: what agents may read, and how it is written. */
import type { Command } from "commander";
import type { SkillDocument, SkillIndex, SkillRow, WrittenSkill } from "../protocol/functions/skills.js";
import { contentOf } from "./content-file.js";
import { type FamilyOptions, line, show, withFamilyOptions } from "./family-call.js";
import { table } from "./table.js";

const FAMILY = "directory::skills";
const FILE = "markdown file; - reads standard input";

interface ListOptions extends FamilyOptions {
  readonly search?: string;
  readonly prefix?: string;
  readonly type?: string;
}

export function addSkillsCommand(program: Command): void {
  const skills = program.command("skills").description("list, read and write skills").exitOverride();
  withFamilyOptions(skills.command("list").description("list the skills"))
    .option("--search <text>", "part of id, title or description")
    .option("--prefix <text>", "how the id begins")
    .option("--type <type>", "type of the skill")
    .action(({ search, prefix, type, ...options }: ListOptions) =>
      show<{ skills: SkillRow[] }>(`${FAMILY}::list`, { search, prefix, type }, options, (answer) => rows(answer.skills)),
    );
  withFamilyOptions(skills.command("get").description("print a skill").argument("<id>"))
    .option("--raw", "print the file as it is, with its frontmatter")
    .action((id: string, { raw = false, ...options }: FamilyOptions & { readonly raw?: boolean }) =>
      show<SkillDocument>(`${FAMILY}::get`, { id, raw }, options, (answer) => line(raw ? (answer.raw ?? "") : answer.body)),
    );
  withFamilyOptions(skills.command("index").description("print an overview of the installed workers")).action(
    (options: FamilyOptions) => show<SkillIndex>(`${FAMILY}::index`, {}, options, ({ body }) => line(body)),
  );
  for (const verb of ["create", "update"] as const) {
    withFamilyOptions(skills.command(verb).description(`${verb} a skill from a file`))
      .argument("<id>")
      .argument("<file>", FILE)
      .action((id: string, file: string, options: FamilyOptions) =>
        show<WrittenSkill>(`${FAMILY}::${verb}`, { id, content: contentOf(file) }, options, (written) => {
          return `${written.id}: ${written.bytes} bytes\n`;
        }),
      );
  }
  withFamilyOptions(skills.command("delete").description("delete the file of a skill").argument("<id>")).action(
    (id: string, options: FamilyOptions) =>
      show<{ id: string }>(`${FAMILY}::delete`, { id }, options, (removed) => `${removed.id} is deleted\n`),
  );
}

function rows(skills: readonly SkillRow[]): string {
  if (skills.length === 0) return "There is no skill that fits.\n";
  const shown = skills.map(({ id, type, bytes, title, description }) => [id, type ?? "", String(bytes), title, description]);
  return `${table(["id", "type", "bytes", "title", "description"], shown)}\n`;
}
