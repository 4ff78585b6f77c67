import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { DownloadRequest } from "../../../protocol/functions/downloads.js";
import { newContext } from "../../harness/context.js";
import { type Downloading, downloading } from "../../harness/downloading.js";
import { RegistryServer, send } from "../../harness/registry-server.js";
import { temporaryFolder } from "../../harness/temporary.js";

const server = await RegistryServer.start();
test.after(() => server.close());
test.before.each(() => {
  server.workers.clear();
  server.asked.length = 0;
  server.intercept = () => false;
});

const PATIENCE_MS = 60_000;

function publish(...paths: readonly (string | readonly [path: string, content: string])[]): void {
  const skills = paths.map((path) =>
    typeof path === "string" ? { path, content: `content of ${path}` } : { path: path[0], content: path[1] },
  );
  server.workers.set("resend", { name: "resend", version: "1.2.3", skills });
}

async function download({ registry }: Downloading, request: DownloadRequest = { worker: "resend" }) {
  return registry.download(request, newContext(PATIENCE_MS));
}

async function failure(made: Downloading, request: DownloadRequest = { worker: "resend" }): Promise<string> {
  try {
    await download(made, request);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code} ${message}`;
  }
  throw new Error("the download succeeded");
}

function tree(folder: string, prefix = ""): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? tree(join(folder, entry.name), `${prefix}${entry.name}/`) : [`${prefix}${entry.name}`],
    )
    .filter((name) => !name.endsWith(".iii-skill-complete"))
    .sort();
}

const WRITTEN: readonly {
  readonly row: string;
  readonly paths: readonly string[];
  readonly skills?: readonly string[];
  readonly prompts?: readonly string[];
  readonly agents?: readonly string[];
  readonly onDisk?: readonly string[];
  readonly profiles?: readonly string[];
}[] = [
  {
    row: "system prompt",
    paths: ["index.md", "system-prompts/reviewer.md"],
    skills: ["index.md"],
    prompts: ["reviewer"],
    onDisk: ["resend/index.md", "resend/system-prompts/reviewer.md"],
  },
  { row: "profile", paths: ["agents/reviewer.md"], agents: ["reviewer"], onDisk: [], profiles: ["reviewer.md"] },
  { row: "profile with a bad id", paths: ["agents/Bad-Id.md"], onDisk: [] },
  { row: "profile in a folder", paths: ["agents/review/reviewer.md"], onDisk: [] },
  {
    row: "one prefix stripped",
    paths: ["skills/SKILL.md", "skills/exec.md", "skills/iii-database/query.md"],
    skills: ["SKILL.md", "exec.md", "iii-database/query.md"],
  },
  { row: "only one prefix stripped", paths: ["skills/skills/http/x.md"], skills: ["skills/http/x.md"] },
  { row: "no prefix", paths: ["SKILL.md", "a/b.md"], skills: ["SKILL.md", "a/b.md"] },
  { row: "index.md beside SKILL.md", paths: ["index.md", "SKILL.md"], skills: ["SKILL.md"], onDisk: ["resend/SKILL.md"] },
  { row: "normalised", paths: ["./a/./b.md", "foo.md", "a//c.md"], skills: ["a/b.md", "foo.md", "a/c.md"] },
  {
    row: "command prompts are left out",
    paths: ["index.md", "prompts/send-email.md", "prompts/agents/x.md"],
    skills: ["index.md"],
    onDisk: ["resend/index.md"],
  },
  { row: "system prompts below prompts", paths: ["prompts/system-prompts/x.md"], prompts: ["x"] },
  { row: "what a system prompt needs", paths: ["system-prompts/x.txt"], skills: ["system-prompts/x.txt"] },
  {
    row: "hidden files (X3: settings in a bundle are never written, so never read)",
    paths: [".env", ".git/config", ".iii-skill-complete", "a.md"],
    skills: ["a.md"],
    onDisk: ["resend/a.md"],
  },
  { row: "an empty bundle", paths: [], onDisk: [] },
  { row: "the same path twice", paths: ["a.md", "./a.md"], skills: ["a.md"] },
  { row: "a literal percent", paths: ["%2e%2e/x.md"], skills: ["%2e%2e/x.md"] },
  { row: "agents below skills/", paths: ["skills/agents/x.md"], agents: ["x"], profiles: ["x.md"] },
];
for (const { row, paths, skills = [], prompts = [], agents = [], onDisk, profiles } of WRITTEN) {
  test(`spec 04 §10.3: ${row}: ${paths.join(", ")}`, async () => {
    publish(...paths);
    const made = await downloading(server.url);
    const answer = await download(made);
    assert.equal([answer.skills_written, answer.system_prompts_written, answer.agents_written], [skills, prompts, agents]);
    if (onDisk !== undefined) assert.equal(tree(made.skills), onDisk);
    if (profiles !== undefined) assert.equal(tree(made.agents), profiles);
    await made.stop();
  });
}

const HOSTILE: readonly (readonly [what: string, paths: readonly (string | readonly [string, string])[]])[] = [
  ["upwards", ["../../../etc/passwd"]],
  ["absolute", ["/etc/passwd"]],
  ["upwards from inside", ["a/../b.md"]],
  ["empty", [""]],
  ["only a dot", ["./"]],
  ["absolute after stripping", ["skills//etc/x/../../../y"]],
  ["empty after stripping", ["skills/"]],
  ["upwards after stripping, C7", ["good.md", "another.md", "skills/../../../pwned.md"]],
  ["upwards through profiles", ["agents/../index.md"]],
  ["backslashes", ["..\\..\\x.md"]],
  ["a drive", ["C:\\x.md"]],
  ["a drive without a slash", ["C:x.md"]],
  ["a share", ["\\\\server\\share\\x.md"]],
  ["NUL", ["a/\u0000.md"]],
  ["a stream", ["index.md:stream"]],
  ["a device", ["CON.md"]],
  ["a trailing dot", ["a./b.md"]],
  ["a trailing space", ["a /b.md"]],
  ["a long name", [`${"x".repeat(300)}.md`]],
  ["a long path", [`${"a/".repeat(600)}x.md`]],
  ["a deep path", [`${"a/".repeat(200)}x.md`]],
  ["case twins", ["A.md", "a.md"]],
  ["Unicode twins", ["caf\u00e9.md", "cafe\u0301.md"]],
  ["a file where a folder is needed", ["a", "a/b.md"]],
  ["half a character in a path", ["\ud800.md"]],
  ["half a character in a text", [["a.md", "x\udc00"]]],
  ["markdown too large to be read", [["a.md", "x".repeat(256 * 1024 + 1)]]],
  ["a file that is too large", [["a.bin", "x".repeat(4 * 2 ** 20 + 1)]]],
  ["too many files", Array.from({ length: 2_001 }, (_, at) => `f${at}.txt`)],
  ["too large as a whole", Array.from({ length: 5 }, (_, at) => [`f${at}.bin`, "x".repeat(4 * 2 ** 20)] as const)],
];
for (const [what, paths] of HOSTILE) {
  test(`spec 04 §11, decision 10: a bundle with ${what} is refused before the first write`, async () => {
    publish("good.md");
    const made = await downloading(server.url);
    await download(made);
    publish(["good.md", "changed"], "another.md", ...paths);
    const said = await failure(made);
    assert.match(said, /^D311 invalid_input: .*nothing was written/);
    assert.equal(tree(made.skills), ["resend/good.md"]);
    assert.is(readFileSync(join(made.skills, "resend", "good.md"), "utf8"), "content of good.md");
    assert.is(made.rung.length, 1, "no doorbell for what failed");
    await made.stop();
  });
}

test("spec 04 §10.3: the message about a path that leads out has the words that callers look for", async () => {
  publish("../../../etc/passwd");
  const made = await downloading(server.url);
  assert.match(await failure(made), /invalid skill path "\.\.\/\.\.\/\.\.\/etc\/passwd"/);
  await made.stop();
});

for (const [what, request, query] of [
  ["version", { worker: "resend", version: "1.2.3" }, "version=1.2.3"],
  ["tag", { worker: "  resend  ", tag: "latest\n" }, "version=latest"],
  ["neither", { worker: "resend" }, "version=latest"],
] as const) {
  test(`spec 04 §3.2: the registry is asked by ${what}, and the source says what was asked for`, async () => {
    publish("index.md");
    const made = await downloading(server.url);
    const { source, namespace } = await download(made, request);
    assert.equal(server.asked, [`/w/resend/skills?${query}`]);
    assert.match(server.headers.at(-1)?.["user-agent"] ?? "", /^iii-directory\//);
    assert.equal(source, {
      kind: "registry",
      worker: "resend",
      ...("version" in request ? { version: "1.2.3" } : { tag: "latest" }),
    });
    assert.is(namespace, "resend");
    await made.stop();
  });
}

test("spec 04 §1.6: each family rings once, in order, and only where something was written", async () => {
  publish("a.md", "b.md", "system-prompts/s.md", "agents/x.md", "prompts/p.md");
  const made = await downloading(server.url);
  await download(made);
  const payload = { op: "download", namespace: "resend", source: "registry" };
  assert.equal(made.rung, [
    { family: "skills", payload },
    { family: "system-prompts", payload },
    { family: "agents", payload },
  ]);
  publish("agents/x.md");
  await download(made);
  assert.equal(made.rung.slice(3), [{ family: "agents", payload }]);
  await made.stop();
});

test("decision 1, spec 03 §11: prompts that the registry gives as data are files where they are wanted, and ignored elsewhere", async () => {
  server.intercept = (_, __, response) => {
    const prompts = [{ name: "send", description: "Sends a letter.", content: "Write to $1." }];
    send(response, 200, { skills: [{ path: "index.md", content: "i" }], prompts });
    return true;
  };
  const plain = await downloading(server.url);
  await download(plain);
  assert.equal(tree(plain.skills), ["resend/index.md"]);
  await plain.stop();
  const wanting = await downloading(server.url, { configuration: { download_command_prompts: true } });
  await download(wanting);
  assert.equal(tree(wanting.skills), ["resend/index.md", "resend/prompts/send.md"]);
  assert.equal(
    (await wanting.fs.listPrompts({}, newContext(PATIENCE_MS))).prompts.map(({ name }) => name),
    ["send"],
  );
  await wanting.stop();
});

test("decision 1: command prompts are written, and ring, where they are wanted", async () => {
  publish("index.md", "prompts/send.md");
  const made = await downloading(server.url, { configuration: { download_command_prompts: true } });
  await download(made);
  assert.equal(tree(made.skills), ["resend/index.md", "resend/prompts/send.md"]);
  assert.equal(
    made.rung.map(({ family }) => family),
    ["skills", "prompts"],
  );
  await made.stop();
});

const FAILURES: readonly (readonly [what: string, answer: (response: ServerResponse, url: URL) => unknown, said: RegExp])[] = [
  [
    "404",
    (response) => send(response, 404, "x".repeat(1_000)),
    /^D310 not_found: .*resend.*404.*directory::registry::workers::list/,
  ],
  ["502", (response) => send(response, 502, `secret ${server.url}`), /^D320 registry_error: .*502.*retry/],
  ["429", (response) => send(response, 429, ""), /^D320 registry_error: .*429/],
  ["a page", (response) => send(response, 200, "<html>"), /^D320 registry_error: .*decoded/],
  ["204", (response) => response.writeHead(204).end(), /^D320 registry_error/],
  ["null", (response) => send(response, 200, "null"), /^D320 registry_error/],
  ["a list", (response) => send(response, 200, "[]"), /^D320 registry_error/],
  ["skills: null", (response) => send(response, 200, { skills: null }), /^D320 registry_error/],
  ["an entry without content", (response) => send(response, 200, { skills: [{ path: "a.md" }] }), /^D320 registry_error/],
  [
    "content that is a number",
    (response) => send(response, 200, { skills: [{ path: "a.md", content: 5 }] }),
    /^D320 registry_error/,
  ],
  [
    "half an answer",
    (response) => {
      response.writeHead(200, { "content-length": "100" }).write("{");
      setTimeout(() => response.destroy(), 20);
    },
    /^D320 registry_error/,
  ],
  ["deep nesting", (response) => send(response, 200, `${"[".repeat(100_000)}${"]".repeat(100_000)}`), /^D320 registry_error/],
  ["invalid UTF-8", (response) => response.writeHead(200).end(Buffer.from([0x7b, 0xff, 0x7d])), /^D320 registry_error/],
  ["another worker", (response) => send(response, 200, { name: "other", skills: [] }), /other.*resend/],
  [
    "a redirect to this machine",
    (response) => response.writeHead(302, { location: "http://127.0.0.1:1/x" }).end(),
    /^D320 registry_error/,
  ],
  [
    "a redirect to link-local",
    (response) => response.writeHead(302, { location: "http://169.254.169.254/x" }).end(),
    /^D320 registry_error/,
  ],
  ["a redirect to a file", (response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(), /^D320 registry_error/],
  ["a redirect without end", (response, url) => response.writeHead(302, { location: url.href }).end(), /^D320 registry_error/],
  ["silence", () => {}, /^D320 registry_error: .*in time/],
  ["a slow body (R9: one deadline over all of it)", (response) => drip(response), /^D320 registry_error/],
  ["a gzip bomb", (response) => bomb(response), /^D320 registry_error/],
  ["an endless body", (response) => flood(response), /^D320 registry_error/],
];

function bomb(response: ServerResponse): void {
  response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(64 * 2 ** 20, 0x20)));
}

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(timer));
}

function flood(response: ServerResponse): void {
  response.writeHead(200);
  const block = Buffer.alloc(1 << 20, 0x20);
  const pour = (): void => {
    while (!response.destroyed && response.write(block));
  };
  response.on("drain", pour);
  pour();
}

for (const [what, answer, said] of FAILURES) {
  test(`spec 04 §3.3: the registry answers with ${what}`, async () => {
    publish("index.md");
    server.intercept = (url, _, response) => {
      answer(response, url);
      return true;
    };
    const made = await downloading(server.url, { configuration: { download_timeout_ms: 1_000 } });
    const message = await failure(made);
    assert.match(message, said);
    assert.not(message.includes(server.url) || message.includes("secret") || /HTTP 404/.test(message));
    assert.equal(tree(made.skills), []);
    assert.equal(made.rung, []);
    await made.stop();
  });
}

test("spec 04 §5.2: a redirect on the registry's own host is followed", async () => {
  publish("index.md");
  server.intercept = (url, _, response) => {
    if (url.pathname.startsWith("/moved")) return false;
    if (url.searchParams.has("moved")) return false;
    response.writeHead(307, { location: `${url.pathname}${url.search}&moved=1` }).end();
    return true;
  };
  const made = await downloading(server.url);
  assert.equal((await download(made)).skills_written, ["index.md"]);
  await made.stop();
});

test("decision 8: a namespace that was downloaded on purpose is visible, whatever is installed", async () => {
  publish(["SKILL.md", "---\ndescription: Sends mail.\n---\n# Resend\n"]);
  const made = await downloading(server.url, { engine: () => ({ containers: [{ container: "other" }] }) });
  await download(made);
  const { skills } = await made.fs.listSkills({}, newContext(PATIENCE_MS));
  assert.equal(
    skills.map(({ id }) => id),
    ["resend"],
  );
  await made.stop();
});

test("decision 9: the marker holds source, version and files", async () => {
  publish("a.md", "agents/x.md");
  const made = await downloading(server.url);
  await download(made, { worker: "resend", version: "1.2.3" });
  const marker = JSON.parse(readFileSync(join(made.skills, "resend", ".iii-skill-complete"), "utf8")) as Record<string, unknown>;
  const { files, agents, ...rest } = marker;
  assert.equal(rest, { schema: 1, source: "registry", worker: "resend", tag_or_version: "1.2.3", pinned: true, version: "1.2.3" });
  assert.equal([Object.keys(files as object), Object.keys(agents as object)], [["a.md"], ["x"]]);
  await made.stop();
});

test("decision 40: an explicit download replaces what was edited here, and says so in the status", async () => {
  publish("a.md", "b.md");
  const made = await downloading(server.url);
  await download(made);
  writeFileSync(join(made.skills, "resend", "a.md"), "edited here");
  writeFileSync(join(made.skills, "resend", "own.md"), "mine");
  publish(["a.md", "new a"], ["b.md", "new b"]);
  await download(made);
  assert.is(readFileSync(join(made.skills, "resend", "a.md"), "utf8"), "new a");
  assert.is(readFileSync(join(made.skills, "resend", "own.md"), "utf8"), "mine");
  const { faults } = await made.fs.report({}, newContext(PATIENCE_MS));
  assert.equal(
    faults.filter(({ path }) => path.startsWith("resend/")).map(({ path }) => path),
    ["resend/a.md"],
  );
  await made.stop();
});

for (const [what, link] of [
  ["the namespace", (made: Downloading, outside: string) => symlinkSync(outside, join(made.skills, "resend"))],
  [
    "a folder in it (C8)",
    (made: Downloading, outside: string) => {
      mkdirSync(join(made.skills, "resend"));
      symlinkSync(outside, join(made.skills, "resend", "deep"));
    },
  ],
] as const) {
  test(`spec 04 §11: ${what} is a link that leads out: refused, and nothing is written there`, async () => {
    publish("good.md", "deep/x.md");
    const made = await downloading(server.url);
    const outside = temporaryFolder();
    link(made, outside);
    assert.match(await failure(made), /leads out/);
    assert.equal(readdirSync(outside), []);
    await made.stop();
  });
}

test("spec 04 §11: a target that is a link is replaced, what it led to stays", async () => {
  publish("a.md");
  const made = await downloading(server.url);
  const outside = join(temporaryFolder(), "secret");
  writeFileSync(outside, "secret");
  mkdirSync(join(made.skills, "resend"));
  symlinkSync(outside, join(made.skills, "resend", "a.md"));
  await download(made);
  assert.is(readFileSync(outside, "utf8"), "secret");
  assert.is(readFileSync(join(made.skills, "resend", "a.md"), "utf8"), "content of a.md");
  await made.stop();
});

test("U5, spec 04 §4.7: many downloads of one namespace at once end with one whole bundle", async () => {
  const made = await downloading(server.url);
  let version = 0;
  server.intercept = (_, __, response) => {
    version++;
    send(response, 200, {
      skills: [
        { path: "a.md", content: `${version}` },
        { path: "b.md", content: `${version}` },
      ],
    });
    return true;
  };
  await Promise.all(Array.from({ length: 20 }, () => download(made)));
  const read = (name: string): string => readFileSync(join(made.skills, "resend", name), "utf8");
  assert.is(read("a.md"), read("b.md"));
  assert.equal(tree(made.skills), ["resend/a.md", "resend/b.md"]);
  await made.stop();
});

test.run();
