/**
 * Hybrid search through the supervisor, beside nothing but the embedding of the same texts; the scan of vectors beside a loop; what a
 * changed description and a full re-embedding cost; and the memory of it all.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readContract } from "../actors/catalog/contract.js";
import { denseText } from "../actors/catalog/vectors/dense-text.js";
import { DIMENSIONS, ScanMemory } from "../actors/catalog/vectors/scan-memory.js";
import { Encoder } from "../actors/embedding/model/encoder.js";
import { ModelProcesses } from "../actors/embedding/model-processes.js";
import type { Registered } from "../test/harness/catalogue.js";
import { newContext } from "../test/harness/context.js";
import { ROOT } from "../test/harness/shared.js";
import { unitVector } from "../test/harness/vectors.js";
import { capabilities, synthesise } from "./catalogues.js";
import { embedded, PATIENCE_MS, start } from "./hybrid-worker.js";
import { interleave, median, round } from "./measure.js";
import type { Finding, Findings } from "./results.js";

const MODEL = `${ROOT}/models/all-MiniLM-L6-v2-w8/model.onnx`;
const PROCESS = fileURLToPath(new URL("../actors/embedding/processes/embed.js", import.meta.url));
const FUNCTIONS = 512;
const PROCESSES = 2;
const MANY = 18;

export async function run(): Promise<Findings> {
  return {
    subject: "hybrid",
    findings: [...(await measureSearches()), ...(await measureChange()), ...measureScan(), ...(await measureMemory())],
  };
}

/** A need that nobody has asked before: vectors of queries are kept. */
function needs(): (count: number) => string[] {
  const texts = capabilities();
  let asked = 0;
  return (count) => Array.from({ length: count }, () => `${texts[asked % texts.length]} ${++asked}`);
}

async function measureSearches(): Promise<Finding[]> {
  const { search, supervisor, engine } = await start(synthesise(FUNCTIONS), PROCESSES);
  const encoder = await Encoder.load(MODEL);
  const next = needs();
  let texts: string[] = [];
  const one = await interleave(
    {
      draw: () => {
        texts = next(1);
      },
      ours: () => search(texts),
      bare: () => encoder.embed(texts),
    },
    60,
  );
  const processes = new ModelProcesses({ file: PROCESS, count: PROCESSES, onIdleDeath: () => {} });
  const bareMany = async (): Promise<unknown> => {
    const rows = texts.map((text) => ({ ids: encoder.tokens.encode(text).ids }));
    const half = Math.ceil(rows.length / PROCESSES);
    return Promise.all(
      Array.from({ length: PROCESSES }, (_, at) =>
        processes.run({ modelFile: MODEL, rows: rows.slice(at * half, (at + 1) * half) }, PATIENCE_MS),
      ),
    );
  };
  const many = await interleave(
    {
      draw: () => {
        texts = next(MANY);
      },
      ours: () => search(texts),
      bare: bareMany,
    },
    20,
  );
  const six = await interleave({ ours: () => search(next(6)) }, 20);
  await processes.close();
  const idle = await interleave({ ours: () => search(next(1)) }, 60);
  engine.functions = synthesise(FUNCTIONS).map((each) => ({ ...each, description: `Now it ${each.description}` }));
  await supervisor.actors.catalog.refresh({}, newContext(PATIENCE_MS));
  const busy = await interleave({ ours: () => search(next(1)) }, 40, 0);
  const { embedded: there } = await supervisor.actors.catalog.report({}, newContext(PATIENCE_MS));
  await encoder.release();
  await supervisor.stop();
  return [
    {
      what: "one capability, over the bare embedding of its text in one thread, p50",
      value: ratio(one.ours, one.bare),
      unit: "×",
      limit: 1.5,
    },
    {
      what: `${MANY} capabilities, over the bare embedding of their texts in as many processes, p50`,
      value: ratio(many.ours, many.bare),
      unit: "×",
      limit: 1.3,
    },
    {
      what: `one capability while everything is embedded anew (${there} of ${FUNCTIONS} done at the end), over the idle time, p50`,
      value: ratio(busy.ours, idle.ours),
      unit: "×",
      limit: 2,
    },
    { what: "one capability, p50 (the reference has published 203)", value: round(median(one.ours)), unit: "ms" },
    { what: "six capabilities, p50 (the reference has published 1040)", value: round(median(six.ours)), unit: "ms" },
    { what: `${MANY} capabilities, p50 (the reference has published 3164)`, value: round(median(many.ours)), unit: "ms" },
  ];
}

/** From the refresh that brings a new description until its function has a vector again. */
async function measureChange(): Promise<Finding[]> {
  const functions = synthesise(FUNCTIONS);
  const { supervisor, engine } = await start(functions, PROCESSES);
  const encoder = await Encoder.load(MODEL);
  let step = 0;
  let text = "";
  const times = await interleave(
    {
      change: async () => {
        const [first, ...rest] = functions as [Registered, ...Registered[]];
        const changed = { ...first, description: `${first.description} Changed ${++step} times.`.replace(/\.(?=.*\.)/g, ",") };
        text = denseText(readContract({ functionId: changed.id, description: changed.description, requestSchema: {} }));
        engine.functions = [changed, ...rest];
        await supervisor.actors.catalog.refresh({ event: "functions-available" }, newContext(PATIENCE_MS));
        await embedded(supervisor, 0);
      },
      bare: () => encoder.embed([text]),
    },
    30,
  );
  await encoder.release();
  await supervisor.stop();
  const gatherMs = 20;
  return [
    {
      what: `a changed description until it has its vector, without the ${gatherMs} ms in which announcements are gathered, over embedding it, p50`,
      value: round((median(times.change) - gatherMs) / median(times.bare)),
      unit: "×",
      limit: 3,
    },
    { what: "the same in all, p50 (the reference has published 4570)", value: round(median(times.change)), unit: "ms" },
  ];
}

function measureScan(): Finding[] {
  return [5_000, 50_000].map((rows) => {
    const memory = new ScanMemory(rows);
    const plain = new Float32Array(rows * DIMENSIONS);
    for (let row = 0; row < rows; row++) {
      const vector = unitVector(row % 97);
      memory.set(row, vector);
      plain.set(vector, row * DIMENSIONS);
    }
    const query = unitVector(1_000);
    const loops: number[] = [];
    const scans: number[] = [];
    for (let round = -2; round < 15; round++) {
      const begin = performance.now();
      scanPlainly(plain, query);
      const between = performance.now();
      memory.scan(query, rows);
      const end = performance.now();
      if (round >= 0) loops.push(between - begin);
      if (round >= 0) scans.push(end - between);
    }
    return { what: `scan of ${rows} vectors, over a loop, p50`, value: ratio(scans, loops), unit: "×", limit: 0.2 };
  });
}

function scanPlainly(rows: Float32Array, query: Float32Array): Float32Array {
  const scores = new Float32Array(rows.length / DIMENSIONS);
  for (let row = 0; row < scores.length; row++) {
    let sum = 0;
    for (let at = 0; at < DIMENSIONS; at++) sum += (rows[row * DIMENSIONS + at] as number) * (query[at] as number);
    scores[row] = sum;
  }
  return scores;
}

/** A process of its own each time: what one worker has given back would make the next one look small. */
async function measureMemory(): Promise<Finding[]> {
  const held = (functions: number, processes: number): number => {
    const program = fileURLToPath(new URL("./hybrid-memory.js", import.meta.url));
    const { stdout, stderr } = spawnSync(process.execPath, ["--expose-gc", program, String(functions), String(processes)], {
      encoding: "utf8",
    });
    if (stdout === "") throw new Error(stderr);
    return Number(stdout);
  };
  const one = held(FUNCTIONS, 1);
  return [
    { what: `resident memory with ${FUNCTIONS} functions and one model process`, value: round(one), unit: "MiB", limit: 500 },
    { what: "a further model process", value: round(held(FUNCTIONS, 2) - one), unit: "MiB", limit: 230 },
    { what: "a thousand further functions", value: round((held(FUNCTIONS + 4_000, 1) - one) / 4), unit: "MiB", limit: 8 },
  ];
}

function ratio(ours: readonly number[], theirs: readonly number[]): number {
  return round(median(ours) / median(theirs));
}
