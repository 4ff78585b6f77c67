/** A program: runs one measurement in a process of its own, whose name and arguments it is forked with, and sends the result. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What can be measured so. Loaded when needed: a contender's modules are no burden of the others. */
const MEASUREMENTS = {
  lexical: async () => (await import("./lexical.js")).compareLexical,
  "through-engine": async () => (await import("./through-engine.js")).loadThroughEngine,
  "in-process": async () => (await import("./in-process.js")).loadInProcess,
} as const;

type Measurements = typeof MEASUREMENTS;
type Measure<Name extends keyof Measurements> = Awaited<ReturnType<Measurements[Name]>>;
type Result<Name extends keyof Measurements> = Awaited<ReturnType<Measure<Name>>>;

/** Megabytes: all contenders of the largest size together have some gigabytes. */
const HEAP_MIB = 12_288;
const PROGRAM = fileURLToPath(import.meta.url);

/** Rejects with what the process wrote on standard error when it ends without a result. */
export function measureApart<Name extends keyof Measurements>(
  name: Name,
  ...given: Parameters<Measure<Name>>
): Promise<Result<Name>> {
  const child = fork(PROGRAM, [name, JSON.stringify(given)], {
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once("message", (result) => resolve(result as Result<Name>));
    child.once("exit", (code) => reject(new Error(`measuring ${name} ended with ${code}:\n${errors}`)));
  });
}

if (process.argv[1] === PROGRAM) {
  const [name, given] = process.argv.slice(2) as [keyof Measurements, string];
  const measure = (await MEASUREMENTS[name]()) as (...given: unknown[]) => Promise<unknown>;
  const result = await measure(...(JSON.parse(given) as unknown[]));
  process.send?.(result, () => process.exit(0));
}
