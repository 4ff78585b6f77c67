/** Lists, pages and the index of skills, beside a plain walk that reads the same files; and how soon a change rings. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { content } from "../test/harness/content.js";
import { newContext } from "../test/harness/context.js";
import { temporaryFolder } from "../test/harness/temporary.js";
import { watching } from "../test/harness/watching.js";
import { interleave, median, percentile, round, timed } from "./measure.js";
import type { Finding, Findings } from "./results.js";

const SIZES = [10, 1_000, 10_000] as const;
const PATIENCE_MS = 300_000;
const BODY = `# Page\n\n${"It says what there is to say about this. ".repeat(40)}\n`;
const CHANGES = 40;

export async function run(): Promise<Findings> {
  const findings: Finding[] = [];
  for (const size of SIZES) findings.push(...(await measure(size)));
  return { subject: "skills", findings: [...findings, ...(await measureBells())] };
}

async function measure(size: number): Promise<Finding[]> {
  const base = temporaryFolder();
  for (let at = 0; at < size; at++) {
    const path = join(base, "skills", `worker${at % Math.ceil(size / 20)}`, at < size / 20 ? "SKILL.md" : `page${at}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `---\ntitle: Page ${at}\ndescription: Page number ${at} of a bench.\n---\n${BODY}`);
  }
  const root = join(base, "skills");
  const rounds = size > 1_000 ? 5 : 15;
  await plainWalk(root);
  const cold: number[] = [];
  const plain: number[] = [];
  for (let turn = 0; turn < rounds; turn++) {
    plain.push(await timed(() => plainWalk(root)));
    const { fs } = await content({}, { base });
    cold.push(await timed(() => fs.listSkills({}, newContext(PATIENCE_MS))));
  }
  const before = process.memoryUsage().rss;
  const { fs } = await content({}, { base });
  await fs.listSkills({}, newContext(PATIENCE_MS));
  const held = process.memoryUsage().rss - before;
  const id = `worker0/${readdirSync(join(root, "worker0"))
    .find((name) => name !== "SKILL.md")
    ?.slice(0, -3)}`;
  const warm = await interleave(
    {
      plain: () => plainWalk(root),
      list: () => fs.listSkills({}, newContext(PATIENCE_MS)),
      get: () => fs.getSkill({ id }, newContext(PATIENCE_MS)),
      index: () => fs.indexSkills({}, newContext(PATIENCE_MS)),
    },
    rounds,
  );
  const limits = size === 10_000 ? { cold: { limit: 3 }, warm: { limit: 0.2 } } : { cold: {}, warm: {} };
  const ratio = (times: readonly number[], yardstick: readonly number[]): number => round(median(times) / median(yardstick));
  return [
    { what: `${size} skills, first list, over a plain walk, p50`, value: ratio(cold, plain), unit: "×", ...limits.cold },
    { what: `${size} skills, list, over a plain walk, p50`, value: ratio(warm.list, warm.plain), unit: "×", ...limits.warm },
    { what: `${size} skills, list, p50`, value: round(median(warm.list)), unit: "ms" },
    { what: `${size} skills, get, p50`, value: round(median(warm.get)), unit: "ms" },
    { what: `${size} skills, index, p50`, value: round(median(warm.index)), unit: "ms" },
    { what: `${size} skills, resident memory of the first list`, value: round(held / 2 ** 20), unit: "MiB" },
  ];
}

/** Side by side as far as the disk goes, as anybody would write it. */
async function plainWalk(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const parts = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? plainWalk(path) : (await readFile(path, "utf8")).length;
    }),
  );
  return parts.reduce((sum, part) => sum + part, 0);
}

/** The window of 300 ms is part of it. */
async function measureBells(): Promise<Finding[]> {
  const made = await watching(undefined, { windowMs: 300 });
  const waits: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    made.rung.length = 0;
    writeFileSync(join(made.skills, "page.md"), `change ${change}`);
    waits.push(
      await timed(async () => {
        while (made.rung.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }),
    );
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  made.rung.length = 0;
  for (let at = 0; at < 1_000; at++) writeFileSync(join(made.skills, `burst${at}.md`), "x");
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const rings = made.rung.length;
  readFileSync(join(made.skills, "page.md"));
  await made.stop();
  return [
    { what: "change of a file until its doorbell, window of 300 ms included, p50", value: round(median(waits)), unit: "ms" },
    {
      what: "change of a file until its doorbell, window of 300 ms included, p99",
      value: round(percentile(waits, 0.99)),
      unit: "ms",
    },
    { what: "rings of 1000 files changed at once", value: rings, unit: "rings" },
  ];
}
