/**
 * Remote judging against a judge on this machine: how much is sent, how long it takes, and how much of a search is judged within the
 * default deadline, at the latency that the service was measured with (400 ms a request and 0.5 ms a question). And what the actor costs
 * over a bare HTTP client that sends the same requests.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Pool } from "undici";
import { type Corpus, planBlocks, writeBody } from "../actors/jev/blocks.js";
import { buildJev } from "../actors/jev/build.js";
import { SentDocuments } from "../actors/jev/documents.js";
import { PERMITS } from "../actors/jev/permits.js";
import { QuestionSheets } from "../actors/jev/questions.js";
import type { JevActor, JudgedDocument, JudgeReply, JudgeRequest } from "../protocol/actors/jev.js";
import { type BuiltCatalog, catalogOf } from "../test/harness/catalogue.js";
import { newContext } from "../test/harness/context.js";
import { settingFor } from "../test/harness/setting.js";
import { capabilities, synthesise } from "./catalogues.js";
import { interleave, median, round } from "./measure.js";
import type { Finding, Findings } from "./results.js";

const SIZES = [512, 2_000, 10_000] as const;
const NEEDS = [1, 6, 18] as const;
/** Local candidates of each capability; 0: everything is judged. */
const SHORTLISTS = [0, 24, 8] as const;
const BATCH = 6;
const DEADLINE_MS = 3_000;
/** The longest that can be configured. */
const PATIENCE_MS = 30_000;
const KIB = 1024;

const OVERHEAD_ROUNDS = 101;
const MOST_OVERHEAD = 1.1;

export async function run(): Promise<Findings> {
  const findings: Finding[] = [];
  for (const size of SIZES) findings.push(...(await measureSize(size)));
  findings.push(await measureOverhead("at the latency of the service", ["--base-ms", "400"], 3));
  findings.push(await measureOverhead("at no latency at all", ["--base-ms", "0", "--question-ms", "0"], OVERHEAD_ROUNDS));
  return { subject: "jev", findings };
}

/** Searches of one size at once: they mostly wait, and each has a judge and permits of its own. */
async function measureSize(size: number): Promise<Finding[]> {
  const built = await catalogOf(synthesise(size));
  const documents = await documentsOf(built);
  const cells: Cell[] = [];
  for (const depth of SHORTLISTS) for (const needs of NEEDS) cells.push(await prepare(built, documents, depth, needs));
  const measured = await Promise.all(cells.map((cell) => withJudge([], (rig) => measureCell(rig, cell))));
  return measured.flatMap(({ elapsedMs, complete, inTime }, at) => {
    const { depth, needs, requests, bytes } = cells[at] as Cell;
    const what = `${size} functions × ${needs}${depth === 0 ? "" : `, shortlist of ${depth}`}`;
    return [
      { what: `${what}: requests`, value: requests, unit: "" },
      { what: `${what}: sent`, value: round(bytes / KIB), unit: "KiB" },
      { what: `${what}: wall time${complete ? "" : ", cut off unfinished"}`, value: round(elapsedMs), unit: "ms" },
      { what: `${what}: capabilities judged within ${DEADLINE_MS} ms`, value: round((100 * inTime) / needs), unit: "%" },
    ];
  });
}

interface Cell {
  readonly depth: number;
  readonly needs: number;
  /** Of each batch. */
  readonly batches: readonly Omit<JudgeRequest, "deadline">[];
  readonly requests: number;
  readonly bytes: number;
}

async function prepare(
  { catalog }: BuiltCatalog,
  documents: readonly JudgedDocument[],
  depth: number,
  needs: number,
): Promise<Cell> {
  const wanted = capabilities().slice(0, needs);
  const batches: Omit<JudgeRequest, "deadline">[] = [];
  let [requests, bytes] = [0, 0];
  for (let at = 0; at < needs; at += BATCH) {
    const batch = wanted.slice(at, at + BATCH);
    const { lanes } = depth === 0 ? { lanes: [] } : await catalog.candidates({ lanes: batch, depth }, newContext(PATIENCE_MS));
    const shortlist = new Set(lanes.flat());
    const judged = depth === 0 ? documents : documents.filter(({ id }) => shortlist.has(id));
    const request = { corpus: "functions", capabilities: batch, documents: judged, exactIds: true } as const;
    const bodies = bodiesOf(request);
    requests += bodies.length;
    bytes += bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
    batches.push(request);
  }
  return { depth, needs, batches, requests, bytes };
}

interface Measured {
  readonly elapsedMs: number;
  readonly complete: boolean;
  /** Capabilities. */
  readonly inTime: number;
}

/** Batches one after another under one deadline, as a search does it. */
async function measureCell({ jev }: Rig, { batches }: Cell): Promise<Measured> {
  const begin = performance.now();
  const deadline = Date.now() + PATIENCE_MS;
  let inTime = 0;
  for (const batch of batches) {
    const reply = await judgeOrNothing(jev, { ...batch, deadline });
    const elapsedMs = performance.now() - begin;
    if (reply === undefined) return { elapsedMs, complete: false, inTime };
    if (elapsedMs <= DEADLINE_MS) inTime += batch.capabilities.length;
  }
  return { elapsedMs: performance.now() - begin, complete: true, inTime };
}

async function judgeOrNothing(jev: JevActor, request: JudgeRequest): Promise<JudgeReply | undefined> {
  try {
    return await jev.judge(request, newContext(PATIENCE_MS));
  } catch {
    return undefined;
  }
}

/** What the actor sends, made beforehand. */
function bodiesOf({ corpus, capabilities: wanted, documents }: Omit<JudgeRequest, "deadline">): string[] {
  const sheets = new QuestionSheets();
  const planned: Corpus = {
    corpus,
    model: "jev-1.13.0",
    capabilities: wanted.map((text) => {
      const json = JSON.stringify(text);
      return { json, bytes: Buffer.byteLength(json) };
    }),
    documents: new SentDocuments().of(corpus, documents),
  };
  return planBlocks(planned, sheets, { check: () => {} }).map((block) => writeBody(block, planned, sheets).toString());
}

/** 512 functions × 6 capabilities: planning, writing, checking and merging, against requests that lie ready and answers that are only parsed. */
async function measureOverhead(what: string, latency: readonly string[], rounds: number): Promise<Finding> {
  const documents = await documentsOf(await catalogOf(synthesise(512)));
  const wanted = capabilities().slice(0, BATCH);
  const requestOf = (): JudgeRequest => ({
    corpus: "functions",
    capabilities: wanted,
    documents,
    exactIds: true,
    deadline: Date.now() + PATIENCE_MS,
  });
  return withJudge(latency, async ({ jev, endpoint }) => {
    const bodies = bodiesOf(requestOf());
    const bare = new BareClient(endpoint);
    const times = await interleave(
      { actor: () => jev.judge(requestOf(), newContext(PATIENCE_MS)), bare: () => bare.sendAll(bodies) },
      rounds,
    );
    await bare.close();
    const value = round(median(times.actor) / median(times.bare));
    return { what: `actor against a bare client, 512 × 6 ${what}`, value, unit: "×", limit: MOST_OVERHEAD };
  });
}

/** Sends what it is given, four at a time, and parses what comes. */
class BareClient {
  readonly #pool: Pool;
  readonly #path: string;

  constructor(endpoint: string) {
    const { origin, pathname } = new URL(endpoint);
    this.#pool = new Pool(origin, { connections: PERMITS });
    this.#path = pathname;
  }

  async sendAll(bodies: readonly string[]): Promise<unknown[]> {
    const queue = bodies[Symbol.iterator]();
    const answers: unknown[] = [];
    const headers = { authorization: "Bearer bench", "content-type": "application/json" };
    const sendOneAfterAnother = async (): Promise<void> => {
      for (const body of queue) {
        const answer = await this.#pool.request({ path: this.#path, method: "POST", headers, body });
        answers.push(await answer.body.json());
      }
    };
    await Promise.all(Array.from({ length: PERMITS }, sendOneAfterAnother));
    return answers;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

async function documentsOf({ catalog }: BuiltCatalog): Promise<JudgedDocument[]> {
  const { functions } = await catalog.describe({}, newContext());
  return functions.map(({ functionId: id, description, parameterNames }) => ({ id, description, parameterNames }));
}

interface Rig {
  readonly jev: JevActor;
  readonly endpoint: string;
}

const JUDGE = new URL("../test/harness/jev-main.js", import.meta.url);

/** The judge in a process of its own, so that its work isn't counted as ours. */
async function withJudge<Result>(flags: readonly string[], body: (rig: Rig) => Promise<Result>): Promise<Result> {
  const child: ChildProcess = fork(JUDGE, ["--score", "0.1", "--lenient", ...flags], { stdio: "ignore" });
  const drains: (() => Promise<void>)[] = [];
  try {
    const [{ endpoint }] = (await once(child, "message")) as [{ endpoint: string }];
    const { setting } = settingFor("jev", {}, { surroundings: { options: { jev: { endpoint, environmentKey: "bench" } } } });
    return await body({ jev: buildJev({ ...setting, onDrain: (drain) => drains.push(drain) }), endpoint });
  } finally {
    await Promise.all(drains.map((drain) => drain()));
    child.kill();
  }
}
