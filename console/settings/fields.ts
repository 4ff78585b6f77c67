/** The fields of the settings form, in its order. Names, bounds and defaults are those of the configuration. */
export type Mode = "lexical" | "hybrid" | "jev";

interface Base {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** Takes effect at the next start only. */
  readonly restart?: boolean;
}
export interface TextField extends Base {
  readonly kind: "text" | "secret";
  readonly placeholder: string;
}
export interface NumberField extends Base {
  readonly kind: "number";
  readonly placeholder: string;
  readonly min: number;
  readonly max?: number;
  readonly step: number | "any";
}
export interface FlagField extends Base {
  readonly kind: "flag";
  readonly fallback: boolean;
}
export interface ModeField extends Base {
  readonly kind: "mode";
}
export type SettingsField = TextField | NumberField | FlagField | ModeField;

export interface SettingsSection {
  readonly title: string;
  readonly fields: readonly SettingsField[];
}

const text = (name: string, label: string, placeholder: string, hint: string, restart = false): TextField => ({
  kind: "text",
  name,
  label,
  placeholder,
  hint,
  restart,
});
const flag = (name: string, label: string, fallback: boolean, hint: string, restart = false): FlagField => ({
  kind: "flag",
  name,
  label,
  fallback,
  hint,
  restart,
});
const number = (
  name: string,
  label: string,
  placeholder: string,
  hint: string,
  bounds: Partial<NumberField> = {},
): NumberField => ({
  kind: "number",
  name,
  label,
  placeholder,
  hint,
  min: 0,
  step: 1,
  ...bounds,
});

export const SECTIONS: readonly SettingsSection[] = [
  {
    title: "Content locations",
    fields: [
      text("skills_folder", "Skills folder", "skills", "Global root of skills and prompts; relative to the project.", true),
      text(
        "local_skills_folder",
        "Local skills folder",
        "skills/iii",
        "Project root; a namespace here hides the global one.",
        true,
      ),
      text("agents_folder", "Agents folder", "agents", "Agent profiles, one file each.", true),
      text("agents_skills_folder", "Shared skills folder", ".agents/skills", "Skills shared with other agents; only read.", true),
    ],
  },
  {
    title: "Worker registry",
    fields: [
      text("registry_url", "Registry URL", "https://api.workers.iii.dev", "Where workers that could be installed are looked up."),
      number("download_timeout_ms", "Download timeout (ms)", "60000", "Limit of one request or one git clone."),
      number("registry_cache_ttl_ms", "Registry cache (ms)", "60000", "How long answers are kept; 0 keeps none."),
      flag("registry_search", "Include installable workers", true, "A search also shows workers that could be installed."),
    ],
  },
  {
    title: "Skill availability",
    fields: [
      flag("filter_unregistered", "Hide uninstalled namespaces", true, "Skills of workers that are not installed are left out."),
      flag(
        "auto_download",
        "Download skills automatically",
        true,
        "Fetch the skills of a worker when it is added, and at boot.",
        true,
      ),
      flag("download_command_prompts", "Download command prompts", false, "Downloads write command prompts too."),
    ],
  },
  {
    title: "Function search",
    fields: [
      { kind: "mode", name: "function_search_mode", label: "Search mode", hint: "What ranks the functions of a search." },
      {
        kind: "secret",
        name: "function_search_jev_api_key",
        label: "Jev API key",
        placeholder: "from TYPESAFE_API_KEY",
        hint: "A key here goes before the environment variable TYPESAFE_API_KEY; it is never shown again.",
      },
      text("function_search_jev_model", "Jev model", "jev-1.13.0", "Remote model that judges."),
      number("function_search_jev_timeout_ms", "Jev timeout (ms)", "3000", "Deadline of a judged search.", { min: 1, max: 30_000 }),
      number("function_search_jev_min_relevance", "Jev minimum relevance", "0.5", "Floor for functions, 0 to 1.", {
        max: 1,
        step: "any",
      }),
      number(
        "function_search_jev_side_lane_min_relevance",
        "Jev side-lane minimum relevance",
        "0.3",
        "Floor for skills and triggers, 0 to 1.",
        {
          max: 1,
          step: "any",
        },
      ),
      number(
        "function_search_jev_shortlist",
        "Jev shortlist",
        "0",
        "Judge so many local candidates of each capability; 0: every document.",
      ),
      text(
        "function_search_model_path",
        "Model directory",
        "~/.cache/iii/all-MiniLM-L6-v2-…",
        "A model that goes before the embedded one.",
        true,
      ),
      flag(
        "function_search_model_download",
        "Download the model on first run",
        true,
        "Allowed at boot, when a model is needed.",
        true,
      ),
      flag("function_search_reranker", "Rerank hybrid results", false, "With the cross-encoder, where it is present."),
    ],
  },
  {
    title: "Search guidance",
    fields: [
      flag("inject_hint", "Tell models about the search", false, "Adds a hint to a generation that could use it."),
      number("hint_min_workers", "Minimum surface", "2", "Fewer connected workers than this: no hint; 0: always."),
    ],
  },
];

export const MODES: readonly { readonly value: Mode; readonly label: string; readonly hint: string }[] = [
  { value: "lexical", label: "Lexical", hint: "Words only. No model, no network, the least memory." },
  { value: "hybrid", label: "Hybrid", hint: "Words and meaning, by a small model on this machine." },
  { value: "jev", label: "Jev", hint: "A remote judge reads every contract. Needs a key." },
];

/** A missing or unknown mode is what the worker takes for it. */
export function modeOf(value: unknown): Mode {
  return MODES.find((mode) => mode.value === value)?.value ?? "hybrid";
}

/** Hybrid search without any model; an absent path is the default one, which is something. */
export function needsModel(mode: Mode, modelPath: unknown): boolean {
  return mode === "hybrid" && modelPath === null;
}

export function flagOf(value: unknown, fallback: boolean): boolean {
  return typeof value === "boolean" ? value : fallback;
}

type Draft = Readonly<Record<string, unknown>>;

/** The draft with one key set, or without it when there is nothing to set; every other key stays. */
export function withField(draft: Draft, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _before, ...rest } = draft;
  return value === undefined || value === "" ? rest : { ...draft, [name]: value };
}

/** What a text in a number field means: a number, nothing (the default), or no number at all. */
export function parseNumber(typed: string): { readonly value: number | undefined } | undefined {
  const text = typed.trim();
  if (text === "") return { value: undefined };
  const value = Number(text);
  return Number.isFinite(value) ? { value } : undefined;
}

/** Why a number can't be taken; undefined when it can. */
export function numberFault({ min, max, step }: NumberField, value: number): string | undefined {
  if (step === 1 && !Number.isInteger(value)) return "must be a whole number";
  if (value < min) return `must be at least ${min}`;
  return max !== undefined && value > max ? `must be at most ${max}` : undefined;
}
