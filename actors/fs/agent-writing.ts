/** `directory::agents::create`, `update`, `delete` and the edits of the list of functions. */
import { join } from "node:path";
import { type AgentProfile, functionIdFault, readAgentProfile } from "../../domain/agent-profile.js";
import { checkName } from "../../domain/content-name.js";
import { RewriteRefused, rewriteFunctions } from "../../domain/functions-field.js";
import { invalidInput, type NextStep } from "../../domain/refusal.js";
import { InvalidContent } from "../../domain/strict-fields.js";
import { trimWhiteSpace } from "../../domain/text.js";
import { isWellFormed, wellFormed } from "../../domain/well-formed.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { AgentFunctionsRequest, EditedFunctions, WriteAgentRequest, WrittenAgent } from "../../protocol/functions/agents.js";
import type { Agent, AgentLibrary } from "./agent-library.js";
import { agentOf, LIST_AGENTS } from "./agent-reading.js";
import { type FileFacts, factsOf, MAX_FILE_BYTES } from "./file-cache.js";
import { FunctionsSpellings } from "./functions-spellings.js";
import { type Store, TargetTaken, takenSpelling } from "./store.js";
import { Turns } from "./turns.js";

export type FunctionsEdit = "add" | "remove";

const UPDATE: NextStep = ["directory::agents::update", "change it"];
/** Reads again when somebody else wrote between our look and our write. */
const ATTEMPTS = 3;

export class AgentWriting {
  readonly #library: AgentLibrary;
  readonly #store: Store;
  readonly #spellings = new FunctionsSpellings();
  /** A list is read, changed and written: two edits at once must both count. */
  readonly #turns = new Turns();

  constructor(library: AgentLibrary, store: Store) {
    this.#library = library;
    this.#store = store;
  }

  create({ id, content }: WriteAgentRequest): Promise<WrittenAgent> {
    checkName("agent profile id", id);
    return this.#turns.take(async () => {
      const file = (await this.#library.around(id)).byId.get(id)?.file;
      if (file !== undefined) {
        const isOwn = file.folder === this.#library.folders[0];
        throw taken(`agent profile "${id}" already exists${isOwn ? "" : " as a user-global profile"}`);
      }
      return this.#createFile(id, content);
    });
  }

  update({ id, content }: WriteAgentRequest): Promise<WrittenAgent> {
    checkName("agent profile id", id);
    return this.#turns.take(async () => {
      const { file } = agentOf(id, await this.#library.around(id));
      if (file === undefined) return this.#createFile(id, content);
      const profile = checkedProfile(content);
      return written(id, profile, await this.#store.replace(file.path, content));
    });
  }

  delete(id: string): Promise<string> {
    checkName("agent profile id", id);
    return this.#turns.take(async () => {
      const { file } = agentOf(id, await this.#library.around(id));
      if (file === undefined) {
        const problem = `agent profile "${id}" is bundled with the worker and has no file, so there is nothing to delete`;
        throw invalidInput("D414", problem, [UPDATE, LIST_AGENTS]);
      }
      await this.#store.remove(file.path, []);
      return id;
    });
  }

  editFunctions({ id, functions }: AgentFunctionsRequest, edit: FunctionsEdit): Promise<EditedFunctions> {
    checkName("agent profile id", id);
    const wanted = checkedFunctions(functions);
    return this.#turns.take(async () => {
      for (let attempt = 1; ; attempt++) {
        const done = await this.#edit(id, wanted, edit);
        if (done !== undefined) return done;
        if (attempt === ATTEMPTS) {
          throw new DirectoryError("busy", `agent profile "${id}" is being written by somebody else; try again`);
        }
      }
    });
  }

  /** Undefined when the file has changed meanwhile. */
  async #edit(id: string, wanted: readonly string[], edit: FunctionsEdit): Promise<EditedFunctions | undefined> {
    const agent = agentOf(id, await this.#library.around(id));
    const current = agent.profile.functions;
    const touched = wanted.filter((entry) => current.includes(entry) === (edit === "remove"));
    const [added, removed] = edit === "add" ? [touched, []] : [[], touched];
    const next = edit === "add" ? [...current, ...touched] : current.filter((entry) => !touched.includes(entry));
    if (touched.length === 0) {
      const facts = {
        bytes: agent.file?.facts.bytes ?? Buffer.byteLength(agent.text),
        modifiedAt: agent.file?.facts.modifiedAt ?? "",
      };
      return edited(id, current, { added, removed, unchanged: true }, facts);
    }
    if (agent.error !== undefined) throw agent.error;
    const content = this.#rewritten(agent, next);
    const profile = checkedProfile(content);
    const facts = await this.#publish(agent, content);
    return facts === undefined ? undefined : edited(id, profile.functions, { added, removed, unchanged: false }, facts);
  }

  #rewritten(agent: Agent, next: readonly string[]): string {
    try {
      return rewriteFunctions(agent.text, next, this.#spellings.of(agent, next));
    } catch (error) {
      if (error instanceof RewriteRefused) throw functionsRefused(error.message);
      if (error instanceof InvalidContent) throw new DirectoryError("invalid_request", `${error.message}.`);
      throw error;
    }
  }

  async #publish(agent: Agent, content: string): Promise<FileFacts | undefined> {
    const { id, file } = agent;
    const path = file?.path ?? this.#target(id);
    if (file === undefined && (await takenSpelling(path))) throw occupied(id, path);
    if (file !== undefined && (await factsOf(path))?.identity !== file.facts.identity) return undefined;
    const facts = file === undefined ? await this.#createdFile(id, path, content) : await this.#store.replace(path, content);
    this.#spellings.keep(agent, path, facts);
    return facts;
  }

  async #createFile(id: string, content: string): Promise<WrittenAgent> {
    const path = this.#target(id);
    if (await takenSpelling(path)) throw occupied(id, path);
    const profile = checkedProfile(content);
    return written(id, profile, await this.#createdFile(id, path, content));
  }

  async #createdFile(id: string, path: string, content: string): Promise<FileFacts> {
    try {
      return await this.#store.create(path, content);
    } catch (error) {
      if (error instanceof TargetTaken) throw occupied(id, path);
      throw error;
    }
  }

  #target(id: string): string {
    return join(this.#library.folders[0], `${id}.md`);
  }
}

function checkedProfile(content: string): AgentProfile {
  const refused = (problem: string): DirectoryError => new DirectoryError("invalid_request", `${problem}.`);
  if (Buffer.byteLength(content) > MAX_FILE_BYTES) {
    throw refused(`the content is too large: a profile has at most ${MAX_FILE_BYTES} bytes`);
  }
  if (!isWellFormed(content)) throw refused("the content holds half of a surrogate pair, which no file can hold");
  try {
    return readAgentProfile(content);
  } catch (error) {
    if (error instanceof InvalidContent) throw refused(error.message);
    throw error;
  }
}

/** Trimmed, each once. One bad entry refuses the request. */
function checkedFunctions(functions: readonly string[]): string[] {
  for (const entry of functions) {
    const fault = functionIdFault(entry);
    if (fault !== undefined)
      throw functionsRefused(`\`functions\` has the entry ${JSON.stringify(entry)}, and an entry that ${fault} is no id`);
  }
  if (functions.length === 0) throw functionsRefused("`functions` must be non-empty: name at least one id");
  return [...new Set(functions.map(trimWhiteSpace))];
}

function functionsRefused(problem: string): DirectoryError {
  return invalidInput("D416", problem, [["directory::agents::get", "see the list of a profile"], LIST_AGENTS]);
}

function taken(problem: string): DirectoryError {
  return invalidInput("D414", problem, [UPDATE, LIST_AGENTS]);
}

function occupied(id: string, path: string): DirectoryError {
  return taken(`agent profile "${id}" can't be written: a file already exists at ${path}, and it is not served as a profile`);
}

function written(id: string, { name, description, logo }: AgentProfile, { bytes, modifiedAt }: FileFacts): WrittenAgent {
  return wellFormed({ id, name, description, logo, bytes, modified_at: modifiedAt });
}

function edited(
  id: string,
  functions: readonly string[],
  change: Pick<EditedFunctions, "added" | "removed" | "unchanged">,
  { bytes, modifiedAt }: Pick<FileFacts, "bytes" | "modifiedAt">,
): EditedFunctions {
  return { id, functions, ...change, bytes, modified_at: modifiedAt };
}
