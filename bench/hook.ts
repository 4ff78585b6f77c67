/** The pre-generate hook on a long conversation with a wide surface, as the harness sends it: through the supervisor to the actor. */
import { createLogger } from "../border/log.js";
import { HOOK_FUNCTIONS, type PreGenerateHookRequest } from "../protocol/functions/hook.js";
import { routeOf } from "../supervisor/routes.js";
import { supervised } from "../test/harness/supervised.js";
import { median, percentile, round, timed } from "./measure.js";
import type { Findings } from "./results.js";

const MESSAGES = 2_000;
const TOOLS = 600;
const ROUNDS = 500;

export async function run(): Promise<Findings> {
  const supervisor = supervised({ actors: ["search"], functions: [] });
  await supervisor.ready("search");
  const definition = HOOK_FUNCTIONS.find(({ id }) => id === "directory::pre-generate");
  if (definition === undefined) throw new Error("the hook is not declared");
  const log = createLogger("bench", "silent");
  const route = routeOf(definition, { actors: supervisor.actors, own: {}, generation: () => 1, log });
  const times: number[] = [];
  for (let step = 0; step < ROUNDS; step++) {
    const request = conversation(step);
    times.push(await timed(() => route(request, {})));
  }
  await supervisor.stop();
  const counted = times.slice(ROUNDS / 10);
  return {
    subject: "hook",
    findings: [
      { what: `p50 with ${MESSAGES} messages and ${TOOLS} tools`, value: round(median(counted)), unit: "ms" },
      { what: `p99 with ${MESSAGES} messages and ${TOOLS} tools`, value: round(percentile(counted, 0.99)), unit: "ms", limit: 5 },
    ],
  };
}

/** The user spoke at the beginning: every message since then is in the window. */
function conversation(step: number): PreGenerateHookRequest {
  const text = "The build went through, and the next step is to look at the deployment of the second service. ";
  const messages = Array.from({ length: MESSAGES }, (_, index) =>
    index === 0
      ? { role: "user", content: [{ type: "text", text: "Please put the release in order." }] }
      : {
          role: index % 2 === 0 ? "assistant" : "function_result",
          function_id: "engine::functions::list",
          content: [{ type: "text", text }],
        },
  );
  const tools = Array.from({ length: TOOLS }, (_, index) => ({
    name: index === 0 ? "directory::search_functions" : `worker${index % 40}::function_${index}`,
    description: "Does one thing of the many things that this worker can do.",
    parameters: { type: "object", properties: { id: {}, value: {} } },
  }));
  return {
    session_id: `s${step}`,
    turn_id: "t",
    step,
    depth: 0,
    generate: { system_prompt: "", messages, functions_generation: 1, tools },
  };
}
