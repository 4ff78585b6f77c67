/** Tells an operator that hybrid search has nothing to be hybrid with. The other modes need no model, so they never complain. */
import type { Logger } from "../../border/log.js";
import type { Configuration } from "../../protocol/configuration.js";
import type { Surroundings } from "../../protocol/thread.js";
import type { BundleManifest } from "./model/manifest.js";
import { mayDownload, modelSources } from "./model-choice.js";

export type Moment = "boot" | "reload";

/** One line, at boot and with each reload. At boot not where the missing bundle may be fetched. */
export async function warnOfMissingModel(
  configuration: Readonly<Configuration>,
  surroundings: Surroundings,
  log: Pick<Logger, "warn">,
  moment: Moment,
  bundle?: BundleManifest,
): Promise<void> {
  if (configuration.function_search_mode !== "hybrid") return;
  if (moment === "boot" && mayDownload(configuration)) return;
  const sources = await modelSources(configuration, surroundings, bundle);
  if (sources.length > 0) return;
  const { function_search_model_path: path } = configuration;
  log.warn(
    path === null
      ? "function_search_mode is hybrid and function_search_model_path is null: terms alone rank searches"
      : "function_search_mode is hybrid and there is no complete model: terms alone rank searches. Set function_search_model_path to a bundle",
  );
}
