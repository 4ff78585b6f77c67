/** Skills, downloads and the registry from the command line, over a real worker and a registry server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CLI } from "../harness/embedded-engine-process.js";
import { startTestEngine } from "../harness/engine.js";
import { RegistryServer } from "../harness/registry-server.js";
import { temporaryFolder } from "../harness/temporary.js";
import { withWorker } from "../harness/worker-process.js";

async function command(args: readonly string[]): Promise<{ code: number | null; out: string; errors: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let errors = "";
  child.stdout.on("data", (part) => (out += part));
  child.stderr.on("data", (part) => (errors += part));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, errors };
}

test("download, registry and skills as commands: what a newcomer types works, and faults are one line", async () => {
  const server = await RegistryServer.start([
    {
      name: "tides",
      description: "Knows when the water is high.",
      functions: [{ name: "tides::next", description: "Returns the next high tide." }],
      skills: [{ path: "skills/SKILL.md", content: "---\ndescription: How to ask.\n---\n# Tides\n\nAsk.\n" }],
    },
  ]);
  const engine = await startTestEngine({ configurationDirectory: temporaryFolder() });
  const folder = temporaryFolder();
  const seed = join(folder, "seed.yaml");
  writeFileSync(seed, `registry_url: ${server.url}\nauto_download: false\nfunction_search_mode: lexical\n`);
  try {
    await withWorker({ folder, flags: ["--url", engine.url, "--config", seed] }, async (worker) => {
      await worker.ready();
      const cli = (...args: string[]) => command([...args, "--url", engine.url]);
      assert.match((await cli("registry", "list", "water")).out, /tides +1\.0\.0/);
      assert.match((await cli("registry", "info", "tides")).out, /tides::next +Returns the next high tide\./);
      assert.equal(await cli("download", "tides"), { code: 0, out: "tides/SKILL.md\n", errors: "" });
      assert.match((await cli("skills", "list")).out, /tides .*How to ask\./);
      assert.is((await cli("skills", "get", "tides")).out, "# Tides\n\nAsk.\n");
      const page = join(folder, "page.md");
      writeFileSync(page, "# More\n\nMore about tides.\n");
      assert.match((await cli("skills", "create", "tides/more", page)).out, /^tides\/more: \d+ bytes/);
      assert.match((await cli("skills", "index")).out, /Tides/);
      assert.is((await cli("skills", "delete", "tides/more")).code, 0);
      const { code, errors } = await cli("download", "tides", "--version", "9.9");
      assert.is(code, 1);
      assert.match(errors, /^D310 not_found/);
      assert.is(errors.trim().split("\n").length, 1);
      assert.is((await cli("download", "https://x.test/r")).code, 2);
    });
  } finally {
    await engine.close();
    await server.close();
  }
});

test.run();
