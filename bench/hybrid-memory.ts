/** A program: prints the resident memory in MiB, with its model processes, of a worker with so many functions and model processes. */
import { readdirSync, readFileSync } from "node:fs";
import { capabilities, synthesise } from "./catalogues.js";
import { start } from "./hybrid-worker.js";

/** Of a Node process that does nothing: it is part of a worker, but was there before the worker was started here. */
const BARE_NODE_MIB = 45;
const REST_MS = 3_000;

const [functions = 512, processes = 1] = process.argv.slice(2).map(Number);
const catalogue = synthesise(functions);
globalThis.gc?.();
const before = residentMiB();
const { search } = await start(catalogue, processes);
for (const need of capabilities()) await search([need]);
await new Promise((resolve) => setTimeout(resolve, REST_MS));
globalThis.gc?.();
process.stdout.write(String(residentMiB() - before + BARE_NODE_MIB));
process.exit(0);

function residentMiB(): number {
  const children = readdirSync("/proc").filter(
    (pid) => /^\d+$/.test(pid) && numberIn(`/proc/${pid}/stat`, /\) \S (\d+)/) === process.pid,
  );
  const pages = [String(process.pid), ...children].map((pid) => numberIn(`/proc/${pid}/statm`, /^\d+ (\d+)/));
  return (pages.reduce((sum, count) => sum + count, 0) * 4_096) / 2 ** 20;
}

/** 0 when the process has just gone. */
function numberIn(file: string, pattern: RegExp): number {
  try {
    return Number(pattern.exec(readFileSync(file, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
