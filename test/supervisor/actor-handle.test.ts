/** The rules of a handle that need an exact order of events: stale answers, suspects, poison, degradation, stuck actors. */
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DirectoryError } from "../../protocol/errors.js";
import { ActorHandle } from "../../supervisor/actor-handle.js";
import { RestartPolicy } from "../../supervisor/restart-policy.js";
import { newContext } from "../harness/context.js";
import { FakeIncarnation } from "../harness/fake-incarnation.js";

const CRASH = { cause: "exit code 1" };
const LIMITS = { firstDelayMs: 1, longestDelayMs: 1, intensity: 3, windowMs: 60_000, probeMs: 30 };

function newHandle(startAfterMs = 0): { handle: ActorHandle; lives: FakeIncarnation[] } {
  const lives: FakeIncarnation[] = [];
  const handle = new ActorHandle({
    name: "toy",
    contract: {
      methods: { read: { idempotent: true, timeoutMs: 1_000 }, write: { idempotent: false, timeoutMs: 1_000 } },
      mailboxLimit: 8,
      window: 3,
      heapLimitMiB: 1,
      bufferLimitMiB: 1,
    },
    policy: new RestartPolicy(LIMITS, () => 1),
    spawn: () => {
      const life = new FakeIncarnation();
      lives.push(life);
      return life;
    },
    stuckAfterMs: 10,
    startAfterMs,
  });
  return { handle, lives };
}

const code = (error: unknown): string => (error instanceof DirectoryError ? error.code : `foreign: ${String(error)}`);
const read = (handle: ActorHandle, request: string, timeoutMs = 1_000): Promise<unknown> =>
  handle.call("read", request, newContext(timeoutMs)).catch(code);
const requests = (life: FakeIncarnation | undefined): unknown[] => (life?.received ?? []).map((received) => received.request);

test("an answer of the old thread after its death reaches nobody", async () => {
  const { handle, lives } = newHandle();
  await sleep(1);
  const first = read(handle, "a");
  lives[0]?.die(CRASH);
  await sleep(5);
  lives[0]?.received[0]?.answer("stale");
  await sleep(1);
  lives[1]?.received[0]?.answer("fresh");
  assert.is(await first, "fresh");
  await handle.stop();
});

test("suspects are sent alone and before the rest; only the culprit is poison", async () => {
  const { handle, lives } = newHandle();
  await sleep(1);
  const answers = ["innocent", "poison", "other", "waiting"].map((request) => read(handle, request));
  assert.equal(requests(lives[0]), ["innocent", "poison", "other"]);
  lives[0]?.die(CRASH);
  await sleep(5);
  assert.equal(requests(lives[1]), ["innocent"]);
  lives[1]?.received[0]?.answer("innocent");
  await sleep(1);
  assert.equal(requests(lives[1]), ["innocent", "poison"]);
  lives[1]?.die(CRASH);
  await sleep(5);
  assert.equal(requests(lives[2]), ["other"]);
  lives[2]?.received[0]?.answer("other");
  await sleep(1);
  lives[2]?.received[1]?.answer("waiting");
  assert.equal(await Promise.all(answers), ["innocent", "actor_restarted", "other", "waiting"]);
  await handle.stop();
});

test("a write in flight is answered with actor_restarted at once, one that waits is not", async () => {
  const { handle, lives } = newHandle();
  const early = handle.call("write", "waits for the first start", newContext(1_000)).catch(code);
  await sleep(1);
  lives[0]?.die(CRASH);
  assert.is(await early, "actor_restarted");
  const late = handle.call("write", "waits for the restart", newContext(1_000)).catch(code);
  await sleep(5);
  lives[1]?.received[0]?.answer("written");
  assert.is(await late, "written");
  await handle.stop();
});

test("too many deaths: calls fail fast with the name, a probe that is ready ends it", async () => {
  const { handle, lives } = newHandle();
  for (let death = 0; death <= LIMITS.intensity; death++) {
    await sleep(5);
    lives[death]?.die(CRASH);
  }
  await sleep(1);
  assert.is(handle.status.state, "degraded");
  const error = await handle.call("read", "x", newContext(1_000)).catch((thrown: unknown) => thrown);
  assert.is(code(error), "actor_degraded");
  assert.match((error as DirectoryError).message, "toy");
  await sleep(LIMITS.probeMs + 10);
  assert.is(handle.status.state, "running");
  lives.at(-1)?.die(CRASH);
  await sleep(1);
  assert.is(handle.status.state, "degraded", "a probe that dies soon has not proved itself");
  await handle.stop();
});

test("a thread that never answers is ended though its event loop turns", async () => {
  const { handle, lives } = newHandle();
  await sleep(1);
  const lost = ["a", "b", "c", "d"].map((request) => read(handle, request, 10));
  assert.equal(await Promise.all(lost), Array(4).fill("deadline_exceeded"));
  await sleep(30);
  assert.is(handle.status.lastEnding?.reason, "stuck");
  assert.is(lives.length, 2);
  await handle.stop();
});

test("an actor that starts a little later: its calls wait for it; stopped before that, it never starts", async () => {
  const { handle, lives } = newHandle(20);
  const answer = read(handle, "early");
  assert.is(lives.length, 0);
  while (lives.length === 0) await sleep(5);
  await sleep(0);
  assert.equal(requests(lives[0]), ["early"]);
  lives[0]?.received[0]?.answer("late");
  assert.is(await answer, "late");

  const stopped = newHandle(20);
  const refused = read(stopped.handle, "early");
  await stopped.handle.stop(0);
  assert.is(await refused, "shutting_down");
  await sleep(40);
  assert.is(stopped.lives.length, 0);
});

test.run();
