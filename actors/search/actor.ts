import { run } from "../runtime.js";
import { buildSearch, type SearchOptions } from "./build.js";

await run("search", async (setting) => {
  const given = setting.surroundings.options.search as SearchOptions | undefined;
  return buildSearch(
    setting,
    given ?? { internalFunctionIds: (await import("../../protocol/functions/own.js")).INTERNAL_FUNCTION_IDS },
  );
});
