/**
 * One collection as the page holds it: the list, the open document, and what has been typed. It knows nothing of React. Answers that
 * come for an entry the user has left meanwhile are dropped. One save runs at a time, and what was read before it ended is read again:
 * such an answer may be from before.
 */
import { type Drafts, draftDecision } from "../drafts.js";
import { readScalar } from "../frontmatter.js";
import { type Bus, messageOf } from "../host.js";
import { type Collection, type OpenDocument, type Row, slug } from "./collections.js";

export type Status = "idle" | "loading" | "saving" | "saved";

export interface CollectionState {
  /** Undefined until the list was read once. */
  readonly rows: readonly Row[] | undefined;
  readonly listError: string | undefined;
  readonly creating: boolean;
  readonly key: string | undefined;
  readonly content: string;
  /** As on disk; undefined until it is loaded, empty for a new entry. */
  readonly baseline: string | undefined;
  readonly document: OpenDocument | undefined;
  readonly status: Status;
  readonly error: string | undefined;
  /** The file was changed by somebody else while there are unsaved words here; null: it is gone. */
  readonly external: { readonly content: string | null } | undefined;
  readonly draftsWork: boolean;
}

const NOTHING_OPEN = {
  creating: false,
  key: undefined,
  content: "",
  baseline: undefined,
  document: undefined,
  status: "idle",
  error: undefined,
  external: undefined,
} as const;

const SAVED_MS = 2_400;

export class CollectionStore {
  readonly #bus: Bus;
  readonly collection: Collection;
  readonly #drafts: Drafts;
  readonly #listeners = new Set<() => void>();
  /** Counts what the user opens: an answer of another count is late. */
  #opening = 0;
  #listing = 0;
  #listed: readonly Row[] | undefined;
  #extra: readonly Row[] = [];
  /** Counts what is read of the open entry: the last one holds. */
  #reading = 0;
  /** Counts the saves of the open entry that ended. */
  #writes = 0;
  /** What is being saved. */
  #savingKey: string | undefined;
  /** The save under way, and those that follow it. */
  #saving: Promise<void> | undefined;
  /** The opening for which another save was asked during this one. */
  #asked: number | undefined;
  /** Something changed on disk while the open entry was being loaded. */
  #changedMeanwhile = false;
  #savedTimer: ReturnType<typeof setTimeout> | undefined;
  state: CollectionState = { rows: undefined, listError: undefined, draftsWork: true, ...NOTHING_OPEN };

  constructor(bus: Bus, collection: Collection, drafts: Drafts) {
    this.#bus = bus;
    this.collection = collection;
    this.#drafts = drafts;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): CollectionState => this.state;

  get isDirty(): boolean {
    const { creating, content, baseline, key } = this.state;
    if (creating) return content !== this.collection.template();
    return key !== undefined && baseline !== undefined && content !== baseline;
  }

  /** Loads the list, restores a draft, follows changes. Returns the way to stop. */
  start(): () => void {
    const { id, changed } = this.collection;
    const handler = `iii::directory-ui::${id}-changed`;
    const off = this.#bus.on(handler, () => void this.refresh());
    const unbind = this.#bus.registerTrigger({ type: changed, function_id: `${handler}::${this.#bus.browserId}`, config: {} });
    let wasConnected = true;
    const offState = this.#bus.addConnectionStateListener?.((state) => {
      if (state === "connected" && !wasConnected) void this.refresh();
      wasConnected = state === "connected";
    });
    void this.loadList();
    if (!this.isDirty) this.#restore();
    return () => {
      clearTimeout(this.#savedTimer);
      off();
      unbind();
      offState?.();
    };
  }

  async loadList(): Promise<void> {
    this.#listing += 1;
    const mine = this.#listing;
    // The list doesn't wait for these.
    const extra = this.collection.extra?.(this.#bus).then((rows) => {
      if (mine !== this.#listing) return;
      this.#extra = rows;
      if (this.#listed !== undefined) this.#set({ rows: [...rows, ...this.#listed] });
    });
    try {
      const rows = await this.collection.list(this.#bus);
      if (mine !== this.#listing) return;
      this.#listed = rows;
      this.#set({ rows: [...this.#extra, ...rows], listError: undefined });
    } catch (error) {
      if (mine === this.#listing) this.#set({ listError: messageOf(error) });
    }
    await extra;
  }

  async select(key: string): Promise<void> {
    this.#opening += 1;
    // What was unsaved has been given up, whether or not the next one can be loaded.
    this.#drafts.apply("clear");
    this.#set({ ...NOTHING_OPEN, key, status: "loading" });
    await this.#load((document) => ({ content: document.content }));
  }

  close(): void {
    this.#opening += 1;
    this.#set(NOTHING_OPEN);
  }

  startCreating(): void {
    this.#opening += 1;
    this.#set({ ...NOTHING_OPEN, creating: true, key: "", content: this.collection.template(), baseline: "" });
  }

  edit(content: string): void {
    const { creating } = this.state;
    const key = creating && this.collection.id === "agents" ? { key: slug(readScalar(content, "name") ?? "") } : {};
    this.#set({ content, ...key, status: this.#unsaved(), error: undefined });
  }

  setNewKey(key: string): void {
    if (this.state.creating) this.#set({ key, error: undefined });
  }

  /** What was typed goes; confirmed by the user before. */
  revert(): void {
    const { creating, baseline } = this.state;
    if (creating) this.close();
    else if (baseline !== undefined)
      this.#set({ content: baseline, external: undefined, error: undefined, status: this.#unsaved() });
  }

  /** Takes what is on disk instead of what was typed. */
  acceptExternal(): void {
    const { external } = this.state;
    if (external === undefined) return;
    if (external.content === null) this.close();
    else this.#set({ content: external.content, baseline: external.content, external: undefined, status: this.#unsaved() });
  }

  /**
   * Saves what is typed. Asked for during a save, it follows that one, if the same entry is still open and differs from what was sent.
   * Resolves when no save is left to do.
   */
  async save(): Promise<void> {
    const { key, status } = this.state;
    if (key === undefined || status === "loading" || !this.#isSound()) return;
    if (this.#saving === undefined) this.#saving = this.#saveInTurn();
    else {
      this.#asked = this.#opening;
      this.#set({ status: "saving", error: undefined });
    }
    await this.#saving;
  }

  async #saveInTurn(): Promise<void> {
    for (let isWanted = true; isWanted; ) {
      const opening = this.#opening;
      const { content } = this.state;
      this.#asked = undefined;
      const next = await this.#saveOnce();
      const isSame = opening === this.#opening && content === this.state.content && next === this.state.key;
      isWanted = this.#asked === this.#opening && !isSame && this.#isSound();
    }
    this.#saving = undefined;
    if (this.state.status === "saving") this.#set({ status: "idle" });
    if (this.state.status === "saved") await this.#reread();
  }

  /** Resolves with the key under which what was sent is found now, or with which it was refused. */
  async #saveOnce(): Promise<string> {
    const opening = this.#opening;
    const { creating, key = "", content } = this.state;
    let next = key;
    this.#savingKey = key;
    this.#set({ status: "saving", error: undefined });
    try {
      next = await this.collection[creating ? "create" : "save"](this.#bus, key, content);
      // What was typed while it was being saved is kept, and differs from what is on disk now.
      if (opening === this.#opening) this.#setSaved(next, content);
    } catch (error) {
      if (opening === this.#opening) this.#set({ status: "idle", error: messageOf(error) });
    } finally {
      this.#savingKey = undefined;
      if (this.state.key === key || this.state.key === next) this.#writes += 1;
      void this.loadList();
    }
    return next;
  }

  #setSaved(key: string, content: string): void {
    this.#set({ creating: false, key, baseline: content, external: undefined, status: "saved" });
    clearTimeout(this.#savedTimer);
    this.#savedTimer = setTimeout(() => this.state.status === "saved" && this.#set({ status: "idle" }), SAVED_MS);
  }

  /** Says what is wrong with the open document, if anything is. */
  #isSound(): boolean {
    const { creating, key = "", content } = this.state;
    const fault = this.collection.fault(creating, key, content);
    if (fault !== undefined) this.#set({ error: fault });
    return fault === undefined;
  }

  /** The status of what has just been changed: a save or a load that is under way goes on. */
  #unsaved(): Status {
    const { status } = this.state;
    return status === "saving" || status === "loading" ? status : "idle";
  }

  async remove(): Promise<void> {
    const mine = this.#opening;
    // A save that came second would write the file again.
    this.#asked = undefined;
    await this.#saving;
    const { key, creating } = this.state;
    if (mine !== this.#opening || key === undefined || creating) return;
    try {
      await this.collection.remove(this.#bus, key);
      if (mine === this.#opening) this.close();
      void this.loadList();
    } catch (error) {
      if (mine === this.#opening) this.#set({ error: messageOf(error) });
    }
  }

  /** Somebody changed something on disk. */
  async refresh(): Promise<void> {
    void this.loadList();
    const { key, creating, status } = this.state;
    if (status === "loading") this.#changedMeanwhile = true;
    else if (key !== undefined && !creating) await this.#reread();
  }

  /** Compares the open document with its file. */
  async #reread(): Promise<void> {
    const mine = this.#opening;
    try {
      const document = await this.#read();
      if (document === undefined) return;
      if (document.content === this.state.baseline) this.#set({ document, external: undefined });
      else if (this.isDirty && document.content !== this.state.content) this.#set({ external: { content: document.content } });
      else this.#set({ document, content: document.content, baseline: document.content, external: undefined });
    } catch (error) {
      if (mine !== this.#opening) return;
      if (!isGone(error)) this.#set({ error: messageOf(error) });
      else if (this.isDirty) this.#set({ external: { content: null } });
      else this.close();
    }
  }

  /** The open document as it is on disk after every save of it that was asked for; undefined when the user has left it, or it is being read anew. */
  async #read(): Promise<OpenDocument | undefined> {
    const opening = this.#opening;
    this.#reading += 1;
    const reading = this.#reading;
    for (;;) {
      const writes = this.#writes;
      const [answer] = await Promise.allSettled([this.collection.open(this.#bus, this.state.key ?? "")]);
      if (opening !== this.#opening || reading !== this.#reading) return undefined;
      if (this.#savingKey === undefined || this.#savingKey !== this.state.key) {
        if (writes !== this.#writes) continue;
        if (answer.status === "fulfilled") return answer.value;
        throw answer.reason;
      }
      await this.#saving;
      if (opening !== this.#opening || reading !== this.#reading) return undefined;
    }
  }

  /** The file is gone: what was typed becomes a new entry under the same id. */
  keepAsNew(): void {
    this.#opening += 1;
    this.#set({ creating: true, baseline: "", document: undefined, external: undefined, error: undefined, status: "idle" });
  }

  #restore(): void {
    const draft = this.#drafts.read();
    if (draft === undefined) return;
    this.#opening += 1;
    const { creating, key, content } = draft;
    if (creating) {
      this.#set({ ...NOTHING_OPEN, creating, key, content, baseline: "" });
      return;
    }
    this.#set({ ...NOTHING_OPEN, key, content, status: "loading" });
    void this.#load(() => ({}));
  }

  /** Puts the file below what is shown, without touching what was typed. */
  async #load(change: (document: OpenDocument) => Partial<CollectionState>): Promise<void> {
    const mine = this.#opening;
    this.#changedMeanwhile = false;
    try {
      const document = await this.#read();
      if (document === undefined) return;
      this.#set({ document, baseline: document.content, status: "idle", ...change(document) });
    } catch (error) {
      if (mine !== this.#opening) return;
      const isDraft = isGone(error) && this.state.content !== "";
      this.#set({ status: "idle", ...(isDraft ? { external: { content: null }, baseline: "" } : { error: messageOf(error) }) });
    }
    if (this.#changedMeanwhile) await this.#reread();
  }

  #set(change: Partial<CollectionState>): void {
    this.state = { ...this.state, ...change };
    const kept = this.#drafts.apply(this.#decision());
    if (kept !== this.state.draftsWork) this.state = { ...this.state, draftsWork: kept };
    for (const listener of this.#listeners) listener();
  }

  #decision(): ReturnType<typeof draftDecision> {
    const { creating, key, content, baseline, rows, status } = this.state;
    // Before the draft of an earlier visit has been read, an empty page says nothing.
    if (key === undefined && this.#opening === 0) return "keep";
    if (creating && !this.isDirty && key === "") return "clear";
    if (status === "loading" || (rows === undefined && baseline === undefined && key !== undefined)) return "keep";
    return draftDecision({ creating, key, content, baseline });
  }
}

/** The codes with which the directory says that there is no such entry. */
function isGone(error: unknown): boolean {
  return /\bD(?:110|210|410)\b/.test(messageOf(error)) || /\bD(?:110|210|410)\b/.test(String((error as { code?: unknown })?.code));
}
