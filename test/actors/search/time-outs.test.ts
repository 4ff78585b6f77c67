/** Field fault K7: a time-out that is set has its documented effect, and no shorter one is hidden behind it. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { searchTimeoutMs } from "../../../actors/search/search-call.js";
import { DEFAULT_CONFIGURATION } from "../../../domain/configuration.js";
import { CONTRACTS } from "../../../protocol/actors.js";
import { LONGEST_JUDGING_MS } from "../../../protocol/configuration.js";
import { catalogOf, registered } from "../../harness/catalogue.js";
import { newContext } from "../../harness/context.js";
import { searchOver } from "../../harness/searching.js";

/** Milliseconds that each stage of one search is given. */
async function patience(values: Partial<typeof DEFAULT_CONFIGURATION>): Promise<Readonly<Record<string, number>>> {
  const given: Record<string, number> = {};
  const note = (stage: string, deadline: number): void => {
    given[stage] = deadline - Date.now();
  };
  const { actor } = searchOver(await catalogOf([registered("mail::send", "Send an email message.")]), {
    configuration: { function_search_mode: "jev", ...values },
    judge: async ({ capabilities, deadline }, context) => {
      note("judging", deadline);
      note("call of the judge", context.deadline);
      return {
        lanes: capabilities.map(() => []),
        model: "m",
        stats: { requests: 0, questions: 0, inputTokens: 0, outputTokens: 0, elapsedMs: 0 },
      };
    },
    installable: async ({ batches }, { deadline }) => {
      note("registry", deadline);
      return { batches: batches.map(() => []) };
    },
  });
  await actor.searchFunctions(
    { capabilities: ["send an email message"] },
    newContext(CONTRACTS.search.methods.searchFunctions.timeoutMs),
  );
  return given;
}

const SLACK_MS = 500;
const isAbout = (actual: number | undefined, expected: number): boolean =>
  actual !== undefined && actual <= expected + SLACK_MS && actual > expected - SLACK_MS;

for (const timeout of [1_000, 4_500, LONGEST_JUDGING_MS]) {
  test(`field fault K7: function_search_jev_timeout_ms ${timeout} is what judging gets, and nothing else changes`, async () => {
    const given = await patience({ function_search_jev_timeout_ms: timeout });
    assert.ok(isAbout(given["judging"], timeout), `${given["judging"]}`);
    assert.ok((given["call of the judge"] ?? 0) >= (given["judging"] ?? 0), "the call outlives the judging");
    assert.ok(isAbout(given["registry"], 1_500), "decision 12");
  });
}

test("field fault K7: a search has its time beside that of judging, at every layer that could cut it short", () => {
  const longest = {
    ...DEFAULT_CONFIGURATION,
    function_search_mode: "jev" as const,
    function_search_jev_timeout_ms: LONGEST_JUDGING_MS,
  };
  assert.is(searchTimeoutMs(longest), 10_000 + LONGEST_JUDGING_MS);
  assert.ok(CONTRACTS.search.methods.searchFunctions.timeoutMs >= searchTimeoutMs(longest), "route");
  assert.ok(CONTRACTS.jev.methods.judge.timeoutMs >= LONGEST_JUDGING_MS, "judge");
});

for (const timeout of [0, 1, 600_000]) {
  test(`field fault K7, decision 12: download_timeout_ms ${timeout} doesn't touch the registry's part of a search`, async () => {
    assert.ok(isAbout((await patience({ download_timeout_ms: timeout }))["registry"], 1_500));
  });
}

test.run();
