/** What is being written survives a reload: one draft a collection, in the browser's local storage. */
export interface Draft {
  /** A new entry, which has no file yet. */
  readonly creating: boolean;
  /** The entry that is edited, or the id that a new one shall get. */
  readonly key: string;
  readonly content: string;
}

/** The stored text as a draft; undefined when there is none that can be used. */
export function parseDraft(text: string | null): Draft | undefined {
  if (text === null) return undefined;
  try {
    const value = JSON.parse(text) as Partial<Draft> | null;
    if (typeof value?.content !== "string") return undefined;
    return { creating: value.creating === true, key: typeof value.key === "string" ? value.key : "", content: value.content };
  } catch {
    return undefined;
  }
}

/** Where the draft of one collection is kept. */
export interface Drafts {
  read(): Draft | undefined;
  /** False when the draft could not be kept. */
  apply(decision: Draft | "clear" | "keep"): boolean;
}

export interface DraftState {
  readonly creating: boolean;
  readonly key: string | undefined;
  readonly content: string;
  /** As it is on disk; undefined until it is loaded. */
  readonly baseline: string | undefined;
}

/** What is to be done with the storage: write a draft, clear it, or leave it because nothing is known yet. */
export function draftDecision({ creating, key, content, baseline }: DraftState): Draft | "clear" | "keep" {
  if (creating) return { creating, key: key ?? "", content };
  if (key === undefined) return "clear";
  if (baseline === undefined) return "keep";
  return content === baseline ? "clear" : { creating: false, key, content };
}
