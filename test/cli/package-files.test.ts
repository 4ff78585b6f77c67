/** The files around the code say what the code says. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { load } from "js-yaml";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DEFAULT_CONFIGURATION, readConfigurationText } from "../../domain/configuration.js";
import { EXTRA_FIELDS } from "../../protocol/configuration.js";
import { ROOT } from "../harness/shared.js";

const CLI = join(ROOT, "dist", "cli", "main.js");
const version = (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }).version;

function run(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: "utf8",
    env: { ...process.env, III_URL: "" },
  });
  return { status, out: stdout, err: stderr };
}

const row = (field: (typeof EXTRA_FIELDS)[number]): RegExp =>
  new RegExp(`^\\| .${field}. +\\| .${DEFAULT_CONFIGURATION[field]}. +\\|`, "m");

test("config.yaml.example has every field, each at its default", () => {
  const text = readFileSync(join(ROOT, "config.yaml.example"), "utf8");
  assert.equal(readConfigurationText(text), { ok: true, values: DEFAULT_CONFIGURATION });
  assert.equal(Object.keys(load(text) as object).sort(), Object.keys(DEFAULT_CONFIGURATION).sort());
});

test("the settings beyond the contract are listed with their defaults in the operations page", () => {
  const page = readFileSync(join(ROOT, "docs", "operations.md"), "utf8");
  for (const field of EXTRA_FIELDS) assert.match(page, row(field), field);
});

test("iii.worker.yaml names the worker and its dependency", () => {
  const worker = load(readFileSync(join(ROOT, "iii.worker.yaml"), "utf8")) as Record<string, unknown>;
  assert.equal([worker["iii"], worker["name"], worker["dependencies"]], ["v1", "iii-directory", { configuration: "0.x" }]);
});

test("spec 07 §10 manifest: required keys, non-empty description and targets, nothing else on standard output (case 45)", () => {
  const { status, out } = run("serve", "--manifest", "--config", "/nowhere/broken.yaml");
  const manifest = JSON.parse(out) as {
    name: string;
    version: string;
    description: string;
    default_config: object;
    supported_targets: string[];
  };
  assert.equal([status, manifest.name, manifest.version], [0, "iii-directory", version]);
  assert.ok(manifest.description.length > 0 && manifest.supported_targets.length > 0);
  assert.equal(
    Object.keys(manifest.default_config).sort(),
    Object.keys(DEFAULT_CONFIGURATION)
      .filter((field) => field !== "function_search_jev_api_key")
      .sort(),
  );
  assert.not.match(out, ROOT);
  assert.is(run("--manifest").out, out, "the default command");
});

test("--version and --help exit with 0", () => {
  assert.equal(run("--version"), { status: 0, out: `${version}\n`, err: "" });
  const help = run("--help");
  assert.is(help.status, 0);
  for (const command of ["serve", "start", "search", "call"]) assert.match(help.out, new RegExp(`^ {2}${command}`, "m"));
});

test("README and the operations page name every command and every environment variable", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const page = readFileSync(join(ROOT, "docs", "operations.md"), "utf8");
  const commands = [...run("--help").out.matchAll(/^ {2}([a-z]+)(?: \[| <| {2})/gm)].map(([, command]) => command);
  assert.ok(commands.length >= 5);
  for (const command of commands.filter((name) => name !== "help")) assert.match(readme, `iii-directory ${command}`);
  for (const variable of variablesOf(["supervisor", "cli", "actors", "examples"])) {
    assert.match(readme, `| \`${variable}\``);
    assert.match(page, `| \`${variable}\``);
  }
});

/** Which the sources read; where the home folder lies is everybody's. */
function variablesOf(rooms: readonly string[]): string[] {
  const files = rooms.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true }).map((file) => join(ROOT, room, String(file))),
  );
  const texts = files.filter((file) => file.endsWith(".ts")).map((file) => readFileSync(file, "utf8"));
  const names = texts.flatMap((text) => [...text.matchAll(/env\["([A-Z_]+)"\]/g)].map(([, name = ""]) => name));
  return [...new Set(names)].filter((name) => !["HOME", "USERPROFILE"].includes(name));
}

test("every link of README and of the examples' page leads to a file", () => {
  for (const page of ["README.md", join("examples", "README.md")]) {
    const text = readFileSync(join(ROOT, page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)#]*)[^)]*\)/g)) {
      assert.ok(existsSync(join(ROOT, dirname(page), target)), `${page}: ${target}`);
    }
  }
});

const MISTYPED: readonly [row: string, args: string[], says: RegExp][] = [
  ["an unknown flag", ["serve", "--nonsense"], /unknown option '--nonsense'/],
  ["an unknown command", ["serach", "x"], /too many arguments|unknown command/],
  ["a port that is no number", ["start", "--port", "http"], /--port takes a number from 0 to 65535/],
  ["a port for a foreign engine", ["serve", "--port", "4000"], /--port belongs to the embedded engine/],
  ["a port and an address", ["start", "--port", "4000", "--url", "ws://127.0.0.1:9"], /--port belongs to the embedded engine/],
  ["an unknown flag of start", ["start", "--nonsense"], /unknown option '--nonsense'/],
  ["an engine that isn't one", ["serve", "--engine", "warp"], /auto, embedded, external/],
  ["a payload that is no object", ["call", "a::b", "[1]"], /must be a JSON object/],
  ["a payload that doesn't parse", ["call", "a::b", "{"], /must be a JSON object/],
  ["no capability", ["search"], /missing required argument/],
  ["a time-out that is no number", ["call", "a::b", "{}", "--timeout", "soon"], /--timeout takes/],
];
for (const [row, args, says] of MISTYPED) {
  test(`exit code 2 and a line that says what is right: ${row}`, () => {
    const { status, err } = run(...args);
    assert.is(status, 2);
    assert.match(err, says);
    assert.not.match(err, /\n {4}at /);
  });
}

for (const args of [
  ["search", "anything", "--url", "ws://127.0.0.1:9"],
  ["call", "a::b", "{}", "--url", "ws://127.0.0.1:9"],
  ["call", "a::b", "{}", "--url", "nonsense"],
]) {
  test(`exit code 1 and one line when no engine answers: ${args.join(" ")}`, () => {
    const { status, out, err } = run(...args);
    assert.equal([status, out], [1, ""]);
    assert.match(err, /^(No engine answers at|nonsense is not the address).*\n$/);
  });
}

test.run();
