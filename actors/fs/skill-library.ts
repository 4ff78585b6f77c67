/**
 * The skills as they are on disk at the moment of a call: one scan for all that ask at the same time, and what each file says, read
 * again only when the file has changed.
 */
import { readFrontmatter } from "../../domain/frontmatter.js";
import { displayedId } from "../../domain/skill-id.js";
import { type SkillFields, skillFields } from "../../domain/skill-text.js";
import { compareBytes } from "../../domain/text.js";
import { isBlank } from "../../domain/white-space.js";
import type { ContentFault } from "../../protocol/actors/fs.js";
import type { CallContext } from "../../protocol/call.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { SkillRow } from "../../protocol/functions/skills.js";
import { FileCache, type FileFacts } from "./file-cache.js";
import type { Installed, InstalledWorkers } from "./installed.js";
import type { ContentRoots } from "./roots.js";
import { SharedScan } from "./shared-scan.js";
import { type SkillFile, type SkillScan, scanSkills } from "./skill-scan.js";
import { visibleSkills } from "./visible.js";

/** What one file says, before it is known under which id it is shown. */
export interface ParsedSkill {
  /** Title is empty where only the id can give one. */
  readonly fields: SkillFields;
  readonly body: string;
  readonly text: string;
  /** Why `get` can't serve it; a list shows a bare row then. */
  readonly error?: DirectoryError;
  readonly fault?: ContentFault;
}

export interface SkillView {
  readonly scan: SkillScan;
  readonly visible: readonly SkillFile[];
  readonly byId: ReadonlyMap<string, SkillFile>;
}

export interface LibraryOptions {
  readonly roots: ContentRoots;
  readonly installed: Installed;
  readonly scan?: (roots: ContentRoots) => Promise<SkillScan>;
}

const NO_FIELDS: SkillFields = { title: "", type: null, functionId: null, disableModelInvocation: false, description: "" };
/** Files looked at in the same moment: enough to keep the disk busy, far from the limit of open files. */
const CONCURRENCY = 32;

export class SkillLibrary {
  readonly roots: ContentRoots;
  readonly #installed: Installed;
  readonly #scan: SharedScan<SkillScan>;
  readonly #cache = new FileCache<ParsedSkill>(parseSkill);
  #faults: readonly ContentFault[] = [];
  #count = 0;

  constructor({ roots, installed, scan = scanSkills }: LibraryOptions) {
    this.roots = roots;
    this.#installed = installed;
    this.#scan = new SharedScan(() => scan(roots));
  }

  /** What was left out or repaired at the last look at all files, and how many skills there were. */
  get health(): { readonly faults: readonly ContentFault[]; readonly skills: number } {
    return { faults: this.#faults, skills: this.#count };
  }

  /** `filtered`: only what belongs to installed workers; `fresh`: ask for them, whatever is remembered. */
  async view(context: CallContext, filtered: boolean, fresh = false): Promise<SkillView> {
    return this.viewOf(filtered ? this.#installed.names(context, fresh) : undefined);
  }

  /** What is visible when exactly these workers are installed; undefined: everything. */
  async viewOf(workers: InstalledWorkers | Promise<InstalledWorkers>): Promise<SkillView> {
    const [scan, installed] = await Promise.all([this.scan(), workers]);
    const visible = visibleSkills(scan, installed);
    return { scan, visible, byId: new Map(visible.map((skill) => [skill.id, skill])) };
  }

  scan(): Promise<SkillScan> {
    return this.#scan.run();
  }

  look(skill: SkillFile): Promise<{ readonly facts: FileFacts | undefined; readonly parsed: ParsedSkill }> {
    return this.#cache.look(skill.path);
  }

  /** Rows of these skills in the order of the ids that are shown. */
  async rows(skills: readonly SkillFile[], view: SkillView): Promise<SkillRow[]> {
    const rows = await this.lookAtAll(skills, view);
    return rows.map(({ row }) => row).sort((left, right) => compareBytes(left.id, right.id));
  }

  async lookAtAll(skills: readonly SkillFile[], view: SkillView): Promise<{ readonly skill: SkillFile; readonly row: SkillRow }[]> {
    const found: { skill: SkillFile; row: SkillRow }[] = [];
    const faults: ContentFault[] = [...view.scan.faults];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < skills.length; at = next++) {
        const skill = skills[at];
        if (skill === undefined) return;
        const { facts, parsed } = await this.look(skill);
        if (parsed.fault !== undefined) faults.push(parsed.fault);
        found.push({ skill, row: rowOf(skill, facts, parsed, view) });
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, skills.length) }, worker));
    if (skills.length === view.visible.length) {
      this.#faults = faults;
      this.#count = skills.length;
      this.#cache.keepOnly(new Set(view.scan.skills.map(({ path }) => path)));
    }
    return found;
  }
}

export function shownId(skill: SkillFile, { byId }: Pick<SkillView, "byId">): string {
  return displayedId(skill.id, (id) => byId.has(id));
}

function rowOf(skill: SkillFile, facts: FileFacts | undefined, { fields }: ParsedSkill, view: SkillView): SkillRow {
  const id = shownId(skill, view);
  return {
    id,
    title: fields.title || id,
    type: fields.type,
    function_id: fields.functionId,
    disable_model_invocation: fields.disableModelInvocation,
    description: fields.description,
    bytes: facts?.bytes ?? 0,
    modified_at: facts?.modifiedAt ?? "",
  };
}

/** A file that can't be read still has a row, so that somebody sees it. */
export function parseSkill(path: string, text: string | Error): ParsedSkill {
  if (text instanceof Error) {
    const error = text instanceof DirectoryError ? text : new DirectoryError("invalid_request", text.message);
    return { fields: NO_FIELDS, body: "", text: "", error, fault: { path, kind: "skipped", reason: error.message } };
  }
  const frontmatter = readFrontmatter(text);
  const { body, fault } = frontmatter;
  const fields = skillFields(frontmatter, body, "");
  const repaired: ContentFault[] = fault === undefined ? [] : [{ path, line: fault.line, kind: "repaired", reason: fault.reason }];
  if (body.replaceAll("\n", "") === "") {
    const error = new DirectoryError("invalid_request", `${path} has an empty body: there is nothing behind its frontmatter`);
    return { fields, body, text, error, fault: { path, kind: "skipped", reason: "empty body" } };
  }
  return { fields, body, text, ...(repaired[0] === undefined ? {} : { fault: repaired[0] }) };
}

/** What a new content would show; `id` where it says nothing of itself. */
export function fieldsOfContent(content: string, id: string): SkillFields {
  const frontmatter = readFrontmatter(content);
  return skillFields(frontmatter, frontmatter.body, id);
}

export function hasBody(content: string): boolean {
  return !isBlank(readFrontmatter(content).body);
}
