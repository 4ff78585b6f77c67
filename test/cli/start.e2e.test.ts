/** `iii-directory start` as a newcomer runs it: an engine, the worker, the examples, and what happens when one of them dies. */
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CLI } from "../harness/embedded-engine-process.js";
import { startTestEngine } from "../harness/engine.js";
import { eventually, Peer } from "../harness/peer.js";
import { ROOT } from "../harness/shared.js";
import { temporaryFolder } from "../harness/temporary.js";
import { type WorkerProcess, withWorker } from "../harness/worker-process.js";

const START = { program: [CLI, "start"], flags: ["--port", "0"] };
/** Without networks: half the time to start, where they are not what is tested. */
const SEED = join(temporaryFolder(), "seed.yaml");
writeFileSync(SEED, "function_search_mode: lexical\n");
const LEXICAL = { ...START, flags: [...START.flags, "--config", SEED] };
const LIMIT_MS = 60_000;
const NEED = "store a value under a key and read it back";

interface Row {
  readonly name: string;
  readonly pid: number;
}

/** The command line as the newcomer's second terminal runs it. */
async function cli(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { env: { ...process.env, NO_COLOR: "1" } });
  return stdout;
}

async function addressOf(launcher: WorkerProcess): Promise<string> {
  await launcher.says(/example workers serve|^Try: /m, LIMIT_MS);
  return /ready on (ws:\/\/[\d.:]+)/.exec(launcher.said)?.[1] ?? "";
}

/** The workers that are processes of their own. */
async function workers(url: string): Promise<Row[]> {
  const peer = await Peer.connect(url);
  const { workers: rows } = await peer.call<{ workers: { name: string }[] }>("engine::workers::list", {});
  const infos = await Promise.all(rows.map(({ name }) => peer.call<{ worker: Row }>("engine::workers::info", { name })));
  await peer.close();
  return infos.map(({ worker }) => worker).filter(({ pid }) => Number.isInteger(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const pidOf = (rows: readonly Row[], name: string): number => rows.find((row) => row.name === name)?.pid ?? Number.NaN;

test("issue 3 item 8: the first search finds what the examples offer, and a call really runs it", async () => {
  const folder = temporaryFolder();
  await withWorker({ ...START, folder }, async (launcher) => {
    const url = await addressOf(launcher);
    assert.match(launcher.said, /9 example workers serve 67 functions/);
    assert.match(launcher.said, /try: npx iii-directory search "store a value under a key and read it back" --url ws:/);
    const table = await cli("search", NEED, "--url", url);
    for (const id of ["keyvalue::put", "keyvalue::get"]) assert.match(table, new RegExp(`^${id} `, "m"));
    await cli("call", "keyvalue::put", '{"key":"greeting","value":"hello"}', "--url", url);
    const { value } = JSON.parse(await cli("call", "keyvalue::get", '{"key":"greeting"}', "--url", url)) as { value: string };
    assert.is(value, "hello");
    assert.match(readFileSync(join(folder, "examples", "keyvalue.json"), "utf8"), /"greeting"/);
    const plan = { function_id: "notes::write", payload: { title: "fired", text: "" }, in_seconds: 0 };
    await cli("call", "schedule::once", JSON.stringify(plan), "--url", url);
    await eventually("the note", () => existsSync(join(folder, "examples", "notes.json")), LIMIT_MS);
    const { prompts } = JSON.parse(await cli("prompts", "list", "--json", "--url", url)) as { prompts: { builtin: boolean }[] };
    assert.equal([prompts.length, prompts.every(({ builtin }) => builtin)], [2, true], "bundled prompts are not copied to disk");
    const rows = await workers(url);
    assert.is(rows.length, 10);
    assert.is((await launcher.stop()).code, 0);
    await eventually("the end of all processes", () => !rows.some(({ pid }) => isRunning(pid)), LIMIT_MS);
  });
});

test("issue 3 item 8: a worker that dies as a whole and an example that dies are started again; what was stored is there", async () => {
  await withWorker(LEXICAL, async (launcher) => {
    const url = await addressOf(launcher);
    await cli("call", "keyvalue::put", '{"key":"kept","value":1}', "--url", url);
    process.kill(pidOf(await workers(url), "keyvalue"), "SIGKILL");
    await launcher.says(/The example worker keyvalue died \(SIGKILL\)/, LIMIT_MS);
    process.kill(pidOf(await workers(url), "iii-directory"), "SIGKILL");
    await launcher.says(/The worker died \(SIGKILL\); starting it again in 0\.5 s/, LIMIT_MS);
    await launcher.says(/(is ready on ws:.*){2}/s, LIMIT_MS);
    const stored = async (): Promise<string> => cli("call", "keyvalue::get", '{"key":"kept"}', "--url", url).catch(() => "");
    await eventually("the value", async () => (await stored()).includes('"value": 1'), LIMIT_MS);
    await eventually("the search", async () => (await cli("search", NEED, "--url", url)).includes("keyvalue::put"), LIMIT_MS);
    const rows = await workers(url);
    launcher.signal("SIGKILL");
    await eventually("the end of all processes", () => !rows.some(({ pid }) => isRunning(pid)), LIMIT_MS);
  });
});

test("an example whose file can't be read is left out with its reason; the others serve", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "examples"));
  writeFileSync(join(folder, "examples", "notes.json"), "{");
  await withWorker({ ...LEXICAL, folder }, async (launcher) => {
    await launcher.says(/8 example workers serve 59 functions/, LIMIT_MS);
    assert.match(launcher.said, /notes\.json can't be read [^\n]*; mend it or move it away/);
    assert.match(launcher.said, /The example worker notes doesn't start \(exit code 1\); it is left out/);
    assert.is((await launcher.stop()).code, 0);
  });
});

test("an engine that is there is used, without examples; a second launcher says why it ends", async () => {
  const engine = await startTestEngine({ configurationDirectory: temporaryFolder() });
  const { port } = new URL(engine.url);
  await withWorker({ ...START, flags: ["--port", port, "--config", SEED] }, async (launcher) => {
    const url = await addressOf(launcher);
    assert.is(url, engine.url);
    assert.equal(
      (await workers(url)).map(({ name }) => name),
      ["iii-directory"],
    );
    await withWorker({ ...START, flags: ["--url", url] }, async (second) => {
      const { code, errors } = await second.ended;
      assert.is(code, 1);
      assert.match(errors, /a worker named iii-directory is connected already/);
    });
    assert.is((await launcher.stop()).code, 0);
  });
  await engine.close();
});

test("npm start ends with npm: the shell between them passes no signal on", async () => {
  const flags = ["start", "--prefix", ROOT, "--", "--port", "0", "--no-examples", "--config", SEED];
  const folder = temporaryFolder();
  const env = { ...process.env, III_URL: undefined, III_COMPOSE_DIR: folder, XDG_CACHE_HOME: folder, LOG_LEVEL: "silent" };
  const npm = spawn("npm", flags, { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  npm.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await eventually("it is ready", () => /ready on ws:[^\n]+\n/.test(said), LIMIT_MS);
  const [worker] = await workers(/ready on (ws:\/\/[\d.:]+)/.exec(said)?.[1] ?? "");
  assert.is(worker?.name, "iii-directory");
  npm.kill("SIGTERM");
  await eventually("the end of the worker", () => !isRunning(worker?.pid ?? 0), LIMIT_MS);
});

test("a port that something else uses: one line, exit code 1", async () => {
  const stranger = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
  await new Promise((resolve) => stranger.once("listening", resolve));
  const { port } = stranger.address() as { port: number };
  for (const program of [
    [CLI, "start"],
    [CLI, "serve", "--engine", "auto"],
    [CLI, "serve", "--engine", "embedded"],
    [CLI, "engine"],
  ]) {
    await withWorker({ program, flags: ["--port", String(port)], env: { LOG_LEVEL: "silent" } }, async (worker) => {
      const { code, out, errors } = await worker.ended;
      assert.equal([code, out], [1, ""], program.join(" "));
      assert.match(errors, new RegExp(`port ${port} (on 127.0.0.1 )?is in use`), program.join(" "));
      assert.not.match(errors, /\n {4}at /);
    });
  }
  stranger.close();
});

test.run();
