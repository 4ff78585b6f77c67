/**
 * A program, `npm run bench:jev -- --modes lexical,jev --allow-remote`: how well each mode ranks the judged cases, how long it takes and what
 * it costs. Local modes only, unless remote ones are allowed.
 */
import { writeFileSync } from "node:fs";
import { sharedFile } from "../../test/harness/shared.js";
import { readKey, readOptions } from "./options.js";
import { evaluate } from "./run.js";

try {
  const options = readOptions(process.argv.slice(2), {
    cases: sharedFile("bench-data", "jev_cases.jsonl"),
    catalogue: sharedFile("bench-data", "iii_catalog.jsonl"),
  });
  const report = `${JSON.stringify(await evaluate(options, { key: readKey(options, process.env) }), null, 2)}\n`;
  if (options.output === undefined) process.stdout.write(report);
  else writeFileSync(options.output, report);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
