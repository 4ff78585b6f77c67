/** What is to be known of the configuration without its schema: threads load this, and are spared the library behind the schema. */

export const MODEL_REVISION = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf";

/** Fields that take effect at the next start: a reload that changes one of them is refused whole. */
export const TOPOLOGY_FIELDS = [
  "skills_folder",
  "local_skills_folder",
  "agents_folder",
  "agents_skills_folder",
  "auto_download",
  "function_search_model_path",
  "function_search_model_download",
] as const;

/** Folders whose default lies below the project base. */
export const FOLDER_FIELDS = ["skills_folder", "local_skills_folder", "agents_folder", "agents_skills_folder"] as const;

/** Tunables that are our own, beyond the contract. */
export const EXTRA_FIELDS = ["download_command_prompts", "function_search_reranker", "function_search_jev_shortlist"] as const;

/** Upper bound of `function_search_jev_timeout_ms`. */
export const LONGEST_JUDGING_MS = 30_000;
