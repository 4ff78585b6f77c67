/** A program that installs bundles until it is killed: `install-main.js SKILLS AGENTS STEP`. At the given step of writing it kills itself. */
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const [skills = "", agents = "", at = "0"] = process.argv.slice(2);
let step = 0;
const counted =
  <Arguments extends unknown[], Result>(call: (...args: Arguments) => Promise<Result>) =>
  async (...args: Arguments): Promise<Result> => {
    if (++step === Number(at)) process.kill(process.pid, "SIGKILL");
    return call(...args);
  };
for (const name of ["rename", "open", "mkdir", "rm"] as const) Object.assign(fs, { [name]: counted(fs[name] as never) });
syncBuiltinESMExports();

const { installBundle } = await import("../../actors/fs/bundle-install.js");
const roots = { global: skills, local: `${skills}-none`, agents, agentSkills: [] };
const file = (kind: "skill" | "agent", path: string) => ({ kind, path, content: Buffer.from("new") });
await installBundle(
  {
    namespace: "coast",
    files: [file("skill", "a.md"), file("skill", "deep/b.md"), file("skill", "c.md"), file("agent", "x.md")],
    marker: { schema: 1, source: "registry", worker: "coast", tag_or_version: "latest" },
    keepEdits: false,
  },
  { roots, tell: async () => {} },
);
process.stdout.write(`done after ${step} steps`);
