/**
 * The part of a console that this script uses. Everything but `iii`, `pages`, `functionTriggers` and `configForms` may be missing in an
 * older console, so it is optional here and asked for before it is used.
 */
import type { ComponentType, ReactNode } from "react";

export type Off = () => void;

export interface Bus {
  trigger<Reply = unknown>(id: string, payload?: unknown, options?: { readonly timeoutMs?: number }): Promise<Reply>;
  /** A handler of this tab; the name it is reached under ends with the tab's own id. */
  on(id: string, handler: (payload: unknown) => unknown): Off;
  registerTrigger(trigger: { readonly type: string; readonly function_id: string; readonly config: unknown }): Off;
  addConnectionStateListener?(listener: (state: string) => void): Off;
  readonly browserId: string;
}

export interface PageCommand {
  readonly id: string;
  readonly title: string;
  readonly shortcut?: string;
  readonly enabled?: boolean;
  readonly whileTyping?: boolean;
  readonly run: () => void;
}

export interface PageProps {
  readonly panelSide?: string;
  readonly tabId?: string;
  readonly onRequestClose?: () => void;
  readonly panelContext?: unknown;
  readonly setDirty?: (dirty: boolean) => void;
  readonly commands?: { register(commands: readonly PageCommand[]): Off };
}

/** One call of a function in a transcript, in whatever state it is. */
export interface TriggerMessage {
  readonly functionId?: string;
  readonly status?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly isError?: boolean;
}

export interface TriggerRenderer {
  readonly id: string;
  isMatch(functionId: string): boolean;
  tryRender(message: TriggerMessage): ReactNode;
  tryRenderRunning?(message: TriggerMessage): ReactNode;
  tryRenderPreview?(message: TriggerMessage): ReactNode;
  readonly FunctionIdLabel?: ComponentType<{ readonly functionId: string }>;
}

export interface ConfigFormProps {
  readonly id: string;
  readonly schema?: unknown;
  readonly value: Readonly<Record<string, unknown>> | null | undefined;
  readonly onChange: (next: Record<string, unknown>) => void;
  /** By JSON pointer. */
  readonly errors?: ReadonlyMap<string, string>;
  readonly focusField?: readonly string[] | undefined;
}

export interface SessionChipProps {
  readonly sessionId: string;
  readonly modelId?: string;
  readonly contextWindow?: number;
}

export interface PaletteRow {
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string;
  readonly run: () => void;
}

export interface PaletteSource {
  readonly id: string;
  readonly kind: "item";
  readonly minCharacters: number;
  search(query: string, signal: AbortSignal): Promise<readonly PaletteRow[]>;
}

export interface Host {
  readonly iii: Bus;
  readonly pages: {
    register(page: { readonly id: string; readonly title: string; render(props: PageProps): ReactNode }): Off | undefined;
  };
  readonly functionTriggers: { register(renderer: TriggerRenderer): Off | undefined };
  readonly configForms: { register(id: string, form: ComponentType<ConfigFormProps>): Off | undefined };
  readonly chat?: {
    registerSessionChip?(chip: { readonly id: string; render(props: SessionChipProps): ReactNode }): Off | undefined;
    registerTranscriptRenderer?(renderer: { readonly id: string; render(annotation: unknown): ReactNode }): Off | undefined;
  };
  readonly palette?: { registerSource?(source: PaletteSource): Off | undefined };
  readonly commands?: { register?(pageId: string, commands: readonly PageCommand[]): Off | undefined };
  readonly panels?: { open?(panel: { readonly pageId: string; readonly context?: unknown }): void };
}

/** What a failed call threw: an Error, or the plain `{ code, message }` of the engine. */
export function messageOf(error: unknown): string {
  const { message } = (typeof error === "object" && error !== null ? error : {}) as { message?: unknown };
  return typeof message === "string" && message !== "" ? message : String(error);
}
