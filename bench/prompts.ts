/** Lists and reads of system prompts and of profiles with three levels of inheritance, beside a plain read of the same files. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { content } from "../test/harness/content.js";
import { newContext } from "../test/harness/context.js";
import { interleave, median, round } from "./measure.js";
import type { Findings } from "./results.js";

const FILES = 1_000;
const ROUNDS = 30;
/** As many files at once as the worker looks at. */
const CONCURRENCY = 32;
const BODY = "Work carefully, and say what you did. ".repeat(50);

export async function run(): Promise<Findings> {
  const files: Record<string, string> = {};
  for (let index = 0; index < FILES; index++) {
    files[`skills/system-prompts/p${index}.md`] = `---\nname: p${index}\ndescription: Prompt ${index}.\n---\n${BODY}\n`;
    files[`agents/a${index}.md`] = profile(index);
  }
  const given = await content(files, { engine: () => ({ functions: [] }) });
  const [prompts, agents] = [given.at("skills/system-prompts"), given.at("agents")];
  const last = `a${FILES - 1}`;
  const times = await interleave(
    {
      readPrompts: () => readAll(prompts),
      listPrompts: () => given.fs.listSystemPrompts({}, newContext()),
      getPrompt: () => given.fs.getSystemPrompt({ name: `p${FILES - 1}` }, newContext()),
      readAgents: () => readAll(agents),
      listAgents: () => given.fs.listAgents({}, newContext()),
      getAgent: () => given.fs.getAgent({ id: last }, newContext()),
      readOne: () => readFile(join(agents, `${last}.md`), "utf8"),
    },
    ROUNDS,
  );
  const cold = await content({}, { base: given.base });
  const first = await interleave({ list: () => cold.fs.listAgents({}, newContext()) }, 1, 0);
  const ratio = (what: string, ours: readonly number[], plain: readonly number[], limit?: number) => ({
    what,
    value: round(median(ours) / median(plain)),
    unit: "×",
    ...(limit === undefined ? {} : { limit }),
  });
  return {
    subject: "prompts",
    findings: [
      ratio(`list of ${FILES} system prompts to a plain read of the files`, times.listPrompts, times.readPrompts, 1),
      ratio(`get among ${FILES} system prompts to a plain read of all of them`, times.getPrompt, times.readPrompts, 1),
      ratio(`list of ${FILES} profiles, three levels deep, to a plain read of the files`, times.listAgents, times.readAgents, 1),
      ratio(`first list of ${FILES} profiles after the start to a plain read of the files`, first.list, times.readAgents),
      ratio(`get of a profile three levels deep to a plain read of all of them`, times.getAgent, times.readAgents, 1),
      ratio(`get of a profile three levels deep to a plain read of one file`, times.getAgent, times.readOne),
      { what: "p50 of the list of profiles", value: round(median(times.listAgents)), unit: "ms" },
      { what: "p50 of get of a profile", value: round(median(times.getAgent)), unit: "ms" },
    ],
  };
}

/** The first ten are the roots, a hundred extend them, the rest extend those. */
function profile(index: number): string {
  const parent = index < 10 ? undefined : index < 110 ? index % 10 : 10 + (index % 100);
  const lines = [
    "---",
    `name: Agent ${index}`,
    `description: Profile ${index}.`,
    ...(parent === undefined ? ["model: m"] : [`extends: a${parent}`]),
    `functions: [a::f${index}, b::f${index % 7}]`,
    "---",
    BODY,
  ];
  return `${lines.join("\n")}\n`;
}

async function readAll(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const texts: string[] = [];
  let next = 0;
  const reader = async (): Promise<void> => {
    for (let at = next++; at < names.length; at = next++) texts[at] = await readFile(join(folder, names[at] ?? ""), "utf8");
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, reader));
  return texts;
}
