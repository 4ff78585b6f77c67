/** Downloads beside nothing but fetching the same bytes and writing them: one bundle of 200 files, and the pass over twenty workers. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newContext } from "../test/harness/context.js";
import { type Downloading, downloading } from "../test/harness/downloading.js";
import { RegistryServer } from "../test/harness/registry-server.js";
import { temporaryFolder } from "../test/harness/temporary.js";
import { interleave, median, round } from "./measure.js";
import type { Findings } from "./results.js";

const FILES = 200;
const WORKERS = 20;
const PATIENCE_MS = 120_000;
const ROUNDS = 9;

export async function run(): Promise<Findings> {
  const server = await RegistryServer.start();
  const content = `---\ndescription: A page.\n---\n# Page\n\n${"It says what there is to say. ".repeat(40)}\n`;
  const pages = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ path: `skills/part${at % 10}/page${at}.md`, content }));
  server.workers.set("large", { name: "large", skills: pages(FILES) });
  for (let at = 0; at < WORKERS; at++) server.workers.set(`worker${at}`, { name: `worker${at}`, skills: pages(10) });
  const plain = async (name: string, folder: string): Promise<void> => {
    const { skills } = (await (await fetch(`${server.url}/w/${name}/skills`)).json()) as {
      skills: { path: string; content: string }[];
    };
    for (const { path, content: text } of skills) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const open: Downloading[] = [];
  const fresh = async (): Promise<Downloading> => {
    const made = await downloading(server.url);
    open.push(made);
    return made;
  };
  const one = await interleave(
    {
      ours: async () => {
        const made = await fresh();
        await made.registry.download({ worker: "large" }, newContext(PATIENCE_MS));
        await made.fs.listSkills({}, newContext(PATIENCE_MS));
      },
      plain: () => plain("large", temporaryFolder()),
    },
    ROUNDS,
  );
  const many = await interleave(
    {
      ours: async () => {
        const made = await fresh();
        for (let at = 0; at < WORKERS; at++) await made.registry.workerAdded({ worker: `worker${at}` }, newContext(PATIENCE_MS));
      },
      plain: async () => {
        for (let at = 0; at < WORKERS; at++) await plain(`worker${at}`, temporaryFolder());
      },
    },
    ROUNDS,
  );
  await Promise.all(open.map((made) => made.stop()));
  await server.close();
  const ratio = (times: { readonly ours: number[]; readonly plain: number[] }): number =>
    round(median(times.ours) / median(times.plain));
  return {
    subject: "downloads",
    findings: [
      {
        what: `bundle of ${FILES} files until its skills are listed, over fetching and writing them, p50`,
        value: ratio(one),
        unit: "×",
      },
      { what: "the same, p50", value: round(median(one.ours)), unit: "ms" },
      {
        what: `${WORKERS} workers with 10 files each, one after another, over fetching and writing them, p50`,
        value: ratio(many),
        unit: "×",
      },
      { what: "the same, p50", value: round(median(many.ours)), unit: "ms" },
    ],
  };
}
