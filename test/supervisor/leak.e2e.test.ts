/**
 * Restarts with calls in flight leave nothing behind in the process: no port, no timer, no listener, no thread, no open file, and no memory
 * that grows with each of them. 200 of a toy, whose calls are lost each time; and some of all actors together, with what they hold of their
 * own: pools of threads, watches, caches.
 */
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ActorName } from "../../protocol/actors.js";
import { newContext } from "../harness/context.js";
import { eventually } from "../harness/peer.js";
import { supervised } from "../harness/supervised.js";
import { newToy } from "../harness/toy.js";

const ACTORS = ["catalog", "search", "embedding", "fs", "watcher", "registry", "jev"] as const satisfies ActorName[];
const IN_FLIGHT = 4;
const TIMEOUT_MS = 20_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

interface Subject {
  readonly restarts: () => number;
  /** Ends the thread with calls in flight; settles when these have been answered and the next thread answers. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Its calls are never answered, so comlink's promises for them stay pending. */
async function silentToy(): Promise<Subject> {
  const { handle } = newToy();
  await handle.ready;
  const restart = async (): Promise<void> => {
    const lost = Array.from({ length: IN_FLIGHT }, () => handle.call("write", { deed: "silence" }, newContext(TIMEOUT_MS)));
    handle.restart();
    for (const { status } of await Promise.allSettled(lost)) assert.is(status, "rejected");
    await handle.call("read", {}, newContext(TIMEOUT_MS));
  };
  return { restarts: () => handle.status.restarts, restart, stop: () => handle.stop() };
}

async function allActors(): Promise<Subject> {
  const supervisor = supervised({ actors: ACTORS, functions: [] });
  const restarts = (): number => Math.min(...ACTORS.map((name) => supervisor.status(name)?.restarts ?? 0));
  const settled = async (): Promise<void> => {
    while (ACTORS.some((name) => supervisor.status(name)?.state !== "running")) await sleep(5);
  };
  await settled();
  const restart = async (): Promise<void> => {
    const before = restarts();
    for (const name of ACTORS) supervisor.restart(name);
    while (restarts() === before) await sleep(5);
    await settled();
  };
  return { restarts, restart, stop: () => supervisor.stop() };
}

interface Case {
  readonly what: string;
  readonly open: () => Promise<Subject>;
  readonly warmUp: number;
  readonly times: number;
  /** What measuring may differ by, because a port or a timer closes a moment later; far less than one of each life would be. */
  readonly spread: number;
  readonly heapMiB: number;
}

const CASES: readonly Case[] = [
  { what: "a toy whose calls are never answered", open: silentToy, warmUp: 15, times: 200, spread: 8, heapMiB: 1 },
  { what: "every actor of the product", open: allActors, warmUp: 2, times: 4, spread: 8, heapMiB: 3 },
];
for (const { what, open, warmUp, times, spread, heapMiB } of CASES) {
  test(`${times} restarts of ${what} leave nothing behind`, async () => {
    const warnings: string[] = [];
    const keep = (warning: Error): number => warnings.push(warning.message);
    process.on("warning", keep);
    const subject = await open();
    try {
      await restart(subject, warmUp);
      const before = await held();
      await restart(subject, times);
      const after = await held();
      for (const kind of Object.keys(after.counts)) {
        const more = (after.counts[kind] ?? 0) - (before.counts[kind] ?? 0);
        assert.ok(more < spread, `${more} more of ${kind} after ${times} restarts`);
      }
      const grown = after.heapMiB - before.heapMiB;
      assert.ok(grown < heapMiB, `${grown.toFixed(1)} MiB more`);
      assert.equal(warnings, []);
    } finally {
      await subject.stop();
      process.off("warning", keep);
    }
    await eventually("no port and no thread is left", async () => {
      const { counts } = await held();
      return (counts["MessagePort"] ?? 0) + (counts["Worker"] ?? 0) === 0;
    });
  });
}

async function restart(subject: Subject, times: number): Promise<void> {
  const before = subject.restarts();
  for (let time = 0; time < times; time++) await subject.restart();
  assert.is(subject.restarts(), before + times);
}

interface Held {
  /** What keeps the process busy, by its kind; besides threads and open files as the system counts them, where it does. */
  readonly counts: Readonly<Record<string, number>>;
  readonly heapMiB: number;
}

/** Collects more than once: what a finalization registry lets go of is free in the next round only. */
async function held(): Promise<Held> {
  for (let round = 0; round < 6; round++) {
    collectGarbage();
    await sleep(30);
  }
  const counts: Record<string, number> = { threads: entries("/proc/self/task"), files: entries("/proc/self/fd") };
  for (const resource of process.getActiveResourcesInfo()) counts[resource] = (counts[resource] ?? 0) + 1;
  const heapMiB = Math.round((process.memoryUsage().heapUsed / 2 ** 20) * 10) / 10;
  return { counts, heapMiB };
}

function entries(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

test.run();
