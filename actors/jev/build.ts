/** The judge as an actor: which key, which model, which floor, and what of it all is told to whom. */
import type { JevActor, JevOptions, JudgedCorpus, JudgeFailureDetail, JudgeRequest } from "../../protocol/actors/jev.js";
import type { CallContext } from "../../protocol/call.js";
import type { Configuration } from "../../protocol/configuration.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { ActorSetting } from "../runtime.js";
import { Deadline } from "./deadline.js";
import { Judge } from "./judge.js";
import { Permits } from "./permits.js";
import { Secret } from "./secret.js";
import { adviceFor, roundsOf, ServiceTimes, type Size } from "./service-time.js";
import { Transport } from "./transport.js";

export function buildJev({ configuration, surroundings, log, onDrain }: ActorSetting): JevActor {
  const { environmentKey, endpoint } = (surroundings.options.jev ?? {}) as JevOptions;
  const bootKey = Secret.of(environmentKey);
  const transport = new Transport(endpoint);
  const permits = new Permits();
  const times = new ServiceTimes();
  let largest: Size | undefined;
  let advised = false;
  onDrain(() => transport.close());
  configuration.onChange((next, previous) => {
    if (TIMING_FIELDS.every((field) => next[field] === previous[field])) return;
    largest = undefined;
    advised = false;
  });
  const judge = new Judge({
    transport,
    permits,
    observer: {
      planned: ({ batches = 1 }, { corpus, documents, capabilities }, blocks) => {
        const size = { documents: documents.length, capabilities: capabilities.length, blocks, batches };
        if (corpus === "functions" && (largest === undefined || roundsOf(size) >= roundsOf(largest))) largest = size;
      },
      accepted: (block) => log.debug(block, "Jev request answered"),
      served: (elapsedMs, answered) => times.add(elapsedMs, answered),
    },
  });

  const advice = (): string | undefined =>
    largest && adviceFor(largest, times.median, configuration.current.function_search_jev_timeout_ms);

  /** Once, until the settings change: an operator can't do anything with the same line for every search. */
  function adviseOnce(): void {
    if (advised) return;
    const text = advice();
    if (text === undefined) return;
    advised = true;
    log.warn(text);
  }

  return {
    judge: async (request, context) => {
      const outcome = await judge.evaluate(evaluationOf(request, context, configuration.of(context), bootKey));
      adviseOnce();
      if ("reply" in outcome) return outcome.reply;
      const { failure, stats } = outcome;
      const { kind, status, message } = failure;
      const detail: JudgeFailureDetail = { kind, ...(status === undefined ? {} : { status }), stats };
      throw new DirectoryError("judge_failed", message, detail);
    },
    report: async () => {
      const [requestMs, text] = [times.median, advice()];
      return {
        ...(requestMs === undefined ? {} : { request_ms: Math.round(requestMs) }),
        requests_in_flight: permits.inUse,
        ...(text === undefined ? {} : { advice: text }),
      };
    },
  };
}

const TIMING_FIELDS = ["function_search_mode", "function_search_jev_timeout_ms", "function_search_jev_shortlist"] as const;

function evaluationOf(
  { corpus, capabilities, documents, exactIds, batches = 1, deadline }: JudgeRequest,
  context: CallContext,
  values: Readonly<Configuration>,
  bootKey: Secret | undefined,
): Parameters<Judge["evaluate"]>[0] {
  return {
    corpus,
    capabilities,
    documents,
    exactIds,
    batches,
    model: values.function_search_jev_model,
    // A configured key that the service rejects is a failure like any other: the other key is not for a second try.
    key: Secret.of(values.function_search_jev_api_key) ?? bootKey,
    floor: floorOf(corpus, values),
    deadline: new Deadline(Math.min(deadline, context.deadline) - Date.now()),
  };
}

function floorOf(corpus: JudgedCorpus, values: Readonly<Configuration>): number {
  return corpus === "functions" ? values.function_search_jev_min_relevance : values.function_search_jev_side_lane_min_relevance;
}
