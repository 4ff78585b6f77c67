/** `iii-directory registry`: workers that could be installed. */
import type { Command } from "commander";
import type { ListWorkersResponse, WorkerInfoResponse } from "../protocol/functions/registry.js";
import { type FamilyOptions, line, show, withFamilyOptions } from "./family-call.js";
import { whileWaiting } from "./progress.js";
import { table } from "./table.js";

const FAMILY = "directory::registry::workers";

interface InfoOptions extends FamilyOptions {
  readonly version?: string;
  readonly tag?: string;
  readonly readme?: boolean;
}

export function addRegistryCommand(program: Command): void {
  const registry = program.command("registry").description("look at workers that could be installed").exitOverride();
  withFamilyOptions(registry.command("list").description("list workers, the most downloaded first").argument("[words...]"))
    .option("--cursor <cursor>", "of the next page")
    .action((words: string[], { cursor, ...options }: FamilyOptions & { readonly cursor?: string }) =>
      whileWaiting("asking the registry", () =>
        show<ListWorkersResponse>(`${FAMILY}::list`, { search: words.join(" "), cursor: cursor ?? null }, options, page),
      ),
    );
  withFamilyOptions(registry.command("info").description("show the card of a worker").argument("<name>"))
    .option("--version <version>", "exact version")
    .option("--tag <tag>", "tag, latest by default")
    .option("--readme", "its README too")
    .action((name: string, { version, tag, readme = false, ...options }: InfoOptions) =>
      whileWaiting("asking the registry", () =>
        show<WorkerInfoResponse>(`${FAMILY}::info`, { name, version, tag, readme }, options, card),
      ),
    );
}

function page({ workers, pagination }: ListWorkersResponse): string {
  if (workers.length === 0) return "The registry has no worker that fits.\n";
  const rows = workers.map(({ name, version, total_downloads, description }) => [
    name,
    version ?? "",
    String(total_downloads ?? 0),
    description ?? "",
  ]);
  const more = typeof pagination.next_cursor === "string" ? `\nmore: --cursor ${pagination.next_cursor}` : "";
  return `${table(["worker", "version", "downloads", "description"], rows)}${more}\n`;
}

function card({ worker, api_reference, skills_tree, readme }: WorkerInfoResponse): string {
  const lines = [`${worker.name} ${worker.version ?? ""}`.trim(), worker.description ?? ""];
  for (const { name, description } of api_reference.functions ?? []) lines.push(`  ${name}  ${description ?? ""}`);
  for (const { name, description } of api_reference.triggers ?? []) lines.push(`  on ${name}  ${description ?? ""}`);
  for (const { path } of skills_tree.skills ?? []) lines.push(`  skill ${path}`);
  if (typeof readme === "string") lines.push("", readme);
  return line(lines.join("\n"));
}
