/**
 * The embedded engine as a process of its own: a call from one peer to another beside the same frames through a bare relay, and what a
 * connected worker costs.
 */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { startEngineProcess } from "../test/harness/embedded-engine-process.js";
import { Peer } from "../test/harness/peer.js";
import { temporaryFolder } from "../test/harness/temporary.js";
import { interleave, median, percentile, round, timed } from "./measure.js";
import type { Findings } from "./results.js";

const ROUNDS = 3_000;
const IN_FLIGHT = 32;
const BATCHES = 300;
const WORKERS = 5_000;
const AT_ONCE = 50;

/** About 1 KiB, as a search and its answer often are. */
const DATA = { text: "x".repeat(1_000) };

/** One round trip of a call with 1 KiB of data, answered with the same. */
type Call = () => Promise<unknown>;

export async function run(): Promise<Findings> {
  const engine = await startEngineProcess("--port", "0", "--config-dir", temporaryFolder());
  const relay = await bareRelay();
  const contenders = { engine: await engineCall(engine.url), bare: relay.call };
  const one = await interleave(contenders, ROUNDS);
  const many = await interleave({ engine: inFlight(contenders.engine), bare: inFlight(contenders.bare) }, BATCHES);
  relay.stop();
  await engine.stop();
  const { connectMs, kilobytes, callMs } = await crowd();
  return {
    subject: "engine",
    findings: [
      { what: "call over the engine, over a bare relay, p50", value: round(median(one.engine) / median(one.bare)), unit: "×" },
      { what: "call over the engine, p50", value: round(median(one.engine)), unit: "ms" },
      { what: "call over the engine, p99", value: round(percentile(one.engine, 0.99)), unit: "ms" },
      {
        what: `${IN_FLIGHT} calls at once over the engine, over a bare relay, p50`,
        value: round(median(many.engine) / median(many.bare)),
        unit: "×",
      },
      { what: `${IN_FLIGHT} calls at once over the engine, p50`, value: round(median(many.engine)), unit: "ms" },
      { what: `${IN_FLIGHT} calls at once over the engine, p99`, value: round(percentile(many.engine, 0.99)), unit: "ms" },
      { what: `a worker with one function connects, ${WORKERS} in all, mean`, value: round(connectMs), unit: "ms" },
      { what: `memory of the engine for each of ${WORKERS} workers`, value: round(kilobytes), unit: "KiB" },
      { what: `call over the engine with ${WORKERS} workers connected, p50`, value: round(callMs), unit: "ms" },
    ],
  };
}

async function engineCall(url: string): Promise<Call> {
  const name = randomUUID();
  const worker = await Peer.hello(url, `${name}-worker`);
  await worker.serve(`${name}::echo`, (data) => data);
  const caller = await Peer.hello(url, `${name}-caller`);
  return roundTrips(caller.socket, (id) => ({
    type: "invokefunction",
    invocation_id: id,
    function_id: `${name}::echo`,
    data: DATA,
  }));
}

async function bareRelay(): Promise<{ readonly call: Call; stop(): void }> {
  const child = fork(fileURLToPath(new URL("bare-relay.js", import.meta.url)));
  const [port] = (await once(child, "message")) as [number];
  const caller = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await once(caller, "open");
  const worker = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await once(worker, "open");
  worker.on("message", (message) => {
    const { invocation_id, data } = JSON.parse(String(message));
    worker.send(JSON.stringify({ type: "invocationresult", invocation_id, function_id: "echo", result: data }));
  });
  const call = roundTrips(caller, (id) => ({ type: "invokefunction", invocation_id: id, function_id: "echo", data: DATA }));
  return { call, stop: () => child.disconnect() };
}

/** Both contenders are called by the same lines. */
function roundTrips(socket: WebSocket, frame: (id: string) => object): Call {
  const open = new Map<string, () => void>();
  socket.on("message", (message) => {
    const { invocation_id } = JSON.parse(String(message)) as { invocation_id: string };
    open.get(invocation_id)?.();
    open.delete(invocation_id);
  });
  return () =>
    new Promise<void>((resolve) => {
      const id = randomUUID();
      open.set(id, resolve);
      socket.send(JSON.stringify(frame(id)));
    });
}

function inFlight(call: Call): Call {
  return () => Promise.all(Array.from({ length: IN_FLIGHT }, call));
}

/** In a fresh engine: the memory that earlier calls left free would hide what the workers take. */
async function crowd(): Promise<{ connectMs: number; kilobytes: number; callMs: number }> {
  const { url, child, stop } = await startEngineProcess("--port", "0", "--config-dir", temporaryFolder());
  const pid = child.pid ?? 0;
  const before = residentKilobytes(pid);
  const sockets: WebSocket[] = [];
  const ms = await timed(async () => {
    for (let first = 0; first < WORKERS; first += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, async (_, offset) => {
        const peer = await Peer.hello(url, `w${first + offset}`);
        await peer.serve(`w${first + offset}::f`);
        return peer.socket;
      });
      sockets.push(...(await Promise.all(batch)));
    }
  });
  const kilobytes = (residentKilobytes(pid) - before) / WORKERS;
  const { call } = await interleave({ call: await engineCall(url) }, ROUNDS / 3);
  for (const socket of sockets) socket.terminate();
  await stop();
  return { connectMs: ms / WORKERS, kilobytes, callMs: median(call) };
}

/** Linux only; elsewhere the figure is not a number. */
function residentKilobytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}
