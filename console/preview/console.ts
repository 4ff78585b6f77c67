/**
 * The console's side of the asset protocol: finds what workers have bound to its trigger types, fetches the content from the bound
 * function, loads styles before scripts, and gives each script a host to register with.
 */
import type { Bus, Host, Off, PageCommand, PageProps, PaletteSource, SessionChipProps, TriggerRenderer } from "../host.js";

export interface RegisteredPage {
  readonly id: string;
  readonly title: string;
  readonly scope: string;
  readonly render: (props: PageProps) => React.ReactNode;
}

export interface Contributions {
  readonly pages: readonly RegisteredPage[];
  readonly renderers: readonly { readonly scope: string; readonly renderer: TriggerRenderer }[];
  readonly forms: ReadonlyMap<string, { readonly scope: string; readonly Form: Parameters<Host["configForms"]["register"]>[1] }>;
  readonly palette: readonly PaletteSource[];
  readonly commands: readonly (PageCommand & { readonly pageId: string })[];
  readonly chips: readonly { readonly id: string; readonly scope: string; render(props: SessionChipProps): React.ReactNode }[];
  /** Why an asset isn't there, for people. */
  readonly faults: readonly string[];
}

export const NO_CONTRIBUTIONS: Contributions = {
  pages: [],
  renderers: [],
  forms: new Map(),
  palette: [],
  commands: [],
  chips: [],
  faults: [],
};

type Kind = "console:style" | "console:script";
const KINDS: readonly Kind[] = ["console:style", "console:script"];
const LOOK_EVERY_MS = 2_000;

interface Loaded {
  readonly hash: string;
  readonly unload: () => void;
}

interface BoundAsset {
  readonly trigger_type: string;
  readonly function_id: string;
  readonly config?: { readonly path?: string };
}

export class ConsoleAssets {
  readonly #bus: Bus;
  readonly #open: (panel: { readonly pageId: string; readonly context?: unknown }) => void;
  readonly #changed: () => void;
  readonly #loaded = new Map<string, Loaded>();
  #chain: Promise<unknown> = Promise.resolve();
  contributions = NO_CONTRIBUTIONS;

  constructor(bus: Bus, open: (panel: { readonly pageId: string; readonly context?: unknown }) => void, changed: () => void) {
    this.#bus = bus;
    this.#open = open;
    this.#changed = changed;
  }

  /** Loads what is bound, and follows it. */
  start(): void {
    this.#bus.addConnectionStateListener?.((state) => state === "connected" && this.#look());
    setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#look();
  }

  /** One after another: two loads of one path must not cross. */
  #look(): void {
    this.#chain = this.#chain.then(() => this.#sync()).catch(() => {});
  }

  async #sync(): Promise<void> {
    const seen = new Set<string>();
    for (const kind of KINDS) {
      const { registered_triggers } = await this.#bus.trigger<{ registered_triggers: BoundAsset[] }>(
        "engine::registered-triggers::list",
        { trigger_type: kind },
        { timeoutMs: 5_000 },
      );
      for (const { function_id, config } of registered_triggers) {
        const path = config?.path;
        if (typeof path !== "string") continue;
        seen.add(path);
        await this.#load(kind, path, function_id).catch((error: unknown) =>
          this.#fault(`${path}: ${String((error as Error).message ?? error)}`),
        );
      }
    }
    for (const [path, { unload }] of this.#loaded) {
      if (seen.has(path)) continue;
      unload();
      this.#loaded.delete(path);
    }
  }

  async #load(kind: Kind, path: string, functionId: string): Promise<void> {
    const { content, content_type } = await this.#bus.trigger<{ content: string; content_type: string }>(
      functionId,
      { path },
      { timeoutMs: 5_000 },
    );
    const hash = await hashOf(content);
    const before = this.#loaded.get(path);
    if (before?.hash === hash) return;
    const url = URL.createObjectURL(new Blob([content], { type: content_type }));
    const scope = path.split("/")[0] ?? "";
    const unload = kind === "console:style" ? await loadStyle(url) : await this.#loadScript(url, scope, before);
    if (kind === "console:style") before?.unload();
    this.#loaded.set(path, { hash, unload });
  }

  async #loadScript(url: string, scope: string, before: Loaded | undefined): Promise<() => void> {
    before?.unload();
    const { default: setup } = (await import(/* @vite-ignore */ url)) as {
      default: (host: Host) => Off | Promise<Off> | undefined;
    };
    URL.revokeObjectURL(url);
    const offs: Off[] = [];
    const teardown = await setup(this.#host(scope, offs));
    return () => {
      for (const off of offs.reverse()) off();
      teardown?.();
    };
  }

  #host(scope: string, offs: Off[]): Host {
    const add = <Key extends "pages" | "renderers" | "palette" | "commands" | "chips">(
      key: Key,
      ...items: Contributions[Key][number][]
    ): Off => {
      this.#set({ [key]: [...this.contributions[key], ...items] });
      const off = (): void =>
        this.#set({ [key]: (this.contributions[key] as readonly unknown[]).filter((each) => !items.includes(each as never)) });
      offs.push(off);
      return off;
    };
    return {
      iii: this.#bus,
      pages: { register: (page) => add("pages", { ...page, scope }) },
      functionTriggers: { register: (renderer) => add("renderers", { scope, renderer }) },
      configForms: {
        register: (id, Form) => {
          this.#set({ forms: new Map([...this.contributions.forms, [id, { scope, Form }]]) });
          const off = (): void => this.#set({ forms: new Map([...this.contributions.forms].filter(([each]) => each !== id)) });
          offs.push(off);
          return off;
        },
      },
      chat: { registerSessionChip: (chip) => add("chips", { ...chip, scope }), registerTranscriptRenderer: () => () => {} },
      palette: { registerSource: (source) => add("palette", source) },
      commands: { register: (pageId, commands) => add("commands", ...commands.map((command) => ({ ...command, pageId }))) },
      panels: { open: this.#open },
    };
  }

  #set(change: Partial<Contributions>): void {
    this.contributions = { ...this.contributions, ...change };
    this.#changed();
  }

  #fault(fault: string): void {
    if (!this.contributions.faults.includes(fault)) this.#set({ faults: [...this.contributions.faults, fault] });
  }
}

function loadStyle(url: string): Promise<() => void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = url;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve(() => link.remove());
    link.onerror = () => reject(new Error("the style sheet can't be loaded"));
    document.head.append(link);
  });
}

async function hashOf(content: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  return [...new Uint8Array(digest).slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
