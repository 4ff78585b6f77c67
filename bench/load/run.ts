/**
 * Load and scale, measured. The full form (`npm run bench -- load`) takes half an hour; as part of all benches it is short, and keeps its
 * findings apart from those of the full form.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../test/harness/shared.js";
import type { Finding, Findings } from "../results.js";
import { machine } from "../results.js";
import type { LexicalResult } from "./lexical.js";
import { measureApart } from "./measurement.js";
import { report } from "./report.js";
import type { LoadResults } from "./results.js";

interface Extent {
  readonly subject: "load" | "load-short";
  readonly lexical: readonly { readonly functions: number; readonly needs: number; readonly rounds: number }[];
}

const FULL: Extent = {
  subject: "load",
  lexical: [
    { functions: 512, needs: 60, rounds: 9 },
    { functions: 5_000, needs: 60, rounds: 7 },
    { functions: 50_000, needs: 24, rounds: 5 },
    { functions: 200_000, needs: 12, rounds: 3 },
  ],
};

const SHORT: Extent = {
  subject: "load-short",
  lexical: [
    { functions: 512, needs: 24, rounds: 5 },
    { functions: 5_000, needs: 24, rounds: 3 },
  ],
};

/** `named`: it was asked for by name, which is worth the full form. */
export async function run(named: boolean): Promise<Findings & { readonly details: LoadResults }> {
  const extent = named ? FULL : SHORT;
  const lexical: LexicalResult[] = [];
  for (const { functions, needs, rounds } of extent.lexical) {
    console.log(`load: ranking by terms, ${functions} functions`);
    lexical.push(await measureApart("lexical", functions, needs, rounds));
  }
  const details: LoadResults = { lexical };
  if (named) writeFileSync(join(ROOT, "bench", "results", "load.md"), `${report(details, machine())}\n`);
  return { subject: extent.subject, findings: lexical.flatMap(lexicalFindings), details };
}

/** Below 1: we are faster than the other. */
function lexicalFindings({ functions, contenders }: LexicalResult): Finding[] {
  return contenders
    .filter(({ name }) => name !== "iii-directory")
    .map(({ name, overOurs }) => ({
      what: `${functions} functions, ranking by terms, over ${name}`,
      value: Number((1 / overOurs).toPrecision(3)),
      unit: "×",
    }));
}
