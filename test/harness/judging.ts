/** The judge of the product before the judge of the tests, and what both have seen. */
import { Deadline } from "../../actors/jev/deadline.js";
import { type AcceptedBlock, type Evaluation, Judge, type Outcome } from "../../actors/jev/judge.js";
import { Permits } from "../../actors/jev/permits.js";
import { Secret } from "../../actors/jev/secret.js";
import { Transport } from "../../actors/jev/transport.js";
import type { JudgedDocument, JudgeFailureKind, JudgeReply, JudgeStats } from "../../protocol/actors/jev.js";
import { JevServer, type JevServerOptions } from "./jev-server.js";

export const KEY = "test-key";

export interface Judging {
  readonly server: JevServer;
  readonly accepted: AcceptedBlock[];
  evaluate(given: Partial<Omit<Evaluation, "deadline">> & { readonly withinMs?: number }, signal?: AbortSignal): Promise<Outcome>;
  /** Another judge with the same permits and connections. */
  readonly judge: Judge;
  stop(): Promise<void>;
}

export async function judging(options: JevServerOptions = {}, endpoint?: string): Promise<Judging> {
  const server = await JevServer.start(options);
  const transport = new Transport(endpoint ?? server.endpoint);
  const accepted: AcceptedBlock[] = [];
  const judge = new Judge({ transport, permits: new Permits(), observer: { accepted: (block) => accepted.push(block) } });
  return {
    server,
    accepted,
    judge,
    evaluate: ({ withinMs = 5_000, ...given }, signal) =>
      judge.evaluate(
        {
          corpus: "functions",
          capabilities: [],
          documents: [],
          exactIds: true,
          model: "jev-1.13.0",
          key: Secret.of(KEY),
          floor: 0.5,
          ...given,
          deadline: new Deadline(withinMs),
        },
        signal,
      ),
    stop: async () => {
      await transport.close();
      await server.close();
    },
  };
}

export function tool(id: string, description = "", parameterNames: readonly string[] = []): JudgedDocument {
  return { id, description, parameterNames };
}

/** Functions of one worker, the last first. */
export function catalogOf(count: number): JudgedDocument[] {
  const number = (at: number): string => String(at).padStart(3, "0");
  return Array.from({ length: count }, (_, at) => tool(`worker::function${number(at)}`, `Does thing ${at}.`)).reverse();
}

export const id = (number: string): string => `worker::function${number}`;

export function replyOf(outcome: Outcome): JudgeReply {
  if ("reply" in outcome) return outcome.reply;
  throw new Error(`failed: ${outcome.failure.kind} ${outcome.failure.status ?? ""}`);
}

export function failureOf(outcome: Outcome): {
  readonly kind: JudgeFailureKind;
  readonly status?: number;
  readonly stats: JudgeStats;
} {
  if ("reply" in outcome) throw new Error("succeeded");
  const { kind, status } = outcome.failure;
  return { kind, ...(status === undefined ? {} : { status }), stats: outcome.stats };
}

/** Without the time, which no test can know. */
export function usage({ requests, questions, inputTokens, outputTokens }: JudgeStats): number[] {
  return [requests, questions, inputTokens, outputTokens];
}

export function lanesOf(outcome: Outcome): [string, number][][] {
  return replyOf(outcome).lanes.map((lane) => lane.map(({ id, score }) => [id, score]));
}
