/**
 * A program, `npm run mock:jev`: the judge of the tests, for people without a key. It judges by shared words, so what it says is good for
 * seeing the mode at work and for nothing else. With `--worker` it starts a directory worker that asks it; no setting of the real
 * worker leads here, because its judge has one address.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { constant, plausible, slowService } from "./jev-policies.js";
import { JevServer } from "./jev-server.js";
import { temporaryFolder } from "./temporary.js";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    /** Milliseconds of a request, and of each question in it. */
    "base-ms": { type: "string", default: "400" },
    "question-ms": { type: "string", default: "0.5" },
    /** The same score for everything. */
    score: { type: "string" },
    lenient: { type: "boolean", default: false },
    worker: { type: "boolean", default: false },
  },
});

const judged = values.score === undefined ? plausible : constant(Number(values.score));
const [base, perQuestion] = [Number(values["base-ms"]), Number(values["question-ms"])];
const server = await JevServer.start({
  port: Number(values.port),
  lenient: values.lenient,
  policy: base === 0 && perQuestion === 0 ? judged : slowService(base, perQuestion, judged),
});
process.stdout.write(`mock judge: ${server.endpoint}\n`);
process.send?.({ endpoint: server.endpoint });
if (values.worker) await startWorkerBeside(server.endpoint);
for (const signal of ["SIGINT", "SIGTERM", "disconnect"]) process.on(signal, () => process.exit(0));

async function startWorkerBeside(endpoint: string): Promise<void> {
  console.log = () => {};
  console.debug = () => {};
  const { startWorker } = await import("../../supervisor/main.js");
  const folder = temporaryFolder();
  const configPath = join(folder, "seed.yaml");
  writeFileSync(configPath, "function_search_mode: jev\n");
  const env = { ...process.env, TYPESAFE_API_KEY: "mock-key", III_COMPOSE_DIR: process.env["III_COMPOSE_DIR"] ?? folder };
  const worker = await startWorker({ mode: "auto", configPath, env, options: { jev: { endpoint } } });
  process.stdout.write(`worker: ready on ${worker.url}${worker.embedded ? " (embedded engine)" : ""}\n`);
}
