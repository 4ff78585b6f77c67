/** `iii-directory search`: asks the directory as an agent would, and shows the candidates as a table. */
import type { Command } from "commander";
import type { SearchFunctionsResponse } from "../protocol/functions/search.js";
import { withEngine } from "./engine-client.js";
import { whileWaiting } from "./progress.js";
import { table } from "./table.js";

export function addSearchCommand(program: Command): void {
  program
    .command("search")
    .description("find functions, skills and triggers for what you need")
    .argument("<capability...>", "one need each, in words")
    .option("--json", "print the answer as it is")
    .option("--url <url>", "address of the engine")
    .action(async (capabilities: string[], options: { json?: boolean; url?: string }) => {
      const answer = (await whileWaiting("searching", () =>
        withEngine({ url: options.url }, (client) =>
          client.call("directory::search_functions", { capabilities }, { timeoutMs: 30_000, idempotent: true }),
        ),
      )) as SearchFunctionsResponse;
      console.log(options.json === true ? JSON.stringify(answer, null, 2) : readable(answer));
    });
}

/** Sections that an answer may have beside `workers`. */
interface Sections {
  readonly installable?: readonly {
    readonly name: string;
    readonly description: string;
    readonly functions: readonly FunctionRow[];
  }[];
  readonly skills?: readonly { readonly id: string; readonly title: string; readonly description: string }[];
  readonly triggers?: readonly { readonly id: string; readonly trigger_type: string; readonly function_id: string }[];
}

interface FunctionRow {
  readonly function_id: string;
  readonly description: string;
}

function readable(answer: SearchFunctionsResponse): string {
  const { installable = [], skills = [], triggers = [] } = answer as Sections;
  const functions = answer.workers.flatMap((worker) => worker.functions);
  const parts = [functions.length === 0 ? "No function fits." : table(["function", "what it does"], functions.map(pair))];
  if (installable.length > 0) {
    const rows = installable.flatMap(({ name, functions }) => functions.map((row) => [name, ...pair(row)]));
    parts.push(`Could be installed:\n${table(["worker", "function", "what it does"], rows)}`);
  }
  if (skills.length > 0)
    parts.push(
      `Skills:\n${table(
        ["skill", "about"],
        skills.map(({ id, title, description }) => [id, description || title]),
      )}`,
    );
  if (triggers.length > 0) {
    parts.push(
      `Triggers:\n${table(
        ["type", "runs", "id"],
        triggers.map((row) => [row.trigger_type, row.function_id, row.id]),
      )}`,
    );
  }
  parts.push(`${functions.length} functions, ${answer.search_mode} search, ${answer.latency_ms.toFixed(1)} ms`);
  return parts.join("\n\n");
}

function pair({ function_id, description }: FunctionRow): [string, string] {
  return [function_id, description];
}
