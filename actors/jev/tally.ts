/** What the accepted blocks of one evaluation add up to. A block counts once it is wholly valid, and stays counted when another fails. */
import { compareBytes } from "../../domain/text.js";
import type { JudgeReply, JudgeStats } from "../../protocol/actors/jev.js";
import { type Block, type Corpus, count } from "./blocks.js";
import { JevFailure } from "./failure.js";
import type { BlockReply } from "./reply.js";

type Scored = JudgeReply["lanes"][number][number];

export class Tally {
  readonly #begin = performance.now();
  readonly #lanes: Scored[][] = [];
  #model: string | undefined;
  #requests = 0;
  #questions = 0;
  #inputTokens = 0;
  #outputTokens = 0;

  /** What answered; undefined before the first block. */
  get model(): string | undefined {
    return this.#model;
  }

  /** Throws when the block doesn't go with those before: one evaluation has one judge. */
  add({ capabilities, documents }: Block, { documents: all }: Corpus, reply: BlockReply, floor: number): void {
    const inputTokens = this.#inputTokens + reply.inputTokens;
    const outputTokens = this.#outputTokens + reply.outputTokens;
    if (!Number.isSafeInteger(inputTokens) || !Number.isSafeInteger(outputTokens)) throw new JevFailure("invalid_response");
    if (reply.model !== (this.#model ?? reply.model)) throw new JevFailure("invalid_response");
    this.#model = reply.model;
    this.#inputTokens = inputTokens;
    this.#outputTokens = outputTokens;
    this.#requests++;
    this.#questions += reply.scores.length;
    const width = count(documents);
    reply.scores.forEach((score, at) => {
      const document = all[documents.begin + (at % width)];
      if (score < floor || document === undefined) return;
      this.#laneOf(capabilities.begin + Math.floor(at / width)).push({ id: document.id, score });
    });
  }

  /** Best first, equal scores by id: the order in which blocks were answered leaves no trace. */
  lane(at: number): readonly Scored[] {
    return this.#laneOf(at).sort((left, right) => right.score - left.score || compareBytes(left.id, right.id));
  }

  stats(): JudgeStats {
    return {
      requests: this.#requests,
      questions: this.#questions,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      elapsedMs: Math.floor(performance.now() - this.#begin),
    };
  }

  #laneOf(at: number): Scored[] {
    let lane = this.#lanes[at];
    if (lane === undefined) {
      lane = [];
      this.#lanes[at] = lane;
    }
    return lane;
  }
}
