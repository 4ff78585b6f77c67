/** `npm run bench [-- SUBJECT...]`: runs the benches one after another, prints their findings and keeps them in bench/results. */
import { type Findings, keep, print } from "./results.js";

/** `named`: the subject was asked for by name; some benches are short otherwise. */
type Bench = () => Promise<{ readonly run: (named: boolean) => Promise<Findings> }>;

const BENCHES: Readonly<Record<string, Bench>> = {
  actors: () => import("./actors.js"),
  "capability-sets": () => import("./capability-sets.js"),
  console: () => import("./console.js"),
  engine: () => import("./engine.js"),
  downloads: () => import("./downloads.js"),
  hook: () => import("./hook.js"),
  hybrid: () => import("./hybrid.js"),
  jev: () => import("./jev.js"),
  load: () => import("./load/run.js"),
  prompts: () => import("./prompts.js"),
  quality: () => import("./quality/own-catalogues.js"),
  ranking: () => import("./ranking.js"),
  skills: () => import("./skills.js"),
  "round-trip": () => import("./round-trip.js"),
  start: () => import("./start.js"),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((subject) => BENCHES[subject] === undefined);
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(2);
}
for (const [subject, load] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(subject)) continue;
  const { run } = await load();
  const findings = await run(wanted.length > 0);
  print(findings);
  keep(findings);
}
process.exit(0);
