/** The built script of the console as a console runs it: with React, and a host that keeps what is registered. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Bus, Host, PaletteSource, TriggerMessage, TriggerRenderer } from "../../console/host.js";
import { ROOT } from "./shared.js";

type Form = Parameters<Host["configForms"]["register"]>[1];
type Chip = Parameters<NonNullable<NonNullable<Host["chat"]>["registerSessionChip"]>>[0];
type TranscriptRenderer = Parameters<NonNullable<NonNullable<Host["chat"]>["registerTranscriptRenderer"]>>[0];

export interface Registered {
  readonly renderers: readonly TriggerRenderer[];
  readonly forms: ReadonlyMap<string, Form>;
  readonly chips: readonly Chip[];
  readonly transcript: readonly TranscriptRenderer[];
  readonly palette: readonly PaletteSource[];
  /** What was opened, in the order of the calls. */
  readonly opened: readonly unknown[];
}

/** A bus on which nobody answers. */
export const SILENT_BUS: Bus = {
  browserId: "tab",
  trigger: () => new Promise<never>(() => undefined),
  on: () => () => undefined,
  registerTrigger: () => () => undefined,
};

export async function pageScript(bus: Bus = SILENT_BUS): Promise<Registered> {
  const { default: setup } = (await import(pathToFileURL(join(ROOT, "dist", "console", "page.js")).href)) as {
    default: (host: Host) => unknown;
  };
  const renderers: TriggerRenderer[] = [];
  const forms = new Map<string, Form>();
  const chips: Chip[] = [];
  const transcript: TranscriptRenderer[] = [];
  const palette: PaletteSource[] = [];
  const opened: unknown[] = [];
  const into =
    <Entry>(list: Entry[]) =>
    (entry: Entry) => {
      list.push(entry);
      return (): void => undefined;
    };
  setup({
    iii: bus,
    pages: { register: () => () => undefined },
    functionTriggers: { register: into(renderers) },
    configForms: {
      register: (id, form) => {
        forms.set(id, form);
        return () => undefined;
      },
    },
    chat: { registerSessionChip: into(chips), registerTranscriptRenderer: into(transcript) },
    palette: { registerSource: into(palette) },
    panels: { open: into(opened) },
  });
  return { renderers, forms, chips, transcript, palette, opened };
}

/** What a console shows of a call, as HTML; null when no renderer takes it. */
export function htmlOfCall(
  registered: Registered,
  message: TriggerMessage,
  view: "settled" | "running" = "settled",
): string | null {
  for (const renderer of registered.renderers) {
    if (!renderer.isMatch(message.functionId ?? "")) continue;
    const node = view === "settled" ? renderer.tryRender(message) : (renderer.tryRenderRunning?.(message) ?? null);
    if (node !== null) return htmlOf(node);
  }
  return null;
}

export function htmlOf(node: ReactNode): string {
  return renderToStaticMarkup(createElement("div", {}, node));
}

/** The words of some HTML, with one space wherever an element begins or ends. */
export function wordsOf(html: string): string {
  const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|#x27|amp);/g, (_, name: string) => entities[name] ?? "").trim();
}

/** The elements of some HTML with the names of their attributes, without what those hold. */
export function tagsOf(html: string): string[] {
  return (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, ""));
}
