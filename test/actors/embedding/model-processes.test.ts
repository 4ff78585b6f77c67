/** Processes with one task each: what a death costs, and what is left behind. */
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ModelProcesses } from "../../../actors/embedding/model-processes.js";
import { eventually } from "../../harness/peer.js";
import { DIE, DIE_LATER, HANG } from "../../harness/toy-model-process.js";

const FILE = fileURLToPath(new URL("../../harness/toy-model-process.js", import.meta.url));
const LIMIT_MS = 20_000;

interface Open {
  readonly run: (first: number, limitMs?: number) => Promise<number[]>;
  readonly idleDeaths: () => number;
}

async function open(count: number, body: (open: Open) => Promise<void>): Promise<void> {
  let deaths = 0;
  const processes = new ModelProcesses({ file: FILE, count, onIdleDeath: () => deaths++ });
  const run = async (first: number, limitMs = LIMIT_MS): Promise<number[]> => [
    ...((await processes.run({ modelFile: "none", rows: [{ ids: [first] }] }, limitMs)) as Float32Array),
  ];
  try {
    await body({ run, idleDeaths: () => deaths });
  } finally {
    await processes.close();
  }
}

const messageOf = (error: Error): string => error.message;

test("tasks side by side have processes of their own, tasks one after another share one", () =>
  open(2, async ({ run }) => {
    const [[, one], [, two]] = (await Promise.all([run(10), run(11)])) as [number[], number[]];
    assert.is.not(one, two);
    assert.ok([one, two].includes((await run(12))[1]));
  }));

test("a process that dies of a task costs that task, and the next one gets another process", () =>
  open(1, async ({ run, idleDeaths }) => {
    const [, before] = await run(10);
    assert.is(await run(DIE).then(() => "answered", messageOf), "exit code 7");
    const [answer, after] = await run(11);
    assert.is(answer, 11);
    assert.is.not(after, before);
    assert.is(idleDeaths(), 0);
  }));

test("a task that takes too long is ended with its process", () =>
  open(1, async ({ run }) => {
    await run(10);
    assert.is(await run(HANG, 200).then(() => "answered", messageOf), "SIGKILL");
    assert.is((await run(11))[0], 11);
  }));

test("a process that dies with nothing to do is told of, once", () =>
  open(1, async ({ run, idleDeaths }) => {
    await run(DIE_LATER);
    await eventually("told", () => idleDeaths() === 1);
    assert.is((await run(11))[0], 11);
    assert.is(idleDeaths(), 1);
  }));

test("many tasks add no listener", async () => {
  const warnings: string[] = [];
  const keep = (warning: Error): number => warnings.push(warning.message);
  process.on("warning", keep);
  await open(1, async ({ run }) => {
    for (let task = 0; task < 500; task++) assert.is((await run(10 + task))[0], 10 + task);
  });
  process.off("warning", keep);
  assert.equal(warnings, []);
});

test("closing ends what computes, and the task is told", async () => {
  const processes = new ModelProcesses({ file: FILE, count: 1, onIdleDeath: () => {} });
  const lost = processes.run({ modelFile: "none", rows: [{ ids: [HANG] }] }, LIMIT_MS).then(() => "answered", messageOf);
  await processes.close();
  assert.is(await lost, "SIGKILL");
});

test.run();
