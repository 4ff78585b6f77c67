/** The three collections of the page: what each is called, which functions serve it, and what a new entry looks like. */
import { readScalar, setScalar } from "../frontmatter.js";
import type { Bus } from "../host.js";

export interface Row {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  /** Emoji of a profile. */
  readonly logo?: string | undefined;
  readonly builtin: boolean;
  readonly bytes?: number | undefined;
  readonly modifiedAt: string;
  /** Shown, but never written. */
  readonly readOnly?: boolean;
}

export interface OpenDocument {
  readonly content: string;
  readonly builtin: boolean;
  readonly inheritanceError?: string | undefined;
  readonly readOnly?: boolean;
}

export type CollectionId = "skills" | "system-prompts" | "agents";

export interface Collection {
  readonly id: CollectionId;
  readonly label: string;
  /** One entry, in running text. */
  readonly noun: string;
  readonly keyLabel: string;
  readonly keyHint: string;
  readonly changed: string;
  list(bus: Bus): Promise<Row[]>;
  /** Rows from another worker, shown before the others; who is asked may be slow or missing. Never rejects. */
  extra?(bus: Bus): Promise<Row[]>;
  open(bus: Bus, key: string): Promise<OpenDocument>;
  /** Resolves with the key under which it is found now. */
  save(bus: Bus, key: string, content: string): Promise<string>;
  create(bus: Bus, key: string, content: string): Promise<string>;
  remove(bus: Bus, key: string): Promise<void>;
  /** The frontmatter key that the name field edits. */
  nameField(content: string): string;
  template(): string;
  /** What is wrong, in a sentence; undefined when it may be sent. */
  fault(creating: boolean, key: string, content: string): string | undefined;
}

interface ListedRow {
  readonly id?: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly logo?: string | null;
  readonly builtin?: boolean;
  readonly bytes?: number;
  readonly modified_at?: string;
}

interface Got {
  readonly raw?: string | null;
  readonly body?: string;
  readonly builtin?: boolean;
  readonly inheritance_error?: string;
}

function row(listed: ListedRow, key: string, title: string): Row {
  return {
    key,
    title,
    description: listed.description ?? "",
    logo: listed.logo ?? undefined,
    builtin: listed.builtin === true,
    bytes: listed.bytes,
    modifiedAt: listed.modified_at ?? "",
  };
}

function opened({ raw, body, builtin, inheritance_error }: Got): OpenDocument {
  return { content: raw ?? body ?? "", builtin: builtin === true, inheritanceError: inheritance_error };
}

const SLUG = /^[a-z0-9_-]+$/;
const SKILL_ID = /^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*$/;

function bodyOf(content: string): string {
  return content.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?^---[ \t]*(?:\r?\n|$)/m, "");
}

const SKILLS: Collection = {
  id: "skills",
  label: "Skills",
  noun: "skill",
  keyLabel: "Id",
  keyHint: "namespace/topic, of a-z, 0-9, _ and -",
  changed: "directory::skills::on-change",
  list: async (bus) => {
    const { skills } = await bus.trigger<{ skills: ListedRow[] }>("directory::skills::list", { include_description: true });
    return skills.map((listed) => row(listed, listed.id ?? "", listed.title || (listed.id ?? "")));
  },
  open: async (bus, key) => opened(await bus.trigger<Got>("directory::skills::get", { id: key, raw: true })),
  save: async (bus, key, content) => (await bus.trigger<{ id: string }>("directory::skills::update", { id: key, content })).id,
  create: async (bus, key, content) => (await bus.trigger<{ id: string }>("directory::skills::create", { id: key, content })).id,
  remove: async (bus, key) => void (await bus.trigger("directory::skills::delete", { id: key })),
  nameField: (content) =>
    readScalar(content, "title") === undefined && readScalar(content, "name") !== undefined ? "name" : "title",
  template: () => '---\ntitle: ""\ndescription: ""\n---\n\n# New skill\n\nWhen to use it, and how.\n',
  fault: (creating, key, content) => {
    if (creating && !SKILL_ID.test(key)) return "The id must be segments of a-z, 0-9, _ and - with / between them.";
    return bodyOf(content).trim() === "" ? "A skill needs a text below its frontmatter." : undefined;
  },
};

const DEFAULT_PROMPT_KEY = "default (harness)";

const SYSTEM_PROMPTS: Collection = {
  id: "system-prompts",
  label: "System prompts",
  noun: "system prompt",
  keyLabel: "Name",
  keyHint: "a-z, 0-9, _ and -",
  changed: "directory::system-prompts::on-change",
  list: async (bus) => {
    const { prompts } = await bus.trigger<{ prompts: ListedRow[] }>("directory::system-prompts::list", {});
    return prompts.map((listed) => row(listed, listed.name ?? "", listed.name ?? ""));
  },
  extra: async (bus) => {
    if ((await defaultPrompt(bus)) === undefined) return [];
    const description = "What a session gets when it names no prompt.";
    return [{ key: DEFAULT_PROMPT_KEY, title: "default", description, builtin: false, modifiedAt: "", readOnly: true }];
  },
  open: async (bus, key) => {
    if (key !== DEFAULT_PROMPT_KEY)
      return opened(await bus.trigger<Got>("directory::system-prompts::get", { name: key, raw: true }));
    return { content: (await defaultPrompt(bus)) ?? "", builtin: false, readOnly: true };
  },
  save: async (bus, key, content) =>
    (await bus.trigger<{ name: string }>("directory::system-prompts::update", { name: key, content })).name,
  create: async (bus, key, content) =>
    (await bus.trigger<{ name: string }>("directory::system-prompts::create", { name: key, content })).name,
  remove: async (bus, key) => void (await bus.trigger("directory::system-prompts::delete", { name: key })),
  nameField: () => "name",
  template: () => '---\ndescription: ""\n---\n\nYou are a careful assistant.\n',
  fault: (creating, key, content) => {
    if (creating && !SLUG.test(key)) return "The name must be of a-z, 0-9, _ and -.";
    const renamed = readScalar(content, "name");
    if (renamed !== undefined && !SLUG.test(renamed)) return "The name must be of a-z, 0-9, _ and -.";
    return (readScalar(content, "description") ?? "").trim() === "" ? "A system prompt needs a description." : undefined;
  },
};

/** Asked of the harness; most engines have none, and that is no fault. */
async function defaultPrompt(bus: Bus): Promise<string | undefined> {
  try {
    const request = { session_id: `iii-directory:${bus.browserId}`, default_only: true };
    const answer = await bus.trigger<{ body?: unknown; system_prompt?: unknown }>("harness::system-prompt::get", request, {
      timeoutMs: 2_000,
    });
    const text = answer?.body ?? answer?.system_prompt;
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The id of a profile, made from its display name. */
export function slug(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

const AGENTS: Collection = {
  id: "agents",
  label: "Agent profiles",
  noun: "agent profile",
  keyLabel: "File",
  keyHint: "made from the name, fixed afterwards",
  changed: "directory::agents::on-change",
  list: async (bus) => {
    const { agents } = await bus.trigger<{ agents: ListedRow[] }>("directory::agents::list", {});
    return agents.map((listed) => row(listed, listed.id ?? "", listed.name || (listed.id ?? "")));
  },
  open: async (bus, key) => opened(await bus.trigger<Got>("directory::agents::get", { id: key, raw: true })),
  save: async (bus, key, content) => (await bus.trigger<{ id: string }>("directory::agents::update", { id: key, content })).id,
  create: async (bus, key, content) => (await bus.trigger<{ id: string }>("directory::agents::create", { id: key, content })).id,
  remove: async (bus, key) => void (await bus.trigger("directory::agents::delete", { id: key })),
  nameField: () => "name",
  template: () => setScalar('---\nname: ""\n---\n', "description", ""),
  fault: (creating, key, content) => {
    if ((readScalar(content, "name") ?? "").trim() === "") return "A profile needs a display name.";
    return creating && !SLUG.test(key) ? "The name must have at least one letter or digit that a file name can have." : undefined;
  },
};

export const COLLECTIONS: readonly Collection[] = [SKILLS, SYSTEM_PROMPTS, AGENTS];

/** Case doesn't matter; key, title and description are looked at. */
export function matches({ key, title, description }: Row, filter: string): boolean {
  const wanted = filter.trim().toLowerCase();
  return wanted === "" || `${key}\n${title}\n${description}`.toLowerCase().includes(wanted);
}
