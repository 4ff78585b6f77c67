/** `iii-directory engine` as a user meets it. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CLI, startEngineProcess } from "../harness/embedded-engine-process.js";
import { Peer } from "../harness/peer.js";
import { temporaryFolder } from "../harness/temporary.js";

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** A command that ends by itself. */
function runCommand(...flags: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [CLI, "engine", ...flags], { env: { ...process.env, LOG_LEVEL: "silent" } });
  let out = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, errors })));
}

test("a port in use: one readable line, exit code 1", async () => {
  const engine = await startEngineProcess("--port", "0", "--config-dir", temporaryFolder());
  const port = new URL(engine.url).port;
  const { code, out, errors } = await runCommand("--port", port, "--config-dir", temporaryFolder());
  assert.equal([code, out], [1, ""]);
  assert.match(errors, new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is in use: [^\\n]+\\n$`));
  assert.is(await engine.stop(), 0);
});

test("a configuration folder that can't be made: one readable line, exit code 1", async () => {
  const { code, errors } = await runCommand("--port", "0", "--config-dir", "/dev/null/x");
  assert.is(code, 1);
  assert.match(errors, /^[^\n]*\/dev\/null\/x[^\n]*\n$/);
});

for (const flags of [["--port", "x"], ["--port", "65536"], ["--port", "-1"], ["--generation", "0.21"], ["--bogus"]]) {
  test(`typed wrongly: ${flags.join(" ")}: exit code 2 and the reason`, async () => {
    const { code, errors } = await runCommand(...flags);
    assert.is(code, 2);
    assert.ok(errors.includes(flags[0] ?? ""), errors);
  });
}

test("it stops on SIGTERM with exit code 0, and what was configured is there the next time", async () => {
  const folder = temporaryFolder();
  const first = await startEngineProcess("--port", "0", "--config-dir", folder);
  const owner = await Peer.hello(first.url, "owner");
  await owner.call("configuration::register", { id: "a", name: "n", description: "d", schema: true, initial_value: { x: 1 } });
  assert.is(await first.stop(), 0);
  assert.equal(readdirSync(folder), ["a.yaml"]);
  const second = await startEngineProcess("--port", "0", "--config-dir", folder);
  const reader = await Peer.hello(second.url, "reader");
  assert.equal(await reader.call("configuration::get", { id: "a" }), { id: "a", value: { x: 1 } });
  assert.is(await second.stop(), 0);
});

test.run();
