/** `directory::agents::list` and `::get`. */
import { inheritedList, inheritedPrompt, inheritedValue, type Lineage, lineageOf } from "../../domain/inheritance.js";
import { nearest } from "../../domain/nearest.js";
import { type NextStep, notFound } from "../../domain/refusal.js";
import { wellFormed } from "../../domain/well-formed.js";
import type { DirectoryError } from "../../protocol/errors.js";
import type { AgentDocument, AgentRow } from "../../protocol/functions/agents.js";
import type { Agent, AgentView } from "./agent-library.js";

const SUGGESTIONS = 3;
export const LIST_AGENTS: NextStep = ["directory::agents::list", "see which profiles there are"];

export function listAgents({ byId }: AgentView): AgentRow[] {
  return [...byId.values()].map((agent) => {
    const lineage = lineageOf(agent, byId);
    const skills = inheritedList(lineage.chain, "skills").length;
    return wellFormed({
      ...ownFields(agent, lineage),
      skill_count: skills === 0 ? null : skills,
      function_count: inheritedList(lineage.chain, "functions").length,
    });
  });
}

/** What one profile amounts to with all that it takes from its ancestors. */
export type ResolvedAgent = Omit<AgentDocument, "unknown_skills" | "unknown_functions">;

export function resolveAgent(agent: Agent, { byId }: AgentView, raw: boolean): ResolvedAgent {
  const lineage = lineageOf(agent, byId);
  const unreadable = lineage.chain.find(({ error }) => error !== undefined);
  if (unreadable?.error !== undefined) throw unreadable.error;
  return wellFormed({
    ...ownFields(agent, lineage),
    system_prompt: inheritedPrompt(lineage.chain),
    skills: inheritedList(lineage.chain, "skills"),
    functions: inheritedList(lineage.chain, "functions"),
    ...(raw ? { raw: agent.text } : {}),
  });
}

export function agentOf(id: string, { byId }: AgentView): Agent {
  const agent = byId.get(id);
  if (agent === undefined) throw missingAgent(id, byId);
  return agent;
}

function missingAgent(id: string, byId: AgentView["byId"]): DirectoryError {
  return notFound("D410", "agent profile", id, nearest(id, [...byId.keys()], SUGGESTIONS), [LIST_AGENTS]);
}

function ownFields({ id, profile, file }: Agent, { chain, error }: Lineage<Agent>) {
  return {
    id,
    name: profile.name,
    description: profile.description,
    logo: profile.logo,
    model: inheritedValue(chain, "model"),
    reasoning_effort: inheritedValue(chain, "reasoningEffort"),
    icon: profile.icon,
    color: profile.color,
    extends: profile.extends,
    builtin: file === undefined,
    ...(error === undefined ? {} : { inheritance_error: error }),
    modified_at: file?.facts.modifiedAt ?? "",
  };
}
