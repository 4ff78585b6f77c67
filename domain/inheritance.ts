/** What a profile takes from those that it extends. Resolved with every read, against the profiles that are there at that moment. */
import type { AgentProfile } from "./agent-profile.js";
import { invalidInput } from "./refusal.js";
import { trimWhiteSpace } from "./text.js";

/** Steps from a profile to an ancestor. */
const MAX_HOPS = 8;

export interface Member<Profile extends AgentProfile = AgentProfile> {
  readonly id: string;
  readonly profile: Profile;
}

export interface Lineage<Given extends Member> {
  /** The profile itself, its parent and so on; only itself when the chain is broken. */
  readonly chain: readonly Given[];
  /** D415 with its code, as it is shown; the profile is served with its own values then. */
  readonly error?: string;
}

export function lineageOf<Given extends Member>(self: Given, catalog: ReadonlyMap<string, Given>): Lineage<Given> {
  const chain: Given[] = [self];
  for (let last = self; last.profile.extends !== null; ) {
    const parent = last.profile.extends;
    const ids = chain.map(({ id }) => id);
    const broken = (fault: string, link = ""): Lineage<Given> => ({ chain: [self], error: chainError(self.id, fault, link) });
    if (ids.includes(parent)) return broken(`has an extends loop: ${trail([...ids, parent])}`);
    if (chain.length > MAX_HOPS) return broken(`extends chain is deeper than ${MAX_HOPS} levels: ${trail([...ids, parent])}`);
    const found = catalog.get(parent);
    if (found === undefined) {
      const link = last === self ? "" : `. It is named by ${JSON.stringify(last.id)}`;
      return broken(`extends unknown agent profile ${JSON.stringify(parent)}`, link);
    }
    chain.push(found);
    last = found;
  }
  return { chain };
}

function trail(ids: readonly string[]): string {
  return ids.join(" → ");
}

function chainError(id: string, fault: string, link: string): string {
  const { code, message } = invalidInput("D415", `agent profile ${JSON.stringify(id)} ${fault}${link}`, [
    ["directory::agents::list", "see which profiles there are"],
  ]);
  return `${code} ${message}`;
}

type Chain = readonly Member[];

/** Root first, each entry once. */
export function inheritedList(chain: Chain, key: "skills" | "functions"): string[] {
  return [...new Set(chain.toReversed().flatMap(({ profile }) => profile[key]))];
}

/** Of the nearest profile that says anything. */
export function inheritedValue(chain: Chain, key: "model" | "reasoningEffort"): string | null {
  return chain.find(({ profile }) => profile[key] !== null)?.profile[key] ?? null;
}

/** Bodies root first, a blank line between two; blank ones are left out, the first and the last keep their bytes. */
export function inheritedPrompt(chain: Chain): string {
  return chain
    .toReversed()
    .map(({ profile }) => profile.body)
    .filter((body) => trimWhiteSpace(body) !== "")
    .reduce((before, body) => (before === "" ? body : `${withoutNewlines(before)}\n\n${body}`), "");
}

function withoutNewlines(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return text.slice(0, end);
}
