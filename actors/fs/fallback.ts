/** What is served instead of a skill that doesn't exist: the overview of the worker that was probably meant. */
import { displayedId, firstSegment, isSingleSegment } from "../../domain/skill-id.js";

const ENGINE = "iii";
const OWN = "directory";

/** The worker whose name the first part of an id says, or contains; undefined when none does, or several do equally well. */
export function meantWorker(id: string, installed: ReadonlySet<string>): string | undefined {
  const query = firstSegment(id).toLowerCase();
  if (query === "" || query === ENGINE) return undefined;
  const names = [...new Set([...installed, OWN])].sort();
  const exact = names.find((name) => name.toLowerCase() === query);
  if (exact !== undefined) return exact;
  const containing = names.filter((name) => name.toLowerCase().includes(query)).sort((left, right) => left.length - right.length);
  const [shortest, next] = containing;
  return shortest !== undefined && shortest.length !== next?.length ? shortest : undefined;
}

export type Fallback =
  /** Id on disk of the overview to serve. */
  | { readonly kind: "overview"; readonly id: string; readonly worker: string }
  /** The worker is installed and has nothing; the engine's own overview, when there is one. */
  | { readonly kind: "engine"; readonly id: string | undefined; readonly worker: string };

export function fallbackFor(missed: string, installed: ReadonlySet<string>, visible: ReadonlySet<string>): Fallback | undefined {
  const worker = meantWorker(missed, installed);
  if (worker === undefined) return undefined;
  const overview = `${worker}/index`;
  const pages = [...visible].filter((id) => id === worker || id.startsWith(`${worker}/`));
  if (pages.length === 0) {
    const engine = `${ENGINE}/index`;
    return { kind: "engine", id: visible.has(engine) ? engine : undefined, worker };
  }
  if (!visible.has(overview)) return undefined;
  const isOnlyPage = pages.length === 1;
  return isSingleSegment(missed) || isOnlyPage ? { kind: "overview", id: overview, worker } : undefined;
}

/** Goes before the body of what is served instead; never into the raw file. */
export function fallbackNote(missed: string, { kind, id, worker }: Fallback): string {
  const shown = displayedId(id ?? "", () => false);
  const served =
    kind === "overview"
      ? `the overview \`${shown}\``
      : `\`${shown}\`, because the worker \`${worker}\` is installed and has no pages`;
  const list = kind === "overview" ? ` Its pages: directory::skills::list with prefix="${worker}/".` : "";
  const functions = `Functions that can be called: engine::functions::list with worker="${worker}", and engine::workers::info.`;
  return `> Note: no skill \`${missed}\` exists. Showing ${served}.${list} ${functions}\n\n---\n\n`;
}
