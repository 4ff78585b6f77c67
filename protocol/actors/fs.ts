/** Every read and write of skills, system prompts, prompts and agent profiles. */
import type { DownloadState, InstallBundleRequest, InstalledBundle } from "../bundle.js";
import { type ActorContract, type CallContext, TIMEOUTS } from "../call.js";
import type {
  AgentDocument,
  AgentFunctionsRequest,
  AgentRow,
  EditedFunctions,
  GetAgentRequest,
  WriteAgentRequest,
  WrittenAgent,
} from "../functions/agents.js";
import type { GetPromptRequest, PromptDocument, PromptRow } from "../functions/prompts.js";
import type {
  DeleteSkillRequest,
  GetSkillRequest,
  ListSkillsRequest,
  SkillDocument,
  SkillIndex,
  SkillRow,
  WriteSkillRequest,
  WrittenSkill,
} from "../functions/skills.js";
import type {
  GetSystemPromptRequest,
  SystemPromptDocument,
  SystemPromptRow,
  WriteSystemPromptRequest,
  WrittenSystemPrompt,
} from "../functions/system-prompts.js";

/** A skill as the search sees it. */
export interface SkillSearchRow {
  readonly id: string;
  readonly title: string;
  /** Whole, as in a list row. */
  readonly description: string;
}

/** A file that was left out (`skipped`), read only in part (`repaired`), or is hardly what its author wanted (`notice`), and why. */
export interface ContentFault {
  readonly path: string;
  /** 1-based; absent when the fault is not in a line. */
  readonly line?: number;
  readonly kind: "skipped" | "repaired" | "notice";
  readonly reason: string;
}

type Nothing = Record<string, never>;

export interface FsActor {
  listSkills(request: ListSkillsRequest, context: CallContext): Promise<{ readonly skills: readonly SkillRow[] }>;
  getSkill(request: GetSkillRequest, context: CallContext): Promise<SkillDocument>;
  indexSkills(request: Nothing, context: CallContext): Promise<SkillIndex>;
  createSkill(request: WriteSkillRequest, context: CallContext): Promise<WrittenSkill>;
  updateSkill(request: WriteSkillRequest, context: CallContext): Promise<WrittenSkill>;
  deleteSkill(request: DeleteSkillRequest, context: CallContext): Promise<{ readonly id: string }>;
  listSystemPrompts(request: Nothing, context: CallContext): Promise<{ readonly prompts: readonly SystemPromptRow[] }>;
  getSystemPrompt(request: GetSystemPromptRequest, context: CallContext): Promise<SystemPromptDocument>;
  createSystemPrompt(request: WriteSystemPromptRequest, context: CallContext): Promise<WrittenSystemPrompt>;
  updateSystemPrompt(request: WriteSystemPromptRequest, context: CallContext): Promise<WrittenSystemPrompt>;
  deleteSystemPrompt(request: { readonly name: string }, context: CallContext): Promise<{ readonly name: string }>;
  listPrompts(request: Nothing, context: CallContext): Promise<{ readonly prompts: readonly PromptRow[] }>;
  getPrompt(request: GetPromptRequest, context: CallContext): Promise<PromptDocument>;
  listAgents(request: Nothing, context: CallContext): Promise<{ readonly agents: readonly AgentRow[] }>;
  getAgent(request: GetAgentRequest, context: CallContext): Promise<AgentDocument>;
  createAgent(request: WriteAgentRequest, context: CallContext): Promise<WrittenAgent>;
  updateAgent(request: WriteAgentRequest, context: CallContext): Promise<WrittenAgent>;
  deleteAgent(request: { readonly id: string }, context: CallContext): Promise<{ readonly id: string }>;
  addAgentFunctions(request: AgentFunctionsRequest, context: CallContext): Promise<EditedFunctions>;
  removeAgentFunctions(request: AgentFunctionsRequest, context: CallContext): Promise<EditedFunctions>;
  /** The rows of the skill list that models may use: visible ones without `disable_model_invocation`. From memory, not from disk. */
  searchRows(request: Nothing, context: CallContext): Promise<{ readonly rows: readonly SkillSearchRow[] }>;
  /** Writes a checked bundle, as a whole or not at all. One at a time for each namespace. */
  installBundle(request: InstallBundleRequest, context: CallContext): Promise<InstalledBundle>;
  /** What an automatic download has to know before it begins. */
  downloadState(request: { readonly namespace: string }, context: CallContext): Promise<DownloadState>;
  /** Files have changed: what is kept in memory for searches is read again before the next one. */
  contentChanged(request: Nothing, context: CallContext): Promise<void>;
  /** For the status: what was skipped or repaired at the last look. */
  report(request: Nothing, context: CallContext): Promise<{ readonly faults: readonly ContentFault[]; readonly skills: number }>;
}

const READ = { idempotent: true, timeoutMs: TIMEOUTS.read } as const;
const WRITE = { idempotent: false, timeoutMs: TIMEOUTS.write } as const;

export const FS_CONTRACT: ActorContract<FsActor> = {
  methods: {
    listSkills: READ,
    getSkill: READ,
    indexSkills: { idempotent: true, timeoutMs: 2 * TIMEOUTS.read },
    createSkill: WRITE,
    updateSkill: WRITE,
    deleteSkill: WRITE,
    listSystemPrompts: READ,
    getSystemPrompt: READ,
    createSystemPrompt: WRITE,
    updateSystemPrompt: WRITE,
    deleteSystemPrompt: WRITE,
    listPrompts: READ,
    getPrompt: READ,
    listAgents: READ,
    // The engine and the compose daemon may take their time.
    getAgent: { idempotent: true, timeoutMs: 2 * TIMEOUTS.read },
    createAgent: WRITE,
    updateAgent: WRITE,
    deleteAgent: WRITE,
    addAgentFunctions: WRITE,
    removeAgentFunctions: WRITE,
    installBundle: { idempotent: false, timeoutMs: 60_000 },
    downloadState: READ,
    searchRows: READ,
    contentChanged: READ,
    report: { idempotent: true, timeoutMs: TIMEOUTS.status },
  },
  mailboxLimit: 512,
  window: 32,
  heapLimitMiB: 512,
  bufferLimitMiB: 256,
};
