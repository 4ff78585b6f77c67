/** The methods of the agent profiles. */
import { checkName } from "../../domain/content-name.js";
import type { EngineBus } from "../../protocol/actors/services.js";
import type { CallContext } from "../../protocol/call.js";
import type { AgentFunctionsRequest } from "../../protocol/functions/agents.js";
import { AgentLibrary } from "./agent-library.js";
import { agentOf, listAgents, resolveAgent } from "./agent-reading.js";
import { AgentWriting, type FunctionsEdit } from "./agent-writing.js";
import { bundledAgents } from "./bundled.js";
import type { FamilyMethods, FamilySetting } from "./prompt-methods.js";
import { unknownFunctions } from "./unknown-functions.js";

export interface AgentSetting extends FamilySetting {
  readonly bus: EngineBus;
  /** Those of these skills that nobody sees at the moment. */
  readonly unknownSkills: (skills: readonly string[], context: CallContext) => Promise<string[]>;
}

/** What is left for the answer when everything that was asked meanwhile took its whole time. */
const RESERVE_MS = 250;

type AgentMethods = FamilyMethods<
  "listAgents" | "getAgent" | "createAgent" | "updateAgent" | "deleteAgent" | "addAgentFunctions" | "removeAgentFunctions"
>;

export function agentMethods({ roots, store, packageRoot, ring, bus, unknownSkills }: AgentSetting): AgentMethods {
  const library = new AgentLibrary([roots.agents], bundledAgents(packageRoot));
  const writing = new AgentWriting(library, store);
  const changed = (op: "create" | "update" | "delete", id: string, context: CallContext): Promise<void> =>
    ring({ family: "agents", payload: { op, name: id } }, context);
  const edit = async (request: AgentFunctionsRequest, how: FunctionsEdit, context: CallContext) => {
    const edited = await writing.editFunctions(request, how);
    if (!edited.unchanged) await changed("update", edited.id, context);
    return edited;
  };
  const methods: AgentMethods["methods"] = {
    async listAgents() {
      return { agents: listAgents(await library.view()) };
    },
    async getAgent({ id, raw }, context) {
      checkName("agent profile id", id);
      const view = await library.around(id);
      const resolved = resolveAgent(agentOf(id, view), view, raw === true);
      const early = { ...context, deadline: context.deadline - RESERVE_MS };
      const [skills, functions] = await Promise.all([
        resolved.skills.length === 0 ? [] : unknownSkills(resolved.skills, early),
        unknownFunctions(resolved.functions, bus, early),
      ]);
      return { ...resolved, unknown_skills: skills, unknown_functions: functions };
    },
    async createAgent(request, context) {
      const written = await writing.create(request);
      await changed("create", written.id, context);
      return written;
    },
    async updateAgent(request, context) {
      const written = await writing.update(request);
      await changed("update", written.id, context);
      return written;
    },
    async deleteAgent({ id }, context) {
      const removed = await writing.delete(id);
      await changed("delete", removed, context);
      return { id: removed };
    },
    async addAgentFunctions(request, context) {
      return edit(request, "add", context);
    },
    async removeAgentFunctions(request, context) {
      return edit(request, "remove", context);
    },
  };
  return { methods, faults: () => library.faults };
}
