/** Backpressure and limits of what waits for a peer. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { LIMITS } from "../../actors/engine/limits.js";
import { OutboundTotal, Outbox } from "../../actors/engine/outbox.js";

const LIMIT = { ...LIMITS, pauseBytes: 100, resumeBytes: 20, outboundBytes: 1_000, outboundTotalBytes: 1_500, stallMs: 30 };

/** A socket that takes messages when it is told to. */
function scene(total = new OutboundTotal()) {
  const sent: { message: Buffer; done: () => void }[] = [];
  const log: string[] = [];
  const socket = {
    isOpen: true,
    send: (message: Buffer, _isBinary: boolean, done: () => void) => void sent.push({ message, done }),
    pause: () => void log.push("pause"),
    resume: () => void log.push("resume"),
  };
  const outbox = new Outbox(socket, total, LIMIT, (reason) => {
    log.push(reason.split(" ").slice(0, 3).join(" "));
    outbox.close();
  });
  const take = (): void => sent.shift()?.done();
  return { outbox, socket, sent, log, take, total };
}

test("who writes to a full peer isn't read until the peer has taken most of it", () => {
  const reader = scene();
  const writer = scene();
  for (let index = 0; index < 3; index += 1) reader.outbox.send(Buffer.alloc(50), false, writer.outbox);
  assert.equal(writer.log, ["pause"]);
  reader.take();
  reader.take();
  assert.equal(writer.log, ["pause"]);
  reader.take();
  assert.equal(writer.log, ["pause", "resume"]);
  assert.is(reader.total.bytes, 0);
});

test("a writer that waits for two peers is read again when both have room", () => {
  const [one, two, writer] = [scene(), scene(), scene()];
  one.outbox.send(Buffer.alloc(101), false, writer.outbox);
  two.outbox.send(Buffer.alloc(101), false, writer.outbox);
  one.take();
  assert.equal(writer.log, ["pause"]);
  two.take();
  assert.equal(writer.log, ["pause", "resume"]);
});

test("a peer that leaves lets its writers go, and its bytes no longer count", () => {
  const reader = scene();
  const writer = scene();
  reader.outbox.send(Buffer.alloc(101), false, writer.outbox);
  reader.outbox.close();
  assert.equal(writer.log, ["pause", "resume"]);
  assert.is(reader.total.bytes, 0);
  reader.take();
  assert.is(reader.total.bytes, 0);
});

test("more than a peer's share: disconnected", () => {
  const reader = scene();
  for (let index = 0; index < 11; index += 1) reader.outbox.send(Buffer.alloc(100), false);
  assert.equal(reader.log, ["it doesn't read:"]);
  assert.is(reader.sent.length, 11);
  reader.outbox.send(Buffer.alloc(1), false);
  assert.is(reader.sent.length, 11);
});

test("more than the share of all: the one with the most is disconnected, whoever is written to", () => {
  const total = new OutboundTotal();
  const [one, two] = [scene(total), scene(total)];
  one.outbox.send(Buffer.alloc(900), false);
  two.outbox.send(Buffer.alloc(700), false);
  assert.equal([one.log, two.log], [["it doesn't read:"], []]);
  assert.is(total.bytes, 700);
});

test("nothing taken for the stall time: disconnected; something taken: not", async () => {
  const [stuck, slow] = [scene(), scene()];
  stuck.outbox.send(Buffer.alloc(200), false);
  for (let index = 0; index < 50; index += 1) slow.outbox.send(Buffer.alloc(10), false);
  await new Promise<void>((resolve) => {
    const check = setInterval(() => {
      slow.outbox.send(Buffer.alloc(10), false);
      slow.take();
      if (stuck.log.length === 0) return;
      clearInterval(check);
      resolve();
    }, 5);
  });
  assert.equal(stuck.log, ["it has read"]);
  assert.equal(slow.log, []);
  slow.outbox.close();
});

test("a closing socket gets nothing more", () => {
  const reader = scene();
  reader.socket.isOpen = false;
  reader.outbox.send(Buffer.alloc(10), false);
  assert.is(reader.sent.length, 0);
});

test.run();
