/** A search as it stands in a transcript. Whatever doesn't fit exactly is no search of ours: the console shows it in its own way then. */
export interface Candidate {
  readonly function_id: string;
  readonly description: string;
}
export interface WorkerSection {
  readonly namespace: string;
  readonly functions: readonly Candidate[];
}
export interface InstallableSection {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly functions: readonly Candidate[];
}
export interface SkillSection {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}
export interface TriggerSection {
  readonly id: string;
  readonly trigger_type: string;
  readonly function_id: string;
  readonly worker_name: string | undefined;
  readonly config: unknown;
}
export interface SearchAnswer {
  readonly guidance: string;
  readonly latencyMs: number;
  readonly mode: string | undefined;
  readonly workers: readonly WorkerSection[];
  readonly installable: readonly InstallableSection[];
  readonly skills: readonly SkillSection[];
  readonly triggers: readonly TriggerSection[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Thrown and caught in this file only: somewhere below, a value has the wrong shape. */
class Misfit extends Error {}

function fields(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Misfit();
  return value as Fields;
}
function text(value: unknown): string {
  if (typeof value !== "string") throw new Misfit();
  return value;
}
function name(value: unknown): string {
  if (text(value) === "") throw new Misfit();
  return value as string;
}
function list<Item>(value: unknown, item: (value: unknown) => Item): Item[] {
  if (!Array.isArray(value)) throw new Misfit();
  return value.map(item);
}
function optionalList<Item>(value: unknown, item: (value: unknown) => Item): Item[] {
  return value === undefined || value === null ? [] : list(value, item);
}

function candidate(value: unknown): Candidate {
  const { function_id, description } = fields(value);
  return { function_id: name(function_id), description: text(description) };
}

/** The payload of an answer: as it is, inside the harness's envelope, or as text of either. */
export function unwrap(value: unknown): unknown {
  const decoded = decode(value);
  if (typeof decoded !== "object" || decoded === null || Array.isArray(decoded)) return decoded;
  const { content, details } = decoded as Fields;
  return Array.isArray(content) && details !== undefined && details !== null ? decode(details) : decoded;
}

function decode(value: unknown): unknown {
  let decoded = value;
  for (let depth = 0; depth < 2 && typeof decoded === "string"; depth += 1) {
    try {
      decoded = JSON.parse(decoded);
    } catch {
      return decoded;
    }
  }
  return decoded;
}

/** Null when it isn't an answer of the search. */
export function parseSearch(output: unknown): SearchAnswer | null {
  try {
    const answer = fields(unwrap(output));
    const { guidance, latency_ms, search_mode } = answer;
    if (typeof latency_ms !== "number" || !Number.isFinite(latency_ms)) return null;
    return {
      guidance: text(guidance),
      latencyMs: latency_ms,
      mode: typeof search_mode === "string" && search_mode !== "" ? search_mode : undefined,
      workers: list(answer["workers"], (value) => {
        const worker = fields(value);
        return { namespace: name(worker["namespace"]), functions: list(worker["functions"], candidate) };
      }),
      installable: optionalList(answer["installable"], (value) => {
        const worker = fields(value);
        return {
          name: name(worker["name"]),
          version: text(worker["version"]),
          description: text(worker["description"]),
          functions: list(worker["functions"], candidate),
        };
      }),
      skills: optionalList(answer["skills"], (value) => {
        const skill = fields(value);
        return { id: name(skill["id"]), title: text(skill["title"]), description: text(skill["description"]) };
      }),
      triggers: optionalList(answer["triggers"], (value) => {
        const { id, trigger_type, function_id, worker_name, config } = fields(value);
        const owner = worker_name === undefined || worker_name === null ? undefined : text(worker_name);
        return { id: name(id), trigger_type: name(trigger_type), function_id: name(function_id), worker_name: owner, config };
      }),
    };
  } catch (error) {
    if (error instanceof Misfit) return null;
    throw error;
  }
}

/** What was searched for; empty when the request can't be read. */
export function parseCapabilities(input: unknown): string[] {
  const request = unwrap(input);
  const { capabilities, payload } = (typeof request === "object" && request !== null ? request : {}) as Fields;
  if (capabilities === undefined && payload !== undefined) return parseCapabilities(payload);
  return Array.isArray(capabilities) ? capabilities.filter((each) => typeof each === "string") : [];
}
