/**
 * The configuration of the worker: one declaration gives the TypeScript type, the JSON Schema that the configuration worker gets, and
 * the validator. Every field may be left out; null is legal only where it is said.
 */
import { type Static, Type } from "typebox";
import { LONGEST_JUDGING_MS, MODEL_REVISION } from "./configuration-fields.js";

export * from "./configuration-fields.js";

const NON_BLANK = "\\S";

export const Configuration = Type.Object(
  {
    skills_folder: Type.String({ default: "skills", description: "Global root of skills and prompts, read and written." }),
    local_skills_folder: Type.String({
      default: "skills/iii",
      description: "Project root; a namespace here hides the global one.",
    }),
    agents_folder: Type.String({ default: "agents", description: "Folder of agent profiles, one <id>.md each." }),
    agents_skills_folder: Type.String({ default: ".agents/skills", description: "Skills shared with other agents; only read." }),
    auto_download: Type.Boolean({ default: true, description: "Fetch the skills of a worker when it is added, and at boot." }),
    function_search_model_path: Type.Unsafe<string | null>({
      type: ["string", "null"],
      pattern: NON_BLANK,
      default: `~/.cache/iii/all-MiniLM-L6-v2-${MODEL_REVISION}`,
      description: "Folder of a model bundle that goes before the embedded model; null turns local models off.",
    }),
    function_search_model_download: Type.Boolean({ default: true, description: "Allow the download of the model bundle at boot." }),
    registry_url: Type.String({ default: "https://api.workers.iii.dev", description: "Base address of the workers registry." }),
    download_timeout_ms: Type.Integer({ minimum: 0, default: 60_000, description: "Limit of one HTTP request or one git clone." }),
    registry_cache_ttl_ms: Type.Integer({
      minimum: 0,
      default: 60_000,
      description: "Age at which registry answers go; 0: no cache.",
    }),
    filter_unregistered: Type.Boolean({ default: true, description: "Hide skills of workers that are not installed." }),
    inject_hint: Type.Boolean({ default: false, description: "Bind the pre-generate hook, which tells models about the search." }),
    hint_min_workers: Type.Integer({
      minimum: 0,
      default: 2,
      description: "Fewer connected workers than this: no hint; 0: always.",
    }),
    registry_search: Type.Boolean({ default: true, description: "Search shows workers that could be installed." }),
    function_search_mode: Type.Unsafe<"lexical" | "hybrid" | "jev">({
      type: "string",
      enum: ["lexical", "hybrid", "jev"],
      default: "hybrid",
      description: "What ranks functions: terms, terms and vectors, or remote judging.",
    }),
    function_search_jev_api_key: Type.Unsafe<string | null>({
      type: ["string", "null"],
      default: null,
      format: "password",
      description: "Key of the remote judge; blank or null: the one in the environment.",
    }),
    function_search_jev_model: Type.String({
      minLength: 1,
      pattern: NON_BLANK,
      default: "jev-1.13.0",
      description: "Remote model.",
    }),
    function_search_jev_timeout_ms: Type.Integer({
      minimum: 1,
      maximum: LONGEST_JUDGING_MS,
      default: 3_000,
      description: "Deadline of a judged search.",
    }),
    function_search_jev_min_relevance: Type.Number({ minimum: 0, maximum: 1, default: 0.5, description: "Floor for functions." }),
    function_search_jev_side_lane_min_relevance: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.3,
      description: "Floor for skills and triggers.",
    }),
    download_command_prompts: Type.Boolean({ default: false, description: "Downloads write command prompts too." }),
    function_search_reranker: Type.Boolean({
      default: false,
      description: "Rerank hybrid results with the cross-encoder, if present.",
    }),
    function_search_jev_shortlist: Type.Integer({
      minimum: 0,
      default: 0,
      description: "Judge only so many local candidates of each capability; 0: every document.",
    }),
  },
  { title: "DirectoryConfig" },
);

export type Configuration = Static<typeof Configuration>;

/** Identity of the stored entry; its id can be given another name by `III_CONFIG_NAME`. */
export const CONFIGURATION_ENTRY = {
  id: "iii-directory",
  name: "iii-directory",
  description: "Folders, downloads, registry, search mode and remote judging of the directory worker.",
  metadata: { ui_form: "iii-directory" },
} as const;

/** A configuration with its number, counted from 1 at boot; see `CallContext.configuration`. */
export interface ConfigurationSnapshot {
  readonly generation: number;
  readonly values: Readonly<Configuration>;
}
