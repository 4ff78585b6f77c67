/**
 * Cuts an evaluation into requests, each a run of capabilities by a run of documents. The limits are guards of our own against requests
 * that no judge could weigh, not limits of the service.
 *
 * Sizes are computed instead of measured: a large catalog takes thousands of requests, and writing each of them only to find that it is
 * too long would cost more than sending it.
 */
import type { JudgedCorpus } from "../../protocol/actors/jev.js";
import type { Deadline } from "./deadline.js";
import type { SentDocument } from "./documents.js";
import { JevFailure } from "./failure.js";
import type { QuestionSheet, QuestionSheets } from "./questions.js";

export const BLOCK_LIMITS = {
  documents: 16,
  capabilities: 6,
  /** UTF-8 bytes of the whole request. */
  body: 48 * 1024,
  /** UTF-8 bytes of the state and of the largest question together. */
  stateAndQuestion: 16 * 1024,
} as const;

/** Half-open ranges of the evaluation's capabilities and documents. */
export interface Block {
  readonly capabilities: Range;
  readonly documents: Range;
}

interface Range {
  readonly begin: number;
  readonly end: number;
}

/** A capability as it is sent. */
export interface SentCapability {
  readonly json: string;
  readonly bytes: number;
}

export interface Corpus {
  readonly corpus: JudgedCorpus;
  readonly model: string;
  readonly capabilities: readonly SentCapability[];
  readonly documents: readonly SentDocument[];
}

/** Every pair in exactly one block. All are planned before the first is sent, so a pair that can't be sent means that nothing is. */
export function planBlocks(corpus: Corpus, sheets: QuestionSheets, deadline: Pick<Deadline, "check">): Block[] {
  const blocks: Block[] = [];
  for (const capabilities of runs(corpus.capabilities.length, BLOCK_LIMITS.capabilities)) {
    for (const documents of runs(corpus.documents.length, BLOCK_LIMITS.documents)) {
      deadline.check();
      addFitting({ capabilities, documents }, corpus, sheets, blocks);
    }
  }
  return blocks;
}

function runs(length: number, size: number): Range[] {
  return Array.from({ length: Math.ceil(length / size) }, (_, at) => ({
    begin: at * size,
    end: Math.min(length, (at + 1) * size),
  }));
}

/** The block if it fits, else its halves: of the documents first, then of the capabilities. */
function addFitting(block: Block, corpus: Corpus, sheets: QuestionSheets, blocks: Block[]): void {
  if (fits(block, corpus, sheets)) {
    blocks.push(block);
    return;
  }
  const side = count(block.documents) > 1 ? "documents" : "capabilities";
  if (count(block[side]) === 1) throw new JevFailure("payload_too_large");
  for (const half of halves(block[side])) addFitting({ ...block, [side]: half }, corpus, sheets, blocks);
}

function halves({ begin, end }: Range): Range[] {
  const middle = begin + Math.floor((end - begin) / 2);
  return [
    { begin, end: middle },
    { begin: middle, end },
  ];
}

function fits(block: Block, corpus: Corpus, sheets: QuestionSheets): boolean {
  const { json: questions, largest } = sheetOf(block, corpus, sheets);
  const state = stateBytes(block, corpus);
  const body = FRAME_BYTES + Buffer.byteLength(JSON.stringify(corpus.model)) + state + questions.length;
  return body <= BLOCK_LIMITS.body && state + largest <= BLOCK_LIMITS.stateAndQuestion;
}

/** The request as it is sent: compact JSON in UTF-8. */
export function writeBody(block: Block, corpus: Corpus, sheets: QuestionSheets): Buffer {
  const capabilities = entries("c", corpus.capabilities, block.capabilities);
  const documents = entries("f", corpus.documents, block.documents);
  const state = `{"capabilities":{${capabilities}},"${corpus.corpus}":{${documents}}}`;
  const head = `{"model":${JSON.stringify(corpus.model)},"state":${state},"questions":`;
  return Buffer.concat([Buffer.from(head), sheetOf(block, corpus, sheets).json, END]);
}

export function sheetOf({ capabilities, documents }: Block, { corpus }: Corpus, sheets: QuestionSheets): QuestionSheet {
  return sheets.of(corpus, count(capabilities), count(documents));
}

const END = Buffer.from("}");
const FRAME_BYTES = '{"model":,"state":,"questions":}'.length;
const STATE_FRAME_BYTES = '{"capabilities":{},"":{}}'.length;

function stateBytes({ capabilities, documents }: Block, corpus: Corpus): number {
  return (
    STATE_FRAME_BYTES +
    corpus.corpus.length +
    entriesBytes(corpus.capabilities, capabilities) +
    entriesBytes(corpus.documents, documents)
  );
}

/** Of `"c0":…,"c1":…`: quotes, letter, number, colon, and the commas between. */
function entriesBytes(values: readonly { readonly bytes: number }[], { begin, end }: Range): number {
  let bytes = end - begin - 1;
  for (let at = begin; at < end; at++) bytes += (values[at]?.bytes ?? 0) + (at - begin < 10 ? 5 : 6);
  return bytes;
}

function entries(letter: string, values: readonly { readonly json: string }[], { begin, end }: Range): string {
  return values
    .slice(begin, end)
    .map(({ json }, at) => `"${letter}${at}":${json}`)
    .join(",");
}

export function count({ begin, end }: Range): number {
  return end - begin;
}
