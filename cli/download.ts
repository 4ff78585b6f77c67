/** `iii-directory download`: skills of a worker of the registry, or of a git repository. */
import type { Command } from "commander";
import type { DownloadResponse } from "../protocol/functions/downloads.js";
import { UsageError } from "./errors.js";
import { type FamilyOptions, show, withFamilyOptions } from "./family-call.js";
import { whileWaiting } from "./progress.js";

interface DownloadOptions extends FamilyOptions {
  readonly version?: string;
  readonly tag?: string;
  readonly skill?: string;
  readonly branch?: string;
}

export function addDownloadCommand(program: Command): void {
  withFamilyOptions(program.command("download").description("download skills from the registry or from git").exitOverride())
    .argument("<source>", "name of a worker of the registry, or address of a git repository")
    .option("--skill <name>", "folder below skills/ of the repository")
    .option("--branch <name>", "branch or tag of the repository")
    .option("--version <version>", "exact version of the worker, which nothing automatic changes afterwards")
    .option("--tag <tag>", "tag of the worker, latest by default")
    .action(async (source: string, { version, tag, skill, branch, ...options }: DownloadOptions) => {
      const isRepository = /^(?:[a-z+]+:\/\/|git@)/i.test(source);
      if (isRepository && skill === undefined) throw new UsageError("Say which folder of the repository: --skill NAME");
      const payload = isRepository ? { repo: source, skill, branch } : { worker: source, version, tag, skill, branch };
      await whileWaiting(`downloading from ${isRepository ? "git" : "the registry"}`, () =>
        show<DownloadResponse>("directory::skills::download", payload, options, summary),
      );
    });
}

function summary({
  namespace,
  skills_written: skills,
  system_prompts_written: prompts,
  agents_written: agents,
}: DownloadResponse): string {
  const parts = [
    ...skills.map((path) => `${namespace}/${path}`),
    ...prompts.map((name) => `system prompt ${name}`),
    ...agents.map((id) => `agent profile ${id}`),
  ];
  if (parts.length === 0) return `${namespace}: there was nothing in it for this directory\n`;
  return `${parts.join("\n")}\n`;
}
