/**
 * One evaluation: every capability weighed against every document, in as many requests as that takes. It has one end, and it has all
 * answers or fails: with the first request that fails the others are cut off and everything judged so far is thrown away.
 */
import { setMaxListeners } from "node:events";
import type { JudgedCorpus, JudgedDocument, JudgeReply, JudgeStats } from "../../protocol/actors/jev.js";
import { type Block, type Corpus, planBlocks, sheetOf, writeBody } from "./blocks.js";
import type { Deadline } from "./deadline.js";
import { SentDocuments, wellFormedJson } from "./documents.js";
import { JevFailure } from "./failure.js";
import { PERMITS, type Permits } from "./permits.js";
import { QuestionSheets } from "./questions.js";
import { type BlockReply, readReply } from "./reply.js";
import type { Secret } from "./secret.js";
import { Tally } from "./tally.js";
import type { Transport } from "./transport.js";

export interface Evaluation {
  readonly corpus: JudgedCorpus;
  readonly capabilities: readonly string[];
  readonly documents: readonly JudgedDocument[];
  readonly exactIds: boolean;
  /** Evaluations that share the deadline one after another. */
  readonly batches?: number;
  readonly model: string;
  readonly key: Secret | undefined;
  /** Least score that counts. */
  readonly floor: number;
  readonly deadline: Deadline;
}

/** An accepted request, for the log: nothing in it tells what was asked. */
export interface AcceptedBlock {
  readonly model: string;
  readonly question_count: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** With the wait for a permit. */
  readonly elapsed_ms: number;
}

export interface JudgeObserver {
  /** Before the first request. */
  planned?(evaluation: Evaluation, corpus: Corpus, blocks: number): void;
  accepted?(block: AcceptedBlock): void;
  /** Milliseconds that a request has held its permit, and whether it was answered. */
  served?(elapsedMs: number, answered: boolean): void;
}

export interface JudgeParts {
  readonly transport: Pick<Transport, "post">;
  /** Shared by everything that judges in this process. */
  readonly permits: Permits;
  readonly observer?: JudgeObserver;
}

/** A failure with what was used until then. */
export interface FailedEvaluation {
  readonly failure: JevFailure;
  readonly stats: JudgeStats;
}

export type Outcome = { readonly reply: JudgeReply } | FailedEvaluation;

export class Judge {
  readonly #parts: JudgeParts;
  readonly #documents = new SentDocuments();
  readonly #sheets = new QuestionSheets();

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  /** Never rejects. `signal` ends the evaluation before its deadline, when nobody wants it any more. */
  async evaluate(evaluation: Evaluation, signal?: AbortSignal): Promise<Outcome> {
    const tally = new Tally();
    const stage = new Stage(evaluation.deadline, signal);
    try {
      return { reply: await this.#evaluate(evaluation, tally, stage) };
    } catch (error) {
      const failure = error instanceof JevFailure ? error : new JevFailure("transport");
      return { failure, stats: tally.stats() };
    } finally {
      stage.close();
    }
  }

  async #evaluate(evaluation: Evaluation, tally: Tally, stage: Stage): Promise<JudgeReply> {
    const { deadline, model, key } = evaluation;
    deadline.check();
    const documents = this.#documents.of(evaluation.corpus, evaluation.documents);
    const { exact, open } = splitExact(evaluation, documents);
    if (open.length > 0 && documents.length > 0) {
      if (key === undefined) throw new JevFailure("missing_key");
      const capabilities = open.map((lane) => sentText(evaluation.capabilities[lane] ?? ""));
      const corpus: Corpus = { corpus: evaluation.corpus, model, capabilities, documents };
      const blocks = planBlocks(corpus, this.#sheets, deadline);
      this.#parts.observer?.planned?.(evaluation, corpus, blocks.length);
      await this.#askAll(blocks, corpus, key, evaluation, tally, stage);
      deadline.check();
    }
    const place = new Map(open.map((lane, at) => [lane, at]));
    const lanes = evaluation.capabilities.map((_, lane) => {
      const id = exact.get(lane);
      return id === undefined ? tally.lane(place.get(lane) ?? lane) : [{ id, score: 1 }];
    });
    return { lanes, model: tally.model ?? model, stats: tally.stats() };
  }

  /** At most as many blocks as there are permits are under way, so that one large evaluation doesn't fill the queue for all others. */
  async #askAll(
    blocks: readonly Block[],
    corpus: Corpus,
    key: Secret,
    { floor, deadline }: Evaluation,
    tally: Tally,
    stage: Stage,
  ): Promise<void> {
    const queue = blocks[Symbol.iterator]();
    const askOneAfterAnother = async (): Promise<void> => {
      for (const block of queue) {
        if (stage.signal.aborted) return;
        const begin = performance.now();
        const reply = await this.#ask(block, corpus, key, deadline, stage.signal);
        tally.add(block, corpus, reply, floor);
        this.#parts.observer?.accepted?.({
          model: reply.model,
          question_count: reply.scores.length,
          input_tokens: reply.inputTokens,
          output_tokens: reply.outputTokens,
          elapsed_ms: Math.floor(performance.now() - begin),
        });
      }
    };
    const asking = Array.from({ length: Math.min(PERMITS, blocks.length) }, askOneAfterAnother);
    // The others must have given their permits back before the failure is told.
    await Promise.all(asking.map((each) => each.catch((error) => stage.fail(error))));
    stage.signal.throwIfAborted();
  }

  async #ask(block: Block, corpus: Corpus, key: Secret, deadline: Deadline, signal: AbortSignal): Promise<BlockReply> {
    const { transport, permits, observer } = this.#parts;
    const answer = await permits.run(async () => {
      deadline.check();
      const begin = performance.now();
      let answered = false;
      try {
        const body = await transport.post(writeBody(block, corpus, this.#sheets), key, signal);
        answered = true;
        return body;
      } finally {
        observer?.served?.(performance.now() - begin, answered);
      }
    }, signal);
    signal.throwIfAborted();
    deadline.check();
    return readReply(answer, sheetOf(block, corpus, this.#sheets).ids);
  }
}

/** The span of one evaluation: its signal says when it has failed, is out of time, or isn't wanted any more. */
class Stage {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #drop = (): void => this.fail(new JevFailure("transport"));

  constructor(deadline: Deadline, caller?: AbortSignal) {
    // Each block listens while it waits and while it is sent; that they are many is no leak.
    setMaxListeners(0, this.#controller.signal);
    this.#timer = setTimeout(() => this.fail(new JevFailure("deadline")), Math.max(0, Math.ceil(deadline.left)));
    this.#caller = caller;
    caller?.addEventListener("abort", this.#drop, { once: true });
    if (caller?.aborted) this.#drop();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The first failure is the one that is told. */
  fail(failure: unknown): void {
    this.#controller.abort(failure);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#drop);
  }
}

/** Lanes that are the id of a document, and those that have to be judged. */
function splitExact(
  { capabilities, exactIds }: Evaluation,
  documents: readonly { readonly id: string }[],
): { readonly exact: ReadonlyMap<number, string>; readonly open: readonly number[] } {
  const ids = exactIds ? new Set(documents.map(({ id }) => id)) : new Set<string>();
  const exact = new Map<number, string>();
  const open: number[] = [];
  capabilities.forEach((capability, lane) => {
    if (ids.has(capability)) exact.set(lane, capability);
    else open.push(lane);
  });
  return { exact, open };
}

function sentText(capability: string): { readonly json: string; readonly bytes: number } {
  const json = wellFormedJson(capability);
  return { json, bytes: Buffer.byteLength(json) };
}
