/**
 * System prompts and command prompts as they are on disk at the moment of a call. Both live below the skills roots, each under a path
 * segment of its own, and follow the same rules of merging; their names are two separate spaces.
 */
import { basename, join } from "node:path";
import { nameFault } from "../../domain/content-name.js";
import { type ContentKind, kindOfPath } from "../../domain/content-path.js";
import { type PromptText, readPrompt } from "../../domain/prompt-text.js";
import { firstSegment } from "../../domain/skill-id.js";
import { InvalidContent } from "../../domain/strict-fields.js";
import { compareBytes } from "../../domain/text.js";
import type { ContentFault } from "../../protocol/actors/fs.js";
import { DirectoryError } from "../../protocol/errors.js";
import { FileCache, type FileFacts } from "./file-cache.js";
import { isMarkerOnly } from "./markers.js";
import { OversizedHead, readTextOrHead } from "./oversized.js";
import { type ContentRoots, isProfilePlace } from "./roots.js";
import { SharedScan } from "./shared-scan.js";
import { type FoundFile, walkMarkdown } from "./walk.js";

export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly facts: FileFacts;
  readonly body: string;
  readonly text: string;
  /** Why `get` can't serve it, though it is listed. */
  readonly error?: DirectoryError;
}

export interface PromptView {
  /** In byte order of the names, each name once. */
  readonly prompts: readonly Prompt[];
  readonly byName: ReadonlyMap<string, Prompt>;
  readonly faults: readonly ContentFault[];
  /** Folders directly below the local root: each hides the global one of its name. */
  readonly localNamespaces: ReadonlySet<string>;
}

interface ParsedPrompt {
  readonly prompt?: PromptText;
  readonly text: string;
  readonly error?: DirectoryError;
  /** Why the file is left out. */
  readonly reason?: string;
}

interface Candidate extends FoundFile {
  readonly root: string;
}

const CONCURRENCY = 32;

export class PromptLibrary {
  readonly #roots: ContentRoots;
  readonly #kind: ContentKind;
  readonly #cache = new FileCache<ParsedPrompt>(parsePrompt, readTextOrHead);
  readonly #scan = new SharedScan(() => this.#read());
  #faults: readonly ContentFault[] = [];

  constructor(roots: ContentRoots, kind: "system-prompt" | "command-prompt") {
    this.#roots = roots;
    this.#kind = kind;
  }

  /** What was left out at the last look. */
  get faults(): readonly ContentFault[] {
    return this.#faults;
  }

  view(): Promise<PromptView> {
    return this.#scan.run();
  }

  async #read(): Promise<PromptView> {
    const { local, global } = this.#roots;
    const [own, shared] = await Promise.all([walkMarkdown(local), walkMarkdown(global)]);
    const localNamespaces = await namespaces(local, own.folders);
    const isHidden = ({ relativePath }: FoundFile): boolean =>
      relativePath.includes("/") && localNamespaces.has(firstSegment(relativePath));
    const found = [
      ...own.files.map((file) => ({ ...file, root: local })),
      ...shared.files.filter((file) => !isHidden(file)).map((file) => ({ ...file, root: global })),
    ].filter(({ relativePath, path, root }) => kindOfPath(relativePath) === this.#kind && !isProfilePlace(path, this.#roots, root));
    // Where the roots lie inside each other a file is found twice.
    const paths = new Set<string>();
    const candidates = found.filter(({ path }) => !paths.has(path) && paths.add(path));
    this.#cache.keepOnly(paths);
    return { ...(await this.#serve(candidates)), localNamespaces };
  }

  /** The first of a name is served: local before global, then in the order of the walk. */
  async #serve(candidates: readonly Candidate[]): Promise<Omit<PromptView, "localNamespaces">> {
    const byName = new Map<string, Prompt & { readonly root: string }>();
    const faults: ContentFault[] = [];
    for (const { file, facts, parsed } of await this.#lookAtAll(candidates)) {
      if (facts === undefined) continue;
      const skip = (reason: string): void => void faults.push({ path: file.path, kind: "skipped", reason });
      const { prompt, text, error, reason } = parsed;
      if (prompt === undefined) {
        skip(reason ?? "it can't be read");
        continue;
      }
      const name = prompt.name ?? stemOf(file.path);
      const fault = nameFault(name);
      const first = byName.get(name);
      if (fault !== undefined) skip(`invalid prompt name ${JSON.stringify(name)}: it ${fault}`);
      else if (first === undefined) {
        const { description, body } = prompt;
        byName.set(name, {
          name,
          description,
          path: file.path,
          root: file.root,
          facts,
          body,
          text,
          ...(error === undefined ? {} : { error }),
        });
      } else if (first.root === file.root) skip(`duplicate name ${JSON.stringify(name)}: ${first.path} is served`);
    }
    this.#faults = faults;
    const prompts = [...byName.values()].sort((left, right) => compareBytes(left.name, right.name));
    return { prompts, byName, faults };
  }

  async #lookAtAll(candidates: readonly Candidate[]) {
    const looks: { file: Candidate; facts: FileFacts | undefined; parsed: ParsedPrompt }[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < candidates.length; at = next++) {
        const file = candidates[at];
        if (file !== undefined) looks[at] = { file, ...(await this.#cache.look(file.path)) };
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, candidates.length) }, worker));
    return looks;
  }
}

export function stemOf(path: string): string {
  return basename(path, ".md");
}

/** A folder that holds nothing but the marker of a download is no namespace. */
async function namespaces(root: string, folders: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await Promise.all(folders.map(async (name) => ((await isMarkerOnly(join(root, name))) ? [] : [name])));
  return new Set(found.flat());
}

function parsePrompt(path: string, source: string | Error): ParsedPrompt {
  if (source instanceof Error && !(source instanceof OversizedHead)) return { text: "", reason: source.message };
  const text = typeof source === "string" ? source : source.head;
  try {
    const prompt = readPrompt(text);
    if (typeof source !== "string") return { prompt: { ...prompt, body: "" }, text: "", error: source.refusal };
    const error = prompt.body.replaceAll("\n", "") === "" ? emptyBody(path) : undefined;
    return { prompt, text, ...(error === undefined ? {} : { error }) };
  } catch (error) {
    if (!(error instanceof InvalidContent)) throw error;
    return { text: "", reason: error.message };
  }
}

function emptyBody(path: string): DirectoryError {
  return new DirectoryError("invalid_request", `${path} has an empty body: there is nothing behind its frontmatter`);
}
