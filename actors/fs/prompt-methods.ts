/** The methods of both prompt families. */
import type { ContentFault, FsActor } from "../../protocol/actors/fs.js";
import type { CallContext } from "../../protocol/call.js";
import type { Doorbell } from "../../protocol/doorbells.js";
import { bundledSystemPrompts } from "./bundled.js";
import { getPrompt, listPrompts } from "./command-prompts.js";
import { PromptLibrary } from "./prompt-library.js";
import type { ContentRoots } from "./roots.js";
import type { Store } from "./store.js";
import { SystemPrompts } from "./system-prompts.js";

export interface FamilySetting {
  readonly roots: ContentRoots;
  readonly store: Store;
  readonly packageRoot: string;
  /** Never rejects. */
  readonly ring: (bell: Doorbell, context: CallContext) => Promise<void>;
}

/** What one or more families of content add to the actor. */
export interface FamilyMethods<Method extends keyof FsActor> {
  readonly methods: Pick<FsActor, Method>;
  /** Files that were left out at the last look, and why. */
  readonly faults: () => readonly ContentFault[];
}

type PromptMethods = FamilyMethods<
  | "listSystemPrompts"
  | "getSystemPrompt"
  | "createSystemPrompt"
  | "updateSystemPrompt"
  | "deleteSystemPrompt"
  | "listPrompts"
  | "getPrompt"
>;

export function promptMethods({ roots, store, packageRoot, ring }: FamilySetting): PromptMethods {
  const library = new PromptLibrary(roots, "system-prompt");
  const systemPrompts = new SystemPrompts({
    library,
    bundled: bundledSystemPrompts(packageRoot),
    roots,
    store,
  });
  const commandPrompts = new PromptLibrary(roots, "command-prompt");
  const changed = (op: "create" | "update" | "delete", name: string, context: CallContext): Promise<void> =>
    ring({ family: "system-prompts", payload: { op, name } }, context);
  const methods: PromptMethods["methods"] = {
    async listSystemPrompts() {
      return { prompts: await systemPrompts.list() };
    },
    async getSystemPrompt(request) {
      return systemPrompts.get(request);
    },
    async createSystemPrompt(request, context) {
      const written = await systemPrompts.create(request);
      await changed("create", written.name, context);
      return written;
    },
    async updateSystemPrompt(request, context) {
      const written = await systemPrompts.update(request);
      await changed("update", written.name, context);
      return written;
    },
    async deleteSystemPrompt({ name }, context) {
      const removed = await systemPrompts.delete(name);
      await changed("delete", removed, context);
      return { name: removed };
    },
    async listPrompts() {
      return { prompts: await listPrompts(commandPrompts) };
    },
    async getPrompt(request) {
      return getPrompt(commandPrompts, request);
    },
  };
  return { methods, faults: () => [...library.faults, ...commandPrompts.faults] };
}
