/** `directory::system-prompts::*`. */
import { join } from "node:path";
import { checkName, nameFault } from "../../domain/content-name.js";
import { nearest } from "../../domain/nearest.js";
import { type PromptText, readPrompt } from "../../domain/prompt-text.js";
import { invalidInput, type NextStep, notFound } from "../../domain/refusal.js";
import { InvalidContent } from "../../domain/strict-fields.js";
import { compareBytes } from "../../domain/text.js";
import { wellFormed } from "../../domain/well-formed.js";
import { DirectoryError } from "../../protocol/errors.js";
import type {
  GetSystemPromptRequest,
  SystemPromptDocument,
  SystemPromptRow,
  WriteSystemPromptRequest,
  WrittenSystemPrompt,
} from "../../protocol/functions/system-prompts.js";
import type { BundledPrompt } from "./bundled.js";
import type { FileFacts } from "./file-cache.js";
import { type Prompt, type PromptLibrary, type PromptView, stemOf } from "./prompt-library.js";
import { below, type ContentRoots } from "./roots.js";
import { checkContent } from "./skill-writing.js";
import { type Store, TargetTaken, takenSpelling } from "./store.js";
import { Turns } from "./turns.js";

export interface SystemPromptsSetting {
  readonly library: PromptLibrary;
  readonly bundled: readonly BundledPrompt[];
  readonly roots: ContentRoots;
  readonly store: Store;
}

const FOLDER = "system-prompts";
const SUGGESTIONS = 3;
const LIST: NextStep = ["directory::system-prompts::list", "see what there is"];
const UPDATE: NextStep = ["directory::system-prompts::update", "change it"];

export class SystemPrompts {
  readonly #setting: SystemPromptsSetting;
  readonly #bundled: ReadonlyMap<string, BundledPrompt>;
  /** Names are taken and given up by writes, so writes decide one after another. */
  readonly #turns = new Turns();

  constructor(setting: SystemPromptsSetting) {
    this.#setting = setting;
    this.#bundled = new Map(setting.bundled.map((prompt) => [prompt.name, prompt]));
  }

  async list(): Promise<SystemPromptRow[]> {
    const { prompts, byName } = await this.#setting.library.view();
    const rows: SystemPromptRow[] = prompts.map(({ name, description, facts }) => ({
      name,
      description,
      modified_at: facts.modifiedAt,
      builtin: false,
    }));
    for (const { name, description } of this.#setting.bundled) {
      if (!byName.has(name)) rows.push({ name, description, modified_at: "", builtin: true });
    }
    return rows.sort((left, right) => compareBytes(left.name, right.name)).map(wellFormed);
  }

  async get({ name, raw }: GetSystemPromptRequest): Promise<SystemPromptDocument> {
    checkName("system prompt name", name);
    const view = await this.#setting.library.view();
    const served = view.byName.get(name);
    if (served?.error !== undefined) throw served.error;
    const source = served ?? this.#bundled.get(name);
    if (source === undefined) throw this.#missing(name, view);
    const { description, body, text } = source;
    return wellFormed({
      name,
      description,
      body,
      modified_at: served?.facts.modifiedAt ?? "",
      builtin: served === undefined,
      ...(raw === true ? { raw: text } : {}),
    });
  }

  create({ name, content }: WriteSystemPromptRequest): Promise<WrittenSystemPrompt> {
    checkName("system prompt name", name);
    return this.#turns.take(async () => {
      const view = await this.#setting.library.view();
      if (view.byName.has(name)) throw taken(`system prompt "${name}" already exists`);
      return this.#createFile(name, content, view);
    });
  }

  update({ name, content }: WriteSystemPromptRequest): Promise<WrittenSystemPrompt> {
    checkName("system prompt name", name);
    return this.#turns.take(async () => {
      const view = await this.#setting.library.view();
      const served = view.byName.get(name);
      if (served !== undefined) return this.#replaceFile(served, content, view);
      if (this.#bundled.has(name)) return this.#createFile(name, content, view);
      throw this.#missing(name, view);
    });
  }

  delete(name: string): Promise<string> {
    checkName("system prompt name", name);
    return this.#turns.take(async () => {
      const view = await this.#setting.library.view();
      const served = view.byName.get(name);
      if (served === undefined) throw this.#missing(name, view);
      const { store, roots } = this.#setting;
      // An empty folder in the local root would go on hiding the global one of its name.
      await store.remove(served.path, [roots.local]);
      return name;
    });
  }

  async #createFile(name: string, content: string, view: PromptView): Promise<WrittenSystemPrompt> {
    const { store, roots } = this.#setting;
    const path = join(roots.global, FOLDER, `${name}.md`);
    if (await takenSpelling(path)) throw occupied(name, path, view);
    if (isHidden(path, roots, view)) {
      throw taken(
        `system prompt "${name}" would be hidden, because ${join(roots.local, FOLDER)} hides the whole folder that it would be written to`,
      );
    }
    const prompt = checkedPrompt(content);
    if (prompt.name !== undefined && prompt.name !== name) {
      throw invalidInput("D213", `the frontmatter declares the name ${JSON.stringify(prompt.name)}, which is not "${name}"`);
    }
    try {
      return written(name, prompt, await store.create(path, content));
    } catch (error) {
      if (error instanceof TargetTaken) throw occupied(name, path, view);
      throw error;
    }
  }

  /** Wherever the file lives it stays there, under whatever name it is served then. */
  async #replaceFile(served: Prompt, content: string, view: PromptView): Promise<WrittenSystemPrompt> {
    const prompt = checkedPrompt(content);
    const name = prompt.name ?? stemOf(served.path);
    const fault = nameFault(name);
    if (fault !== undefined) throw invalidInput("D213", `invalid prompt name ${JSON.stringify(name)}: it ${fault}`);
    if (name !== served.name && view.byName.has(name)) {
      throw taken(`system prompt "${name}" already exists, so "${served.name}" can't be renamed to it`);
    }
    return written(name, prompt, await this.#setting.store.replace(served.path, content));
  }

  #missing(name: string, { prompts }: PromptView): DirectoryError {
    const names = [...new Set([...prompts.map((prompt) => prompt.name), ...this.#bundled.keys()])].sort(compareBytes);
    if (this.#bundled.has(name)) {
      return new DirectoryError(
        "D210",
        `not_found: system prompt "${name}" has no file: it is bundled with the worker, so there is nothing to delete. Next: call ${LIST[0]} to ${LIST[1]}.`,
      );
    }
    return notFound("D210", "system prompt", name, nearest(name, names, SUGGESTIONS), [LIST]);
  }
}

/** Throws D113 or D213. */
function checkedPrompt(content: string): PromptText {
  checkContent(content);
  try {
    return readPrompt(content);
  } catch (error) {
    if (error instanceof InvalidContent) throw invalidInput("D213", error.message);
    throw error;
  }
}

function taken(problem: string): DirectoryError {
  return invalidInput("D214", problem, [UPDATE, LIST]);
}

function occupied(name: string, path: string, { prompts, faults }: PromptView): DirectoryError {
  const other = prompts.find((prompt) => prompt.path === path);
  const reason = faults.find((fault) => fault.path === path)?.reason;
  const state =
    other !== undefined
      ? `serves the system prompt "${other.name}"`
      : reason === undefined
        ? "is not served"
        : `is not served (${reason})`;
  return taken(`system prompt "${name}" can't be created: a file already exists at ${path} and ${state}`);
}

/** A create that reports success must be readable afterwards. */
function isHidden(path: string, { local }: ContentRoots, { localNamespaces }: PromptView): boolean {
  return localNamespaces.has(FOLDER) && below(local, path) === undefined;
}

function written(name: string, { description }: PromptText, { bytes, modifiedAt }: FileFacts): WrittenSystemPrompt {
  return wellFormed({ name, description, bytes, modified_at: modifiedAt });
}
