/**
 * A call through the whole worker: engine, supervisor, an actor on its thread, and back, beside worker processes on the same engine that only
 * echo. Calls of all contenders take turns in one run; the search is answered by terms alone, because networks have a bench of their own.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEngineProcess } from "../test/harness/embedded-engine-process.js";
import { Peer } from "../test/harness/peer.js";
import { temporaryFolder } from "../test/harness/temporary.js";
import { WorkerProcess } from "../test/harness/worker-process.js";
import { percentile, round } from "./measure.js";
import type { Finding, Findings } from "./results.js";

const TURNS = 60;
const CALLS_A_TURN = 64;
const WARM_UP_TURNS = 6;
const IN_FLIGHT = [1, 32] as const;

interface Contender {
  readonly name: string;
  readonly functionId: string;
  readonly payload: object;
}

const CONTENDERS: readonly [yardstick: Contender, ...others: Contender[]] = [
  { name: "raw echo worker", functionId: "echo-raw::echo", payload: { text: "hello" } },
  { name: "echo worker of the SDK", functionId: "echo-sdk::echo", payload: { text: "hello" } },
  { name: "worker, list of skills", functionId: "directory::skills::list", payload: {} },
  { name: "worker, search", functionId: "directory::search_functions", payload: { capabilities: ["echo"] } },
];

export async function run(): Promise<Findings> {
  const engine = await startEngineProcess("--port", "0", "--config-dir", temporaryFolder());
  const folder = temporaryFolder();
  const seed = join(folder, "seed.yaml");
  writeFileSync(seed, "function_search_mode: lexical\nregistry_search: false\nauto_download: false\n");
  const worker = new WorkerProcess({ flags: ["--url", engine.url, "--config", seed], folder, env: { LOG_LEVEL: "error" } });
  const echo = fork(fileURLToPath(new URL("echo-workers.js", import.meta.url)), [engine.url], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await Promise.all([worker.ready(), once(echo, "message")]);
  const caller = await Peer.hello(engine.url, "caller");
  const findings: Finding[] = [];
  for (const inFlight of IN_FLIGHT) findings.push(...compare(await measure(caller, inFlight), inFlight));
  await caller.close();
  echo.disconnect();
  await worker.stop();
  await engine.stop();
  return { subject: "round-trip", findings };
}

/** Milliseconds of each call, by contender. */
async function measure(caller: Peer, inFlight: number): Promise<Map<Contender, number[]>> {
  const times = new Map<Contender, number[]>(CONTENDERS.map((contender) => [contender, []]));
  for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
    for (const contender of CONTENDERS) {
      const taken = await calls(caller, contender, inFlight);
      if (turn >= 0) times.get(contender)?.push(...taken);
    }
  }
  return times;
}

async function calls(caller: Peer, { functionId, payload }: Contender, inFlight: number): Promise<number[]> {
  const taken: number[] = [];
  let left = CALLS_A_TURN;
  const oneAfterAnother = async (): Promise<void> => {
    while (left-- > 0) {
      const begin = performance.now();
      await caller.call(functionId, payload);
      taken.push(performance.now() - begin);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, oneAfterAnother));
  return taken;
}

function compare(times: ReadonlyMap<Contender, readonly number[]>, inFlight: number): Finding[] {
  const [yardstick] = CONTENDERS;
  return [0.5, 0.99].flatMap((share) => {
    const base = percentile(times.get(yardstick) ?? [], share);
    return [...times].flatMap(([{ name }, taken]): Finding[] => {
      const value = percentile(taken, share);
      const what = `${name}, ${inFlight} in flight, p${share * 100}`;
      const absolute = { what, value: round(value), unit: "ms" };
      return name === yardstick.name
        ? [absolute]
        : [absolute, { what: `${what}, over ${yardstick.name}`, value: round(value / base), unit: "×" }];
    });
  });
}
