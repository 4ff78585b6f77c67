/** `create`, `update` and `delete`: every check in its order, then one atomic write. */
import { join } from "node:path";
import { kindOfPath } from "../../domain/content-path.js";
import { nearest } from "../../domain/nearest.js";
import { invalidInput, notFound } from "../../domain/refusal.js";
import { firstSegment, isSingleSegment, normaliseId, resolveId } from "../../domain/skill-id.js";
import { isWellFormed } from "../../domain/well-formed.js";
import type { ContentFamily } from "../../protocol/doorbells.js";
import type { WriteSkillRequest, WrittenSkill } from "../../protocol/functions/skills.js";
import { type FileFacts, MAX_FILE_BYTES } from "./file-cache.js";
import type { InstalledWorkers } from "./installed.js";
import { fieldsOfContent, hasBody, type SkillView } from "./skill-library.js";
import { LOOK_AROUND } from "./skill-reading.js";
import type { SkillFile } from "./skill-scan.js";
import { type Store, TargetTaken, takenSpelling } from "./store.js";
import { isKept } from "./visible.js";

/** What a doorbell is told of a write. */
export interface SkillChange {
  readonly family: ContentFamily;
  readonly payload: { readonly op: "create" | "update" | "delete"; readonly namespace: string; readonly id: string };
}

const SUGGESTIONS = 3;
const RESERVED: Readonly<Partial<Record<ReturnType<typeof kindOfPath>, string>>> = {
  "command-prompt": "the segment `prompts` is reserved; rename it",
  "system-prompt": "the segment `system-prompts` is reserved; a system prompt is made with directory::system-prompts::create",
  "reserved-for-agents": "the segment `agents` is reserved; an agent profile is made with directory::agents::create",
};

export function checkContent(content: string): void {
  if (Buffer.byteLength(content) > MAX_FILE_BYTES)
    throw invalidInput("D113", `the content is too large: a file has at most ${MAX_FILE_BYTES} bytes`);
  if (!isWellFormed(content)) throw invalidInput("D113", "the content holds half of a surrogate pair, which no file can hold");
  if (!hasBody(content)) throw invalidInput("D113", "the content has no body: write something behind the frontmatter");
}

export interface CreateSetting {
  readonly view: SkillView;
  readonly store: Store;
  readonly folder: string;
  /** Undefined when the filter is off or nothing is known. */
  readonly installed: InstalledWorkers;
}

export async function createSkill({ id: input, content }: WriteSkillRequest, setting: CreateSetting): Promise<WrittenSkill> {
  const { view, store, folder, installed } = setting;
  const id = normaliseId(input, LOOK_AROUND);
  const path = join(folder, `${id}.md`);
  checkPlace(id, view, installed);
  const taken = resolveId(id, (candidate) => view.byId.has(candidate)) !== undefined || (await takenSpelling(path));
  if (taken) throw alreadyThere(id);
  checkContent(content);
  try {
    return writtenSkill(id, content, await store.create(path, content));
  } catch (error) {
    if (error instanceof TargetTaken) throw alreadyThere(id);
    throw error;
  }
}

/** A create that reports success must be readable afterwards. */
function checkPlace(id: string, { scan }: SkillView, installed: InstalledWorkers): void {
  const reserved = RESERVED[kindOfPath(`${id}.md`)];
  if (reserved !== undefined) throw invalidInput("D115", reserved);
  const namespace = firstSegment(id);
  if (isSingleSegment(id)) return;
  if (scan.agentNamespaces.has(namespace)) {
    throw invalidInput("D115", `the namespace "${namespace}" is reserved by a shared skill that is only read`);
  }
  if (scan.localNamespaces.has(namespace)) {
    throw invalidInput(
      "D115",
      `the namespace "${namespace}" comes from the local skills folder of the project, so a skill in the global one would be hidden`,
    );
  }
  if (!isKept(id, installed, scan)) {
    throw invalidInput(
      "D115",
      `no worker "${namespace}" is installed, so filter_unregistered would hide the skill; install it, or switch filter_unregistered off`,
    );
  }
}

function alreadyThere(id: string): Error {
  return invalidInput("D114", `a skill "${id}" exists already`, [
    ["directory::skills::update", "change it"],
    ["directory::skills::list", "see what there is"],
  ]);
}

export async function updateSkill({ id: input, content }: WriteSkillRequest, view: SkillView, store: Store): Promise<WrittenSkill> {
  const id = normaliseId(input, LOOK_AROUND);
  checkContent(content);
  const skill = writable(id, view);
  return writtenSkill(id, content, await store.replace(skill.path, content));
}

/** Returns the id of the file that is gone. */
export async function deleteSkill(input: string, view: SkillView, store: Store, roots: readonly string[]): Promise<string> {
  const skill = writable(normaliseId(input, LOOK_AROUND), view);
  await store.remove(skill.path, roots);
  return skill.id;
}

function writable(id: string, view: SkillView): SkillFile {
  const resolved = resolveId(id, (candidate) => view.byId.has(candidate));
  const skill = resolved === undefined ? undefined : view.byId.get(resolved);
  if (skill === undefined) {
    throw notFound(
      "D110",
      "skill",
      id,
      nearest(
        id,
        view.visible.map((candidate) => candidate.id),
        SUGGESTIONS,
      ),
      [
        ["directory::skills::list", "see what there is"],
        ["directory::skills::download", "fetch a bundle"],
        ["directory::skills::create", "make a new one"],
      ],
    );
  }
  if (skill.tier === "agent-skills") throw invalidInput("D116", `the skill "${id}" is shared with other agents and only read here`);
  return skill;
}

function writtenSkill(id: string, content: string, { bytes, modifiedAt }: FileFacts): WrittenSkill {
  const { title, type, functionId } = fieldsOfContent(content, id);
  return { id, title, type, function_id: functionId, bytes, modified_at: modifiedAt };
}
