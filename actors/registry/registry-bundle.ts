/** A bundle of the registry, as it is sent: read, not yet judged. */
import type { BundleEntry } from "../../domain/bundle.js";
import { commandPromptFile, type StructuredPrompt } from "../../domain/command-prompt-file.js";
import type { Configuration } from "../../protocol/configuration.js";
import { DirectoryError } from "../../protocol/errors.js";
import { isMissing, notInRegistry, registryError } from "./registry-errors.js";
import { RegistryFailure } from "./registry-http.js";
import { type RegistrySettings, type VersionSpec, versionOf, type WorkersRegistry } from "./workers-registry.js";

export interface FetchedBundle {
  readonly entries: readonly BundleEntry[];
  /** Of what the registry has chosen, where it says so. */
  readonly version?: string;
}

/** Rejects with D310, with D320, or when the registry sends the bundle of another worker. */
export async function fetchRegistryBundle(
  registry: WorkersRegistry,
  worker: string,
  spec: VersionSpec,
  settings: RegistrySettings & Pick<Configuration, "download_command_prompts">,
): Promise<FetchedBundle> {
  const body = await registry.bundle(worker, spec, settings).catch((failure: unknown) => {
    throw isMissing(failure) ? notInRegistry(`${worker}@${versionOf(spec)}`) : registryError(failure);
  });
  const read = readBody(body, settings.download_command_prompts);
  if (read === undefined) throw registryError(new RegistryFailure("undecodable"));
  if (read.name !== undefined && read.name !== worker) {
    throw new DirectoryError(
      "invalid_request",
      `the registry has sent the skills of ${JSON.stringify(read.name)} instead of ${worker}`,
    );
  }
  return read;
}

function readBody(body: unknown, withPrompts: boolean): (FetchedBundle & { readonly name?: string }) | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const { name, version, skills = [], prompts } = body as Readonly<Record<string, unknown>>;
  if (!Array.isArray(skills) || (name != null && typeof name !== "string")) return undefined;
  const entries: BundleEntry[] = [];
  for (const skill of skills as unknown[]) {
    const { path, content } = (skill ?? {}) as { path?: unknown; content?: unknown };
    if (typeof path !== "string" || typeof content !== "string") return undefined;
    if (!content.isWellFormed()) {
      throw new DirectoryError(
        "D311",
        `invalid_input: the bundle is refused, nothing was written: ${JSON.stringify(path)} holds half a character.`,
      );
    }
    entries.push({ path, content: new TextEncoder().encode(content) });
  }
  if (withPrompts && Array.isArray(prompts)) entries.push(...prompts.map(promptEntry));
  return { entries, ...(typeof name === "string" ? { name } : {}), ...(typeof version === "string" ? { version } : {}) };
}

/** Prompts that come as data are files like the others. Throws D311. */
function promptEntry(prompt: unknown): BundleEntry {
  try {
    const given = prompt as StructuredPrompt;
    return { path: `prompts/${given.name}.md`, content: new TextEncoder().encode(commandPromptFile(given)) };
  } catch (error) {
    throw new DirectoryError("D311", `invalid_input: the bundle is refused, nothing was written: ${(error as Error).message}.`);
  }
}
